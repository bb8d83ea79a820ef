//! Moves and variants as the protocol writes them.

use crate::chess::{AnyPosition, Move, MoveKind, Variant};

/// Formats a legal move: `e2e4`, `e7e8q`, `Q@e3`. Castling is `e1g1`, or king takes own rook, which
/// clients want with `UCI_Chess960`; in fischerandom it always is.
pub fn move_text(position: &AnyPosition, mv: Move, king_takes_rook: bool) -> String {
    if king_takes_rook && mv.kind() == MoveKind::Castle {
        format!("{}{}", mv.from(), mv.to())
    } else {
        position.coordinates(mv)
    }
}

/// A choice of the option `UCI_Variant`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VariantChoice {
    /// The name, in lower case as in GUIs.
    pub name: &'static str,
    /// The rules.
    pub variant: Variant,
    /// The start position, if it differs from the rules' own.
    start: Option<&'static str>,
}

/// Lichess's name for giveaway without castling.
const ANTICHESS: &str = "antichess";

impl VariantChoice {
    /// Orthodox chess.
    pub(crate) const CHESS: VariantChoice =
        VariantChoice { name: "chess", variant: Variant::NORMAL, start: None };

    /// All choices. Not bughouse, which needs a second board, and not kriegspiel, where a client
    /// would have to hide what it sends.
    pub fn all() -> impl Iterator<Item = VariantChoice> {
        Variant::ALL.into_iter().filter(|variant| !variant.has_partner() && !variant.rules().hidden).flat_map(
            |variant| {
                let name =
                    if variant == Variant::NORMAL { VariantChoice::CHESS.name } else { variant.name() };
                let own = VariantChoice { name, variant, start: None };
                let start = Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1");
                let also = VariantChoice { name: ANTICHESS, variant, start };
                std::iter::once(own).chain((variant.name() == "giveaway").then_some(also))
            },
        )
    }

    /// Returns the choice of this name, in any case, with or without `-`, `_` and blanks, or by
    /// another usual name.
    pub fn named(name: &str) -> Option<VariantChoice> {
        let bare = name.replace([' ', '-', '_'], "").to_ascii_lowercase();
        let name = match bare.as_str() {
            "normal" | "standard" => "chess",
            "chess960" | "fischerrandom" => "fischerandom",
            "threecheck" => "3check",
            other => other,
        };
        VariantChoice::all().find(|choice| choice.name == name)
    }

    /// The start position.
    pub fn start_fen(self) -> &'static str {
        self.start.unwrap_or(self.variant.rules().start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn castling_is_written_as_the_client_wants_it() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (variant, king_takes_rook, written) in [
            (Variant::NORMAL, false, "e1g1"),
            (Variant::NORMAL, true, "e1h1"),
            (Variant::FISCHERANDOM, false, "e1h1"),
        ] {
            let position = AnyPosition::from_fen(variant, fen).unwrap();
            let mv = position.parse_move("O-O").unwrap();
            assert_eq!(move_text(&position, mv, king_takes_rook), written);
            for read in ["e1g1", "e1h1"] {
                assert_eq!(position.parse_move(read), Ok(mv), "{read}");
            }
        }
    }

    #[test]
    fn variants_have_the_names_that_guis_know() {
        let names: Vec<&str> = VariantChoice::all().map(|choice| choice.name).collect();
        for name in
            "chess crazyhouse 3check atomic suicide giveaway antichess horde kingofthehill racingkings"
                .split(' ')
        {
            assert!(names.contains(&name), "{name} in {names:?}");
        }
        assert_eq!(names[0], "chess");
        assert!(names.iter().all(|name| *name == name.to_ascii_lowercase()));
        for choice in VariantChoice::all() {
            assert_eq!(VariantChoice::named(choice.name), Some(choice));
            assert_eq!(VariantChoice::named(&choice.name.to_uppercase()), Some(choice));
            assert!(AnyPosition::from_fen(choice.variant, choice.start_fen()).is_ok(), "{}", choice.name);
        }
        assert_eq!(VariantChoice::named("kingOfTheHill").map(|choice| choice.name), Some("kingofthehill"));
        assert_eq!(VariantChoice::named("King of the Hill").map(|choice| choice.name), Some("kingofthehill"));
        assert_eq!(VariantChoice::named("Standard"), Some(VariantChoice::CHESS));
        assert_eq!(VariantChoice::named("bughouse"), None);
    }
}
