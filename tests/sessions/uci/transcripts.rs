//! Every transcript, with input by line, by byte and at once.

use super::world::World;
use crate::playing::{Way, play_all};

#[test]
fn line_by_line() {
    play_all::<World>("uci", Way::Lines);
}

#[test]
fn byte_by_byte() {
    play_all::<World>("uci", Way::Bytes);
}

#[test]
fn in_one_write() {
    play_all::<World>("uci", Way::Together);
}
