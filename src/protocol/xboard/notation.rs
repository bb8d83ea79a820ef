//! Moves and variants as the protocol writes them.

use crate::chess::{AnyPosition, CastlingStyle, Move, MoveKind, Variant};

/// Formats a legal move for `move` and `usermove` (protocol 2, section 8): `e2e4`, `e7e8q`,
/// castling `e1g1`; `O-O` and `O-O-O` in fischerandom.
pub fn move_text(position: &AnyPosition, mv: Move) -> String {
    match (position.variant().rules().castling, mv.kind()) {
        (CastlingStyle::Chess960, MoveKind::Castle) => {
            position.san(mv).trim_end_matches(['+', '#']).to_owned()
        }
        _ => position.coordinates(mv),
    }
}

/// The variant's name in the command `variant` and the feature `variants` (protocol 2, section 8).
pub const fn variant_name(variant: Variant) -> &'static str {
    // Files use the same names.
    variant.name()
}

/// Returns true if xboard has rules for a variant. For others it takes the start position from the
/// engine, by `setup`, and applies the rules of chess unless legality is not tested.
pub(crate) fn is_known_to_xboard(variant: Variant) -> bool {
    !matches!(variant.name(), "kingofthehill" | "racingkings" | "horde")
}

/// Returns the variant of this name; `None` if it is not supported.
pub fn variant_named(name: &str) -> Option<Variant> {
    Variant::ALL.into_iter().find(|&variant| variant_name(variant) == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn castling_is_written_in_letters_in_fischerandom_only() {
        for (variant, fen, text, written) in [
            (Variant::NORMAL, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", "e1g1"),
            (Variant::NORMAL, "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "O-O-O", "e8c8"),
            (Variant::FISCHERANDOM, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"),
            (Variant::FISCHERANDOM, "5k2/8/8/8/8/8/8/1R3KR1 w GB - 0 1", "O-O", "O-O"),
            (Variant::FISCHERANDOM, "3k4/8/8/8/8/8/8/1R3KR1 w GB - 0 1", "O-O-O+", "O-O-O"),
            (Variant::FISCHERANDOM, "4k3/P7/8/8/8/8/8/1R3KR1 w GB - 0 1", "a8=N", "a7a8n"),
        ] {
            let position = AnyPosition::from_fen(variant, fen).unwrap();
            let mv = position.parse_move(text).unwrap();
            assert_eq!(move_text(&position, mv), written, "{fen}");
            assert_eq!(position.parse_move(written), Ok(mv), "{fen}");
        }
    }

    #[test]
    fn every_variant_has_a_name_of_its_own() {
        for variant in Variant::ALL {
            assert_eq!(variant_named(variant_name(variant)), Some(variant));
        }
        assert_eq!(variant_named("Normal"), None);
    }
}
