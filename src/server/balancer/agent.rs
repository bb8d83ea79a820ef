//! What a balancer's agent check is told: how much of its share of newcomers this server should get.
//!
//! The answer is a line of words as HAProxy's `agent-check` reads them (its manual, 5.2). The word for the weight is a percentage of the
//! weight that the balancer's configuration gives the server.

/// What the answer depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::server) struct AgentState {
    /// The server admits no newcomers because it is about to end.
    pub(in crate::server) drains: bool,
    /// All places for sessions are taken.
    pub(in crate::server) is_full: bool,
    /// Searches that run at one time.
    pub(in crate::server) tokens: usize,
    /// Searches that wait for a token.
    pub(in crate::server) waiting: usize,
}

impl AgentState {
    /// The line.
    pub(in crate::server) fn line(self) -> String {
        if self.drains || self.is_full {
            // Sessions that are there stay, and newcomers go elsewhere.
            return "drain\n".to_owned();
        }
        // "ready" takes an earlier "drain" back.
        format!("up ready {}%\n", self.weight())
    }

    /// In percent: half for being there, and half by the part of a core's time that a new_connection would get. The balancer multiplies that by
    /// the number of sessions, so a weight that followed the load alone would make the fleet swing.
    fn weight(self) -> usize {
        50 + 50 * self.tokens / (self.tokens + self.waiting).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDLE: AgentState = AgentState { drains: false, is_full: false, tokens: 4, waiting: 0 };

    #[test]
    fn the_weight_follows_what_a_newcomer_would_get() {
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
    fn newcomers_go_elsewhere_while_there_is_no_place_for_them() {
        assert_eq!(AgentState { drains: true, ..IDLE }.line(), "drain\n");
        assert_eq!(AgentState { is_full: true, ..IDLE }.line(), "drain\n");
    }
}
