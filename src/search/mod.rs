//! The built-in engine: takes requests and returns reports. It knows no protocol and has no global
//! state, so hundreds of searches run in one process.
//!
//! The search proper (`root`, `alpha_beta`, `quiescence`, `node`, `picker`, `history` …), the
//! `evaluation` and `time_allocation` are independent of each other.

mod adjustment;
mod alpha_beta;
pub mod bench;
mod chess_board;
mod correction;
mod draughts_board;
mod evaluation;
mod external_engine;
mod forward_pruning;
mod game_record;
mod gate;
mod handicap;
mod history;
mod known_scores;
mod lmr;
mod naturalness;
mod node;
mod node_counter;
mod pace;
mod params;
mod partner_bias;
mod path;
mod perft;
mod picker;
mod quiescence;
mod report;
mod reporter;
mod request;
mod resume;
mod root;
mod root_moves;
mod root_position;
mod saving_drops;
mod score;
mod scratch;
mod searchable;
mod see;
mod singular;
mod static_move;
mod strength;
mod table;
mod table_salt;
mod time_allocation;
mod warm;
mod window;
mod worker;

pub use bench::OpenGate;
pub use draughts_board::{draughts_move, move_word};
pub use evaluation::net;
pub use external_engine::{ExternalEngine, Played};
pub use game_record::GameRecord;
pub use gate::{Gate, POLL_NODES, Turn, Verdict};
pub(crate) use node_counter::NodeCounter;
pub use partner_bias::PartnerNeeds;
pub use perft::perft;
pub use report::{Bound, Done, Info, Notice, Progress, Report};
pub use request::{
    FirstMoves, Knowledge, KnownScore, Limits, Past, Request, Resumption, Style, TableUse, ThreadRole,
};
pub use root_position::RootPosition;
pub use saving_drops::is_mated_soon;
pub use score::{MAX_PLY, Score};
pub use static_move::{allows_mate, static_best_move};
pub use strength::Strength;
pub use table::{SizedTable, Table};
pub use time_allocation::{Allotment, Clock, allot};

use crate::chess::AnyPosition;
use crate::with_position;
use root_position::with_searchable;

/// Returns the static evaluation in centipawns from the view of the side on move. Meaningless in
/// check.
pub fn static_evaluation(position: &AnyPosition) -> i32 {
    with_position!(position, position => evaluation::evaluate(position))
}

/// Searches until a limit is reached or the gate stops the search.
///
/// `table` is shared with other searches. `reports` is called on the searching thread, for every
/// new principal variation and now and then for progress; it must be quick. The best move in the
/// result is `None` only if every legal move is excluded.
pub fn search(
    request: &Request,
    table: &Table,
    gate: &mut dyn Gate,
    reports: &mut dyn FnMut(Report),
) -> Done {
    let _in_use = table.in_use();
    let done = search_once(request, table, gate, reports);
    let saving = saving_drops::saving_drops(request, &done, table, gate);
    if !saving.is_empty() {
        reports(Report::SavingDrops(saving));
    }
    done
}

/// Searches without looking for saving drops.
fn search_once(
    request: &Request,
    table: &Table,
    gate: &mut dyn Gate,
    reports: &mut dyn FnMut(Report),
) -> Done {
    let mut worker = worker::Worker::new(request, table, gate, reports);
    let done = with_searchable!(request, position => worker.deepen(position));
    table.scratch.give_back(worker.scratch);
    done
}
