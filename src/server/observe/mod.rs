//! What administrators and their programs see of the server: the access log and its metrics.

pub(super) mod access_log;
pub(super) mod metrics;
pub(super) mod user_metrics;
