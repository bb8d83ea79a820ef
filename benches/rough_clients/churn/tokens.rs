//! Checks that a server still has all its run tokens.
//!
//! Games precede analyses. If all cores but one search for moves, an analysis gets the last core.
//! If that token is lost, the analysis never runs, so no speed needs to be measured.

use farboard::engines::EngineEvent;
use farboard::engines::xboard::XboardEngine;
use farboard::load::client::LoadClient;
use farboard::load::connect_phase::ANSWER_TIMEOUT;
use farboard::load::phase::{Actions, ClientEvent, ClientId, Phase};
use std::time::Instant;

/// All clients but one search for moves, and the last one analyses.
pub struct Tokens {
    /// Clients that search for moves, and whether they have output.
    movers: Vec<(ClientId, bool)>,
    analyst: ClientId,
    asked: bool,
    spoken: bool,
    until: Option<Instant>,
    over: bool,
}

impl Tokens {
    /// One client for each token; `None` without clients.
    pub fn new(clients: &[LoadClient]) -> Option<Tokens> {
        let (analyst, movers) = clients.split_last()?;
        Some(Tokens {
            movers: movers.iter().map(|client| (client.id, false)).collect(),
            analyst: analyst.id,
            asked: false,
            spoken: false,
            until: None,
            over: false,
        })
    }

    /// Returns true if all clients could search at once.
    pub fn are_all_there(&self) -> bool {
        self.spoken
    }
}

impl Phase for Tokens {
    fn on_event(&mut self, id: ClientId, event: ClientEvent<'_>, _: Instant, _: &mut Actions) {
        let ClientEvent::Line(line) = event else { return };
        if !matches!(XboardEngine::default().receive(line), EngineEvent::Thinking(_)) {
            return;
        }
        if let Some((_, spoken)) = self.movers.iter_mut().find(|(mover, _)| *mover == id) {
            *spoken = true;
        }
        self.spoken |= self.asked && id == self.analyst;
    }

    fn tick(&mut self, now: Instant, actions: &mut Actions) -> Option<Instant> {
        if self.until.is_none() {
            for &(id, _) in &self.movers {
                actions.send(id, "new\noption Book=none\npost\nst 3600\ngo\n");
            }
        }
        let until = *self.until.get_or_insert(now + ANSWER_TIMEOUT);
        let busy = self.movers.iter().all(|&(_, spoken)| spoken);
        if busy && !self.asked {
            self.asked = true;
            actions.send(self.analyst, "new\nforce\npost\nanalyze\n");
            self.until = Some(now + ANSWER_TIMEOUT);
        } else if self.spoken || now >= until {
            self.over = true;
            self.movers.iter().for_each(|&(id, _)| actions.send(id, "force\n"));
            actions.send(self.analyst, "exit\n");
        }
        self.until
    }

    fn is_over(&self) -> bool {
        self.over
    }
}
