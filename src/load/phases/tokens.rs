//! Whether all run tokens of a server are still there.
//!
//! Games go before analyses. So if all cores but one search for moves, an analysis gets the last one, and if that token was
//! lost it gets nothing, however long it waits: no need to measure how fast anything is.

use super::{Guest, PATIENCE};
use crate::load::heard::Heard;
use crate::load::phase::{Event, Id, Orders, Phase};
use std::time::Instant;

/// All but one search for moves, and the last one analyses.
pub struct Tokens {
    /// Those that search for moves, and whether they have said something.
    movers: Vec<(Id, bool)>,
    analyst: Id,
    asked: bool,
    spoken: bool,
    until: Option<Instant>,
    over: bool,
}

impl Tokens {
    /// With a guest for each token; `None` without guests.
    pub fn new(guests: &[Guest]) -> Option<Tokens> {
        let (analyst, movers) = guests.split_last()?;
        Some(Tokens {
            movers: movers.iter().map(|guest| (guest.id, false)).collect(),
            analyst: analyst.id,
            asked: false,
            spoken: false,
            until: None,
            over: false,
        })
    }

    /// Whether all could search at once.
    pub fn are_all_there(&self) -> bool {
        self.spoken
    }
}

impl Phase for Tokens {
    fn heard(&mut self, id: Id, event: Event<'_>, _: Instant, _: &mut Orders) {
        let Event::Line(line) = event else { return };
        if !matches!(Heard::in_line(line), Heard::Thinking { .. }) {
            return;
        }
        if let Some((_, spoken)) = self.movers.iter_mut().find(|(mover, _)| *mover == id) {
            *spoken = true;
        }
        self.spoken |= self.asked && id == self.analyst;
    }

    fn tick(&mut self, now: Instant, orders: &mut Orders) -> Option<Instant> {
        if self.until.is_none() {
            for &(id, _) in &self.movers {
                orders.say(id, "new\noption Book=none\npost\nst 3600\ngo\n");
            }
        }
        let until = *self.until.get_or_insert(now + PATIENCE);
        let busy = self.movers.iter().all(|&(_, spoken)| spoken);
        if busy && !self.asked {
            self.asked = true;
            orders.say(self.analyst, "new\nforce\npost\nanalyze\n");
            self.until = Some(now + PATIENCE);
        } else if self.spoken || now >= until {
            self.over = true;
            self.movers.iter().for_each(|&(id, _)| orders.say(id, "force\n"));
            orders.say(self.analyst, "exit\n");
        }
        self.until
    }

    fn is_over(&self) -> bool {
        self.over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::features::Features;
    use crate::load::phase::tests::Stage;

    const LINE: &str = "1 20 0 50 e4";

    fn tokens(count: usize) -> Tokens {
        let features = Features::unknown();
        let guests: Vec<_> = (1..=count).map(|number| Guest { id: Id(number), features }).collect();
        Tokens::new(&guests).expect("guests")
    }

    #[test]
    fn the_analysis_comes_when_all_others_search() {
        let (mut stage, mut tokens, now) = (Stage::default(), tokens(3), Instant::now());
        stage.tick(&mut tokens, now);
        assert!(stage.said(Id(1)).ends_with("go\n"));
        stage.hear(&mut tokens, Id(1), LINE, now);
        stage.tick(&mut tokens, now);
        assert!(stage.all().is_empty());
        stage.hear(&mut tokens, Id(2), LINE, now);
        stage.tick(&mut tokens, now);
        assert!(stage.said(Id(3)).ends_with("analyze\n"));
        stage.hear(&mut tokens, Id(2), LINE, now);
        stage.tick(&mut tokens, now);
        assert!(!tokens.is_over());
        stage.hear(&mut tokens, Id(3), LINE, now);
        stage.tick(&mut tokens, now);
        assert!(tokens.is_over() && tokens.are_all_there());
    }

    #[test]
    fn silence_shows_that_one_was_lost() {
        let (mut stage, mut tokens, now) = (Stage::default(), tokens(1), Instant::now());
        stage.tick(&mut tokens, now);
        assert!(stage.said(Id(1)).ends_with("analyze\n"), "with one token there is nobody else");
        stage.tick(&mut tokens, now + PATIENCE);
        assert!(tokens.is_over() && !tokens.are_all_there());
        assert!(Tokens::new(&[]).is_none());
    }
}
