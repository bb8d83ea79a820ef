//! Names of options shared by the shim and sessions.

/// The name by which a client selects the initial profile of its session.
pub const DEFAULT_PROFILE: &str = "farboard";

/// The option with which the shim sets the seed of a session that it records. It is not announced.
pub const SEED_OPTION: &str = "Seed";
