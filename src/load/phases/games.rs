//! Games at the same time.

use super::game::Game;
use super::{Clock, Faults, Guest};
use crate::chess;
use crate::load::openings::Openings;
use crate::load::phase::{Event, Id, Orders, Phase};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Games.
pub struct Games {
    pairs: Vec<[Guest; 2]>,
    games: Vec<Option<Game>>,
    of: HashMap<Id, usize>,
    openings: Openings,
    clock: Clock,
    /// How long games follow upon each other; `None` for one of each pair, to its end.
    lasting: Option<Duration>,
    began: Option<Instant>,
    elapsed: Duration,
    over: bool,
    lost: Vec<Id>,
    /// What they have shown.
    pub faults: Faults,
}

impl Games {
    /// A game of every two guests, to its end.
    pub fn new(guests: &[Guest], seed: u64, clock: Clock) -> Games {
        let pairs: Vec<_> = guests.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        let sides = pairs.iter().enumerate();
        Games {
            of: sides.flat_map(|(index, pair)| pair.map(|guest| (guest.id, index))).collect(),
            games: pairs.iter().map(|_| None).collect(),
            pairs,
            openings: Openings::new(seed),
            clock,
            lasting: None,
            began: None,
            elapsed: Duration::ZERO,
            over: false,
            lost: Vec::new(),
            faults: Faults::default(),
        }
    }

    /// Game after game, for so long; then they are left where they are.
    pub fn lasting(self, lasting: Duration) -> Games {
        Games { lasting: Some(lasting), ..self }
    }

    /// How long it took.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    fn begin(&mut self, index: usize, now: Instant, orders: &mut Orders) {
        let pair = self.pairs[index];
        if pair.iter().any(|guest| self.lost.contains(&guest.id)) {
            self.games[index] = None;
            return;
        }
        let opening: chess::Game = self.openings.another();
        self.games[index] = Some(Game::begin(pair, opening, self.clock, now, orders));
    }

    /// A game may have ended.
    fn go_on(&mut self, index: usize, now: Instant, orders: &mut Orders) {
        let ended = self.games[index].as_ref().is_none_or(Game::is_over);
        if ended && self.lasting.is_some() {
            self.begin(index, now, orders);
        }
    }

    fn give_up_lost(&mut self, now: Instant, orders: &mut Orders) -> Option<Instant> {
        let mut next = None;
        for index in 0..self.games.len() {
            let Some(game) = self.games[index].as_mut().filter(|game| !game.is_over()) else { continue };
            let at = game.given_up();
            if now >= at {
                game.give_up(&mut self.faults, orders);
                self.go_on(index, now, orders);
            } else {
                next = Some(next.map_or(at, |other| at.min(other)));
            }
        }
        next
    }

    fn finish(&mut self, now: Instant, orders: &mut Orders) {
        self.over = true;
        self.elapsed = now.saturating_duration_since(self.began.unwrap_or(now));
        for game in self.games.iter_mut().flatten().filter(|game| !game.is_over()) {
            game.stop(&mut self.faults, orders);
        }
    }
}

impl Phase for Games {
    fn heard(&mut self, id: Id, event: Event<'_>, now: Instant, orders: &mut Orders) {
        let Some(&index) = self.of.get(&id).filter(|_| !self.over) else { return };
        let Some(game) = &mut self.games[index] else { return };
        match event {
            Event::Line(line) => game.hear(id, line, now, &mut self.faults, orders),
            Event::Closed(why) => {
                self.lost.push(id);
                game.break_off(why, &mut self.faults, orders);
            }
            Event::Open => {}
        }
        self.go_on(index, now, orders);
    }

    fn tick(&mut self, now: Instant, orders: &mut Orders) -> Option<Instant> {
        if self.over {
            return None;
        }
        if self.began.is_none() {
            self.began = Some(now);
            (0..self.pairs.len()).for_each(|index| self.begin(index, now, orders));
        }
        let next = self.give_up_lost(now, orders);
        let end = self.lasting.and_then(|lasting| Some(self.began? + lasting));
        let all_over = self.games.iter().all(|game| game.as_ref().is_none_or(Game::is_over));
        if end.is_some_and(|end| now >= end) || (end.is_none() && all_over) {
            self.finish(now, orders);
        }
        next.into_iter().chain(end).min()
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

    fn games(count: usize) -> Games {
        let features = Features::unknown();
        let guests: Vec<_> = (1..=2 * count).map(|number| Guest { id: Id(number), features }).collect();
        Games::new(&guests, 1, "10+0.1".parse().unwrap())
    }

    #[test]
    fn each_pair_plays_once_and_what_ends_late_counts() {
        let (mut stage, mut games, now) = (Stage::default(), games(2), Instant::now());
        let next = stage.tick(&mut games, now).expect("flags that may fall");
        stage.all();
        for id in [1, 2] {
            stage.hear(&mut games, Id(id), "resign", now);
        }
        stage.tick(&mut games, now);
        assert!(!games.is_over());
        games.heard(Id(3), Event::Closed("reset"), now, &mut stage.orders);
        stage.tick(&mut games, next);
        assert!(games.is_over());
        assert_eq!((games.faults.games, games.faults.broken, games.faults.lost_on_time), (2, 1, 0));
    }

    #[test]
    fn flags_fall_without_a_word() {
        let (mut stage, mut games, now) = (Stage::default(), games(3), Instant::now());
        let next = stage.tick(&mut games, now).expect("flags that may fall");
        stage.tick(&mut games, next);
        assert!(games.is_over());
        assert_eq!(games.faults.lost_on_time, 3);
    }

    #[test]
    fn games_follow_upon_each_other_until_the_time_is_over() {
        let (mut stage, now) = (Stage::default(), Instant::now());
        let mut games = games(1).lasting(Duration::from_secs(5));
        assert_eq!(stage.tick(&mut games, now), Some(now + Duration::from_secs(5)));
        stage.all();
        games.heard(Id(1), Event::Line("resign"), now, &mut stage.orders);
        let said = stage.said(Id(1));
        assert!(said.starts_with("result") && said.contains("\nnew\n"), "{said}");
        stage.tick(&mut games, now + Duration::from_secs(5));
        assert!(games.is_over() && games.faults.games == 1);
        assert_eq!(games.elapsed(), Duration::from_secs(5));
        assert_eq!(stage.said(Id(2)), "force\n");
    }
}
