//! The response to a balancer's agent check: how much of its share of new sessions this server
//! should get.
//!
//! The response is a line for HAProxy's `agent-check` (its manual, 5.2). The weight is a percentage
//! of the weight in the balancer's configuration.

/// Figures that decide the response.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::server) struct AgentState {
    /// Whether the server refuses new sessions because it is shutting down or drained.
    pub(in crate::server) drains: bool,
    pub(in crate::server) is_full: bool,
    /// Searches that run at one time.
    pub(in crate::server) tokens: usize,
    /// Searches that wait for a token.
    pub(in crate::server) waiting: usize,
}

impl AgentState {
    pub(in crate::server) fn line(self) -> String {
        if self.drains || self.is_full {
            // Existing sessions stay, and new ones go elsewhere.
            return "drain\n".to_owned();
        }
        // "ready" takes an earlier "drain" back.
        format!("up ready {}%\n", self.weight())
    }

    /// Returns the weight in percent: half of it constant, half the share of a core that a new
    /// session would get. The balancer divides by the number of sessions, so a weight that followed
    /// the load alone would make the fleet oscillate.
    fn weight(self) -> usize {
        50 + 50 * self.tokens / (self.tokens + self.waiting).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDLE: AgentState = AgentState { drains: false, is_full: false, tokens: 4, waiting: 0 };

    #[test]
    fn the_weight_follows_the_time_that_a_new_session_would_get() {
        for (waiting, line) in [
            (0, "up ready 100%\n"),
            (1, "up ready 90%\n"),
            (4, "up ready 75%\n"),
            (12, "up ready 62%\n"),
            (100_000, "up ready 50%\n"),
        ] {
            assert_eq!(AgentState { waiting, ..IDLE }.line(), line);
        }
    }

    #[test]
    fn new_sessions_go_elsewhere_while_the_server_takes_none() {
        assert_eq!(AgentState { drains: true, ..IDLE }.line(), "drain\n");
        assert_eq!(AgentState { is_full: true, ..IDLE }.line(), "drain\n");
    }
}
