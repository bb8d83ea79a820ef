//! Perft as a task that can be suspended and stopped like a search.

use super::node_counter::NodeCounter;
use super::searchable::Searchable;
use super::{Done, Gate};
use crate::chess::{AnyPosition, Move, Position, Ruleset};
use crate::with_position;

/// Plies counted without polling the gate.
const AT_ONCE: u32 = 2;

/// Leaves between two polls of the gate: less than a millisecond.
const POLL_LEAVES: u64 = 50_000;

/// Maximum depth: a deeper count would never end, and its recursion needs stack.
const MAX_DEPTH: u8 = 40;

/// Counts the leaves of the tree of legal moves. Calls `leaves` with the number below each first
/// move, and returns their sum as nodes.
pub fn perft(
    position: &AnyPosition,
    depth: u8,
    gate: &mut dyn Gate,
    leaves: &mut dyn FnMut(Move, u64),
) -> Done {
    let depth = depth.min(MAX_DEPTH);
    let mut counter = NodeCounter::new(gate, None, POLL_LEAVES);
    counter.poll();
    if depth == 0 {
        counter.count(1);
    }
    with_position!(position, position => {
        for mv in position.legal_moves().into_iter().filter(|_| depth > 0) {
            let count = add(&position.after(mv), u32::from(depth) - 1, &mut counter);
            if counter.is_over() {
                break;
            }
            leaves(mv, count);
        }
    });
    counter.done(depth)
}

/// Counts the leaves below a position; fewer if the counter is over.
fn add<R: Ruleset>(position: &Position<R>, depth: u32, counter: &mut NodeCounter<'_>) -> u64 {
    if depth <= AT_ONCE {
        let leaves = position.perft(depth);
        counter.count(leaves);
        return leaves;
    }
    let mut leaves: u64 = 0;
    for mv in position.legal_moves() {
        leaves = leaves.saturating_add(add(&position.after(mv), depth - 1, counter));
        if counter.is_over() {
            break;
        }
    }
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Variant;
    use crate::search::Verdict;
    use std::time::Duration;

    struct StopsAt(u64);

    impl Gate for StopsAt {
        fn poll(&mut self, nodes: u64) -> Verdict {
            if nodes >= self.0 { Verdict::Stop } else { Verdict::Continue }
        }

        fn elapsed(&self) -> Duration {
            Duration::ZERO
        }

        fn past_optimum(&self, _scale: f32) -> bool {
            false
        }
    }

    fn counted(depth: u8, stop_at: u64) -> (u64, u64, usize) {
        let (mut below, mut moves) = (0, 0);
        let start = AnyPosition::start(Variant::NORMAL);
        let done = perft(&start, depth, &mut StopsAt(stop_at), &mut |_, leaves| {
            (below, moves) = (below + leaves, moves + 1);
        });
        (done.nodes, below, moves)
    }

    #[test]
    fn counts_what_perft_counts() {
        assert_eq!(counted(0, u64::MAX), (1, 0, 0));
        assert_eq!(counted(1, u64::MAX), (20, 20, 20));
        assert_eq!(counted(4, u64::MAX), (197_281, 197_281, 20));
    }

    #[test]
    fn can_be_stopped() {
        let (leaves, below, moves) = counted(255, 1_000_000);
        assert!((1_000_000..2_000_000).contains(&leaves) && below == 0 && moves == 0);
    }
}
