//! The server as administrators and their programs see it: the access log and metrics.

pub(super) mod access_log;
pub(super) mod metrics;
pub(super) mod user_metrics;
