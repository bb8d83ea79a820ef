//! How sessions are made and driven: the profile and seed of each, and the effects that it wants.

pub(super) mod effect_driver;
pub(super) mod factory;
pub mod local_session;
pub mod stdio;
