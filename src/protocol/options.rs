//! Names of options that the shim sets and sessions know.

/// The name by which a client selects the profile its session began with.
pub const DEFAULT_PROFILE: &str = "farboard";

/// The option by which the shim names the seed of a session that it records. It is offered nowhere.
pub const SEED_OPTION: &str = "Seed";
