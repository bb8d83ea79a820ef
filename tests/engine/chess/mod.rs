//! Chess and its variants: moves, counts and endings.

mod literal_rules;
mod perft;
mod reference;
mod second_library;
