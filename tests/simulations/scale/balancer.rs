//! Balancing of new sessions.

use crate::support::dice::Dice;

/// The balancer's view of a server.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Whether it accepts new sessions.
    pub open: bool,
    pub sessions: usize,
    /// The latest weight from the server's agent, from 1 to 100.
    pub weight: f64,
    /// Number of games, which no real balancer knows.
    pub games: usize,
    /// Number of analyses.
    pub analyses: usize,
}

/// A method of choosing a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// Any server.
    Random,
    /// Round robin.
    RoundRobin,
    /// Of two random servers the one with fewer sessions.
    TwoChoices,
    /// The server with the fewest sessions.
    LeastSessions,
    /// The same, using the agents' weights.
    Agent(Weight),
    /// The server with the fewest games for a new player, and with the fewest sessions for others:
    /// the optimum if new sessions announced their purpose.
    Knowing,
}

/// The definition of a weight, in percent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weight {
    /// The weight of the server's agent: half for running, half for the share of a core that a
    /// further search would get.
    Halved,
    /// The share of a core that a further search would get.
    Whole,
    /// `Whole`, averaged over a minute.
    WholeAveraged,
    /// The share of tokens not used by searches with a clock, averaged over a minute.
    FreeOfClocks,
}

impl Policy {
    pub const ALL: [Policy; 9] = [
        Policy::Random,
        Policy::RoundRobin,
        Policy::TwoChoices,
        Policy::LeastSessions,
        Policy::Agent(Weight::Halved),
        Policy::Agent(Weight::Whole),
        Policy::Agent(Weight::WholeAveraged),
        Policy::Agent(Weight::FreeOfClocks),
        Policy::Knowing,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Policy::Random => "random",
            Policy::RoundRobin => "round robin",
            Policy::TwoChoices => "two random choices",
            Policy::LeastSessions => "`leastconn`",
            Policy::Agent(Weight::Halved) => "`leastconn` with the agent's weight",
            Policy::Agent(Weight::Whole) => "the same, by waiting searches alone",
            Policy::Agent(Weight::WholeAveraged) => "the same, averaged over a minute",
            Policy::Agent(Weight::FreeOfClocks) => "by tokens not used by clocks, averaged over a minute",
            Policy::Knowing => "fewest games (unknown to a balancer)",
        }
    }
}

/// Seconds of the moving average.
const AVERAGED_OVER: f64 = 60.0;

/// The weight of a server with this many tokens, searches with a clock and analyses. `before` is
/// the weight `passed` seconds ago.
pub fn weigh(weight: Weight, before: f64, passed: f64, tokens: usize, clocks: usize, analyses: usize) -> f64 {
    let part = tokens as f64 / tokens.max(clocks + analyses) as f64;
    let free = 1.0 - clocks as f64 / tokens as f64;
    let averaged = (passed / AVERAGED_OVER).min(1.0);
    let (now, by) = match weight {
        Weight::Halved => (0.5 + 0.5 * part, 1.0),
        Weight::Whole => (part, 1.0),
        Weight::WholeAveraged => (part, averaged),
        Weight::FreeOfClocks => (free, averaged),
    };
    before + ((100.0 * now).clamp(1.0, 100.0) - before) * by
}

/// A balancer with all servers.
pub struct Balancer {
    policy: Policy,
    turn: usize,
}

impl Balancer {
    pub fn new(policy: Policy) -> Balancer {
        Balancer { policy, turn: 0 }
    }

    /// Chooses a server for a new session; returns `None` if no server is open.
    pub fn choose(&mut self, servers: &[Seen], plays: bool, dice: &mut Dice) -> Option<usize> {
        if !servers.iter().any(|server| server.open) {
            return None;
        }
        self.turn = (self.turn + 1) % servers.len();
        Some(match self.policy {
            Policy::Random => random(servers, dice),
            Policy::RoundRobin => {
                while !servers[self.turn].open {
                    self.turn = (self.turn + 1) % servers.len();
                }
                self.turn
            }
            Policy::TwoChoices => {
                let [one, other] = [random(servers, dice), random(servers, dice)];
                if servers[other].sessions < servers[one].sessions { other } else { one }
            }
            Policy::LeastSessions => self.least(servers, |server| server.sessions as f64),
            // As HAProxy does: connections including this one, divided by the weight.
            Policy::Agent(_) => self.least(servers, |server| (server.sessions + 1) as f64 / server.weight),
            Policy::Knowing if plays => self.least(servers, |server| server.games as f64),
            Policy::Knowing => self.least(servers, |server| server.sessions as f64),
        })
    }

    /// The open server with the least of something; equal ones in turn.
    fn least(&self, servers: &[Seen], of: impl Fn(&Seen) -> f64) -> usize {
        let (head, tail) = servers.split_at(self.turn);
        let (mut best, mut least) = (self.turn, f64::INFINITY);
        let all = tail.iter().zip(self.turn..).chain(head.iter().zip(0..));
        for (server, index) in all {
            let value = if server.open { of(server) } else { f64::INFINITY };
            if value < least {
                (best, least) = (index, value);
            }
        }
        best
    }
}

fn random(servers: &[Seen], dice: &mut Dice) -> usize {
    loop {
        let server = dice.roll(servers.len());
        if servers[server].open {
            return server;
        }
    }
}
