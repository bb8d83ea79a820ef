//! Waiting times of moves by the number of games on a server: measured on a detailed server, used
//! for the fleet.

use super::server::{Measured, Server, seconds};
use super::waits::Waits;
use super::workload::Activity;

/// Seconds before measuring begins.
const WARM_UP: f64 = 30.0;

/// A server with this many games.
#[derive(Clone)]
pub struct Point {
    pub games: usize,
    /// Waits of the moves per second.
    pub waits: Waits,
    /// Waits until the first token.
    pub first: Waits,
    /// Average number of tokens held by searches with a clock.
    pub used: f64,
    /// Average number of searches with a clock waiting for a token.
    pub waiting: f64,
}

/// All points of a server, from no games upwards.
pub struct Curve {
    pub tokens: usize,
    pub points: Vec<Point>,
}

/// Measures a server with this many games and analyses for this many seconds.
pub fn measure(tokens: usize, games: usize, analyses: usize, time: f64, seed: u64) -> Point {
    let mut server = Server::new(tokens, seed);
    for id in 0..games + analyses {
        server.open(id as u64, if id < games { Activity::Game } else { Activity::Analysis });
    }
    server.run_until(seconds(WARM_UP));
    server.take_measured();
    server.run_until(seconds(WARM_UP + time));
    let measured = server.take_measured();
    assert_eq!(measured.refused, 0, "a server has capacity for {games} games");
    Point::of(games, &measured, time)
}

impl Point {
    fn of(games: usize, measured: &Measured, time: f64) -> Point {
        let (mut waits, mut first) = (Waits::default(), Waits::default());
        waits.add(&measured.waits, 1.0 / time);
        first.add(&measured.first, 1.0 / time);
        Point { games, waits, first, used: measured.used / time, waiting: measured.lacked / time }
    }
}

impl Curve {
    /// Measures a server with each of these numbers of games, and a number of analyses for each
    /// game. `time`: seconds for a number of games.
    pub fn measure(
        tokens: usize,
        games: impl IntoIterator<Item = usize>,
        analyses: f64,
        time: impl Fn(usize) -> f64,
        seed: u64,
    ) -> Curve {
        let none = Point::of(0, &Measured::default(), 1.0);
        let point = |games: usize| {
            let analyses = (games as f64 * analyses).round() as usize;
            measure(tokens, games, analyses, time(games), seed + games as u64)
        };
        Curve { tokens, points: std::iter::once(none).chain(games.into_iter().map(point)).collect() }
    }

    /// Adds the waits of this many seconds on a server with this many games, interpolated between
    /// two points; beyond the last point, its waits scaled by the number of games.
    pub fn add(&self, games: f64, time: f64, into: &mut Waits) {
        let above = self.points.partition_point(|point| (point.games as f64) < games);
        let Some(above) = self.points.get(above.max(1)) else {
            let last = self.points.last().expect("a point");
            return into.add(&last.waits, time * games / last.games as f64);
        };
        let below = &self.points[self.points.partition_point(|point| point.games < above.games) - 1];
        let part = (games - below.games as f64) / (above.games - below.games) as f64;
        into.add(&below.waits, time * (1.0 - part));
        into.add(&above.waits, time * part);
    }

    /// The waits per second with this many games.
    pub fn waits(&self, games: f64) -> Waits {
        let mut waits = Waits::default();
        self.add(games, 1.0, &mut waits);
        waits
    }

    /// The number of games at which the 99th percentile of the waits exceeds this many
    /// milliseconds.
    pub fn games_until(&self, limit: f64) -> f64 {
        let most = self.points.last().map_or(0, |point| point.games);
        let within = |games: usize| self.waits(games as f64).p99() <= limit;
        (1..=most).take_while(|&games| within(games)).last().unwrap_or(0) as f64
    }

    /// The share of time for which the engine's clock runs in a game without waits.
    pub fn duty(&self) -> f64 {
        let point = &self.points[1];
        (point.used + point.waiting) / point.games as f64
    }
}
