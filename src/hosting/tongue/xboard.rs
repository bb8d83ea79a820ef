//! An engine that speaks the protocol of xboard.
//!
//! Its clock would run while it is suspended, so it gets none: it analyses, for moves as well, until our budget is used up,
//! and the first move of its last variation is the best. One that cannot analyse is told to move now.

use super::{Heard, Inability, MOST_TOLD, Question, Variation, centipawns, mate};
use crate::chess::{AnyPosition, Move, Variant};
use crate::engines::xboard::{EngineLine, Features};
use crate::protocol::xboard::{move_text, variant_name};
use crate::search::{Bound, Played};
use std::fmt::Write;

/// Plies of the longest game that is told from its start: all of it fits into a pipe that the engine may not read.
const MOST_PLIES: usize = 3000;
/// A mate in N moves is this many points and N.
const MATE: i64 = 100_000;

/// What an engine has said of itself, and what it does.
#[derive(Debug)]
pub(in crate::hosting) struct Xboard {
    name: Option<String>,
    features: Features,
    /// The variants that it announces; `None` if it announces none.
    variants: Option<String>,
    options: Vec<String>,
    /// It has announced a feature.
    announced: bool,
    /// The last `ping`.
    pings: u64,
    /// Whether the next `pong` ends a search, rather than its preparation.
    stopping: bool,
    /// The game that it is in.
    told: Option<Told>,
}

/// A game that an engine has been told.
#[derive(PartialEq, Eq, Debug)]
struct Told {
    variant: Variant,
    /// Key of its first position.
    start: u64,
    moves: Vec<Move>,
}

impl Told {
    /// The game of a question, if it is known and can go on: moves that are left out would have to be taken back in.
    fn of(question: &Question) -> Option<Told> {
        let played = question.whole.as_ref().filter(|_| question.excluded.is_empty())?;
        let variant = question.position.variant();
        Some(Told { variant, start: played.start.key(), moves: played.moves.clone() })
    }

    /// How many moves of this game lead to the other one; `None` if they do not.
    fn leads_to(&self, other: &Told) -> Option<usize> {
        let same = self.variant == other.variant && self.start == other.start;
        (same && other.moves.starts_with(&self.moves)).then_some(self.moves.len())
    }
}

impl Default for Xboard {
    fn default() -> Xboard {
        Xboard {
            name: None,
            features: Features::unknown(),
            variants: None,
            options: Vec::new(),
            announced: false,
            pings: 0,
            stopping: false,
            told: None,
        }
    }
}

impl Xboard {
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub fn answers(&self) -> bool {
        self.features.ping
    }

    pub fn tells_end(&self) -> bool {
        self.features.ping || !self.features.analyze
    }

    pub fn announces_nothing(&self) -> bool {
        !self.announced
    }

    pub fn unknown_options<'a>(&self, options: &'a [(String, String)]) -> Vec<&'a str> {
        let knows = |name: &str| {
            name == "memory" && self.features.memory || self.options.iter().any(|known| known == name)
        };
        options.iter().map(|(name, _)| name.as_str()).filter(|name| !knows(name)).collect()
    }

    pub fn set_up(&mut self, options: &[(String, String)]) -> String {
        let mut text = String::new();
        for (name, value) in options {
            let _ = if name == "memory" {
                writeln!(text, "memory {value}")
            } else {
                writeln!(text, "option {name}={value}")
            };
        }
        self.ping(&mut text);
        text
    }

    fn ping(&mut self, text: &mut String) {
        if self.features.ping {
            self.pings += 1;
            let _ = writeln!(text, "ping {}", self.pings);
        }
    }

    pub fn inabilities(&self, question: &Question) -> Vec<Inability> {
        let mut found = Vec::new();
        let variant = question.position.variant();
        let known = self
            .variants
            .as_deref()
            .is_some_and(|list| list.split(',').any(|name| name.trim() == variant_name(variant)));
        if variant != Variant::NORMAL && !known {
            found.push(Inability::Variant(variant_name(variant)));
        }
        if !self.features.setboard && told_from_start(question).is_none() {
            found.push(Inability::Position);
        }
        if !question.excluded.is_empty() && !self.features.exclude {
            found.push(Inability::Exclude);
        }
        if question.lines > 1 {
            found.push(Inability::Lines(1));
        }
        if question.strength.is_some() {
            found.push(Inability::Strength);
        }
        found
    }

    pub fn prepare(&mut self, question: &Question) -> String {
        self.stopping = false;
        let (before, told) = (self.told.take(), Told::of(question));
        let known = before.zip(told.as_ref()).and_then(|(before, told)| before.leads_to(told));
        // What is new may be a whole game; then its position is shorter.
        let known = known.filter(|known| {
            let new = question.whole.as_ref().map_or(0, |played| played.moves.len() - known);
            new <= MOST_TOLD || !self.features.setboard
        });
        self.told = told.filter(|_| self.features.analyze);
        let mut text = String::new();
        match known.zip(question.whole.as_ref()) {
            Some((known, played)) => self.continue_game(played, known, &mut text),
            None => self.begin_game(question, &mut text),
        }
        self.ping(&mut text);
        text
    }

    /// Tells what has been played since. Whoever is told a game again from its start may take its positions for repetitions:
    /// fairymax calls moves illegal then.
    fn continue_game(&self, played: &Played, known: usize, text: &mut String) {
        text.push_str("force\n");
        let mut position = played.start;
        for (index, &mv) in played.moves.iter().enumerate() {
            if index >= known {
                self.tell(&move_text(&position, mv), text);
            }
            position.play(mv);
        }
    }

    fn begin_game(&self, question: &Question, text: &mut String) {
        text.push_str("new\n");
        let variant = question.position.variant();
        if variant != Variant::NORMAL {
            let _ = writeln!(text, "variant {}", variant_name(variant));
        }
        text.push_str("easy\npost\nforce\n");
        match told_from_start(question) {
            Some(moves) if !self.features.setboard => moves.iter().for_each(|mv| self.tell(mv, text)),
            _ => {
                let _ = writeln!(text, "setboard {}", question.from.fen());
                for (position, mv) in question.each_move() {
                    self.tell(&move_text(&position, mv), text);
                }
            }
        }
        for &mv in &question.excluded {
            let _ = writeln!(text, "exclude {}", move_text(&question.position, mv));
        }
    }

    fn tell(&self, mv: &str, text: &mut String) {
        let _ = if self.features.usermove { writeln!(text, "usermove {mv}") } else { writeln!(text, "{mv}") };
    }

    pub fn go(&mut self) -> String {
        if self.features.analyze { "analyze\n".to_owned() } else { "level 0 600 0\ngo\n".to_owned() }
    }

    pub fn stop(&mut self) -> String {
        if !self.features.analyze {
            return "?\n".to_owned();
        }
        self.stopping = true;
        let mut text = "exit\n".to_owned();
        self.ping(&mut text);
        text
    }

    pub fn hear<'a>(&mut self, line: &'a str) -> Heard<'a> {
        match EngineLine::parse(line) {
            EngineLine::Feature(text) => {
                self.features.take(text);
                self.name = Features::quoted(text, "myname").map(str::to_owned).or(self.name.take());
                self.variants =
                    Features::quoted(text, "variants").map(str::to_owned).or(self.variants.take());
                let option = Features::quoted(text, "option").and_then(|option| option.split(" -").next());
                self.options.extend(option.map(str::to_owned));
                self.announced = true;
                if self.features.done == Some(true) {
                    // Each later feature would end the greeting again.
                    self.features.done = None;
                    return Heard::Greeted;
                }
            }
            EngineLine::Pong(number) if number == self.pings => {
                if std::mem::take(&mut self.stopping) {
                    return Heard::Ended { best: None, ponder: None };
                }
                return Heard::Ready;
            }
            EngineLine::Move(mv) if !self.features.analyze => {
                return Heard::Ended { best: Some(mv), ponder: None };
            }
            EngineLine::Thinking { depth, score, nodes, pv } if !pv.is_empty() => {
                let is_mate = score.abs() > MATE && score.abs() < 2 * MATE;
                let mated = |score: i64| mate(score.signum() * (score.abs() - MATE));
                return Heard::Variation(Variation {
                    depth,
                    selective_depth: depth,
                    line: 1,
                    score: if is_mate { mated(score) } else { centipawns(score) },
                    bound: Bound::Exact,
                    nodes,
                    pv,
                    binding: false,
                });
            }
            EngineLine::Complaint(text)
                if text.starts_with("Illegal") || text.starts_with("tellusererror") =>
            {
                return Heard::Complaint(text);
            }
            _ => {}
        }
        Heard::Nothing
    }
}

/// The whole game as moves from the variant's start position, if it is known and began there.
fn told_from_start(question: &Question) -> Option<Vec<String>> {
    let start = AnyPosition::start(question.position.variant());
    let played = question.whole.as_ref();
    let Some(played) = played.filter(|played| played.start.key() == start.key()) else {
        return (question.position.key() == start.key()).then(Vec::new);
    };
    let mut position = start;
    let moves = played.moves.iter().map(|&mv| {
        let text = move_text(&position, mv);
        position.play(mv);
        text
    });
    (played.moves.len() <= MOST_PLIES).then(|| moves.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Game;
    use crate::protocol::xboard::variant_named;
    use crate::search::{GameRecord, Request, Score};

    fn engine(features: &str) -> Xboard {
        let mut engine = Xboard::default();
        assert_eq!(engine.hear("feature done=0"), Heard::Nothing);
        assert_eq!(engine.hear(&format!("feature {features}")), Heard::Nothing);
        assert_eq!(engine.hear("feature done=1"), Heard::Greeted);
        assert_eq!(engine.hear("feature option=\"Later -check 1\""), Heard::Nothing);
        engine
    }

    fn question(moves: &str) -> Question {
        let mut game = Game::new(Variant::NORMAL);
        for text in moves.split_whitespace() {
            game.play(game.position().parse_move(text).unwrap());
        }
        Question::of(&Request { played: game.played(), ..Request::of(game.root()) }).unwrap()
    }

    #[test]
    fn a_position_is_set_up_or_played() {
        let mut modern = engine("setboard=1 usermove=1 ping=1");
        let text = modern.prepare(&question("e4 e5 Nf3"));
        assert_eq!(
            text,
            "new\neasy\npost\nforce\nsetboard rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n\
             usermove g1f3\nping 1\n"
        );
        assert_eq!((modern.hear("pong 7"), modern.hear("pong 1")), (Heard::Nothing, Heard::Ready));
        let mut old = engine("ping=1 exclude=1");
        let mut all_but_one = question("e4");
        all_but_one.excluded = vec![all_but_one.allowed[0]];
        let first = move_text(&all_but_one.position, all_but_one.allowed[0]);
        let expected = format!("new\neasy\npost\nforce\ne2e4\nexclude {first}\nping 1\n");
        assert_eq!(old.prepare(&all_but_one), expected);
        assert!(old.inabilities(&all_but_one).is_empty());
    }

    #[test]
    fn a_game_that_goes_on_is_not_told_again() {
        let mut engine = engine("ping=1 usermove=1");
        assert!(engine.prepare(&question("e4 e5")).starts_with("new\n"));
        assert_eq!(engine.prepare(&question("e4 e5")), "force\nping 2\n");
        assert_eq!(
            engine.prepare(&question("e4 e5 Nf3 Nc6")),
            "force\nusermove g1f3\nusermove b8c6\nping 3\n"
        );
        let mut all_but_one = question("e4 e5 Nf3 Nc6 Bb5");
        all_but_one.excluded = vec![all_but_one.allowed[0]];
        for other in [question("e4 e5"), question("e4 c5"), question("d4"), all_but_one, question("e4 e5")] {
            assert!(engine.prepare(&other).starts_with("new\n"), "{:?}", other.whole);
        }
        let mut simple = self::engine("analyze=0");
        simple.prepare(&question("e4"));
        assert!(simple.prepare(&question("e4 e5")).starts_with("new\n"), "it has made a move of its own");
    }

    #[test]
    fn a_game_that_goes_on_for_long_is_set_up() {
        let long = "Nf3 Nf6 Ng1 Ng8 ".repeat(1000);
        let mut modern = engine("ping=1 usermove=1 setboard=1");
        modern.prepare(&question("Nf3"));
        let text = modern.prepare(&question(&long));
        assert!(text.starts_with("new\n") && text.contains("setboard "), "{text}");
        assert_eq!(text.lines().filter(|line| line.starts_with("usermove")).count(), MOST_TOLD);
        assert_eq!(modern.prepare(&question(&format!("{long} e4"))), "force\nusermove e2e4\nping 3\n");
        let old = engine("ping=1 usermove=1");
        assert_eq!(old.inabilities(&question(&long)), [Inability::Position]);
        // The longest text that there is.
        let mut old = engine("ping=1 usermove=1");
        let text = old.prepare(&question(&"Nf3 Nf6 Ng1 Ng8 ".repeat(MOST_PLIES / 4)));
        assert!(text.len() < 64 * 1024);
    }

    #[test]
    fn a_search_ends_with_a_pong_or_a_move() {
        let mut engine = engine("ping=1 setboard=1");
        assert_eq!(engine.go(), "analyze\n");
        assert_eq!(engine.stop(), "exit\nping 1\n");
        assert_eq!(engine.hear("pong 1"), Heard::Ended { best: None, ponder: None });
        let mut simple = self::engine("analyze=0");
        assert_eq!((simple.go(), simple.stop()), ("level 0 600 0\ngo\n".to_owned(), "?\n".to_owned()));
        assert_eq!(simple.hear("move e2e4"), Heard::Ended { best: Some("e2e4"), ponder: None });
    }

    #[test]
    fn thinking_lines_are_variations() {
        let mut engine = engine("setboard=1");
        let score = |heard| match heard {
            Heard::Variation(variation) => (variation.depth, variation.score, variation.pv),
            other => panic!("{other:?}"),
        };
        assert_eq!(score(engine.hear(" 3   15   12   754 d4 d5")), (3, Score(15), "d4 d5"));
        assert_eq!(score(engine.hear("3 100002 1 7 Qh5")).1.mate_distance(), Some(2));
        assert_eq!(score(engine.hear("3 -100002 1 7 Qh5")).1.mate_distance(), Some(-2));
        assert_eq!(engine.hear("Illegal move: e2e5"), Heard::Complaint("Illegal move: e2e5"));
        assert_eq!(engine.hear("Error (unknown command): easy"), Heard::Nothing);
    }

    #[test]
    fn what_it_cannot_do_is_known() {
        let old = engine("variants=\"normal,losers\"");
        let inabilities =
            |position: AnyPosition| old.inabilities(&Question::of(&Request::of(position)).unwrap());
        assert_eq!(inabilities(AnyPosition::start(Variant::NORMAL)), []);
        assert_eq!(inabilities(AnyPosition::start(variant_named("losers").unwrap())), []);
        assert_eq!(
            inabilities(AnyPosition::start(variant_named("atomic").unwrap())),
            [Inability::Variant("atomic")]
        );
        let set_up = AnyPosition::from_fen(Variant::NORMAL, "4k3/8/8/8/8/8/8/4K2R w - - 0 1").unwrap();
        assert_eq!(inabilities(set_up), [Inability::Position]);
    }
}
