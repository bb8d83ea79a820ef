//! Load balancers in front of several servers: the agent check, and which sessions should move to
//! another server.

pub(super) mod agent;
pub(super) mod moves;
