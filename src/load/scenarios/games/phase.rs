//! Concurrent games.

use super::game::Game;
use super::game::GameStats;
use crate::chess;
use crate::engines::time_control::Clock;
use crate::load::client::LoadClient;
use crate::load::openings::Openings;
use crate::load::phase::{Actions, ClientEvent, ClientId, Phase};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Concurrent games.
pub struct Games {
    pairs: Vec<[LoadClient; 2]>,
    games: Vec<Option<Game>>,
    of: HashMap<ClientId, usize>,
    openings: Openings,
    clock: Clock,
    /// Time for which each pair plays game after game; `None` for one game to its end.
    lasting: Option<Duration>,
    began: Option<Instant>,
    elapsed: Duration,
    over: bool,
    lost: Vec<ClientId>,
    /// Results so far.
    pub stats: GameStats,
}

impl Games {
    /// One game for every two clients, to its end.
    pub fn new(clients: &[LoadClient], openings: Openings, clock: Clock) -> Games {
        let pairs: Vec<_> = clients.chunks_exact(2).map(|pair| [pair[0].clone(), pair[1].clone()]).collect();
        let sides = pairs.iter().enumerate();
        Games {
            of: sides.flat_map(|(index, pair)| pair.each_ref().map(|client| (client.id, index))).collect(),
            games: pairs.iter().map(|_| None).collect(),
            pairs,
            openings,
            clock,
            lasting: None,
            began: None,
            elapsed: Duration::ZERO,
            over: false,
            lost: Vec::new(),
            stats: GameStats::default(),
        }
    }

    /// Plays game after game for `lasting`, then stops.
    pub fn lasting(self, lasting: Duration) -> Games {
        Games { lasting: Some(lasting), ..self }
    }

    /// Duration.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    fn begin(&mut self, index: usize, now: Instant, actions: &mut Actions) {
        let pair = self.pairs[index].clone();
        if pair.iter().any(|client| self.lost.contains(&client.id)) {
            self.games[index] = None;
            return;
        }
        let opening: chess::Game = self.openings.another();
        self.games[index] = Some(Game::begin(pair, opening, self.clock, now, actions));
    }

    /// Starts the next game of a pair if its game has ended.
    fn go_on(&mut self, index: usize, now: Instant, actions: &mut Actions) {
        let ended = self.games[index].as_ref().is_none_or(Game::is_over);
        if ended && self.lasting.is_some() {
            self.begin(index, now, actions);
        }
    }

    fn forfeit_overdue(&mut self, now: Instant, actions: &mut Actions) -> Option<Instant> {
        let mut next = None;
        for index in 0..self.games.len() {
            let Some(game) = self.games[index].as_mut().filter(|game| !game.is_over()) else { continue };
            let at = game.forfeit_at();
            if now >= at {
                game.forfeit(&mut self.stats, actions);
                self.go_on(index, now, actions);
            } else {
                next = Some(next.map_or(at, |other| at.min(other)));
            }
        }
        next
    }

    fn finish(&mut self, now: Instant, actions: &mut Actions) {
        self.over = true;
        self.elapsed = now.saturating_duration_since(self.began.unwrap_or(now));
        for game in self.games.iter_mut().flatten().filter(|game| !game.is_over()) {
            game.stop(&mut self.stats, actions);
        }
    }
}

impl Phase for Games {
    fn on_event(&mut self, id: ClientId, event: ClientEvent<'_>, now: Instant, actions: &mut Actions) {
        let Some(&index) = self.of.get(&id).filter(|_| !self.over) else { return };
        let Some(game) = &mut self.games[index] else { return };
        match event {
            ClientEvent::Line(line) => game.receive(id, line, now, &mut self.stats, actions),
            ClientEvent::Closed(why) => {
                self.lost.push(id);
                game.abort(why, &mut self.stats, actions);
            }
            ClientEvent::Open => {}
        }
        self.go_on(index, now, actions);
    }

    fn tick(&mut self, now: Instant, actions: &mut Actions) -> Option<Instant> {
        if self.over {
            return None;
        }
        if self.began.is_none() {
            self.began = Some(now);
            (0..self.pairs.len()).for_each(|index| self.begin(index, now, actions));
        }
        let next = self.forfeit_overdue(now, actions);
        let end = self.lasting.and_then(|lasting| Some(self.began? + lasting));
        let all_over = self.games.iter().all(|game| game.as_ref().is_none_or(Game::is_over));
        if end.is_some_and(|end| now >= end) || (end.is_none() && all_over) {
            self.finish(now, actions);
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
    use crate::engines::{ChessEngine, EngineProtocol};
    use crate::load::phase::tests::PhaseTester;

    fn games(count: usize) -> Games {
        let client =
            |number| LoadClient { id: ClientId(number), engine: ChessEngine::new(EngineProtocol::Xboard) };
        let clients: Vec<_> = (1..=2 * count).map(client).collect();
        Games::new(&clients, Openings::new(1), "10+0.1".parse().unwrap())
    }

    #[test]
    fn each_pair_plays_once_and_what_ends_late_counts() {
        let (mut tester, mut games, now) = (PhaseTester::default(), games(2), Instant::now());
        let next = tester.tick(&mut games, now).expect("flags that may fall");
        tester.all();
        for id in [1, 2] {
            tester.receive(&mut games, ClientId(id), "resign", now);
        }
        tester.tick(&mut games, now);
        assert!(!games.is_over());
        games.on_event(ClientId(3), ClientEvent::Closed("reset"), now, &mut tester.actions);
        tester.tick(&mut games, next);
        assert!(games.is_over());
        assert_eq!((games.stats.games, games.stats.aborted, games.stats.lost_on_time), (2, 1, 0));
    }

    #[test]
    fn flags_fall_without_a_word() {
        let (mut tester, mut games, now) = (PhaseTester::default(), games(3), Instant::now());
        let next = tester.tick(&mut games, now).expect("flags that may fall");
        tester.tick(&mut games, next);
        assert!(games.is_over());
        assert_eq!(games.stats.lost_on_time, 3);
    }

    #[test]
    fn games_follow_upon_each_other_until_the_time_is_over() {
        let (mut tester, now) = (PhaseTester::default(), Instant::now());
        let mut games = games(1).lasting(Duration::from_secs(5));
        assert_eq!(tester.tick(&mut games, now), Some(now + Duration::from_secs(5)));
        tester.all();
        games.on_event(ClientId(1), ClientEvent::Line("resign"), now, &mut tester.actions);
        let said = tester.sent(ClientId(1));
        assert!(said.starts_with("result") && said.contains("\nnew\n"), "{said}");
        tester.tick(&mut games, now + Duration::from_secs(5));
        assert!(games.is_over() && games.stats.games == 1);
        assert_eq!(games.elapsed(), Duration::from_secs(5));
        assert_eq!(tester.sent(ClientId(2)), "force\n");
    }
}
