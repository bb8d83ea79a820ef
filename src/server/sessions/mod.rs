//! Creation of sessions, with a profile and a seed, and execution of their effects.

pub(super) mod effect_driver;
pub(super) mod factory;
pub mod local_session;
pub mod stdio;
