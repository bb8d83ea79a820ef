//! What is told of bughouse and of men in hand: kept, for nothing we play has partners or hands.

use super::Session;
use crate::protocol::xboard::{Holding, PartnerTalk};
use std::collections::{BTreeSet, VecDeque};

/// Texts of a partner that are kept, and characters of each.
const MAX_TEXTS: usize = 16;
const MAX_TEXT_LEN: usize = 200;

/// A partner, and what it has said in this game.
#[derive(Clone, Default, Debug)]
pub struct Partner {
    /// Its name; `None` if we have none.
    pub name: Option<String>,
    /// The last that it said, oldest first.
    pub said: VecDeque<String>,
    /// It wants us not to move.
    pub sit: bool,
    /// It wants us to move quickly.
    pub hurry: bool,
    /// Its game is lost.
    pub dead: bool,
    /// Pieces that it wants, and pieces that its opponent must not get. Letters in upper case.
    pub needs: BTreeSet<char>,
    /// The latter.
    pub refuses: BTreeSet<char>,
    /// Whether it likes us to trade pieces; `None` if it has not said.
    pub trades: Option<bool>,
    /// What both sides hold on our board.
    pub holding: Holding,
}

impl Partner {
    /// It said this.
    fn tells(&mut self, text: &str) {
        if self.said.len() >= MAX_TEXTS {
            self.said.pop_front();
        }
        self.said.push_back(text.chars().take(MAX_TEXT_LEN).collect());
        match PartnerTalk::parse(text) {
            Some(PartnerTalk::Sit) => self.sit = true,
            Some(PartnerTalk::Go) => self.sit = false,
            Some(PartnerTalk::Fast) => self.hurry = true,
            Some(PartnerTalk::Slow) => self.hurry = false,
            Some(PartnerTalk::Dead) => self.dead = true,
            Some(PartnerTalk::Needs(piece)) => {
                self.refuses.remove(&piece);
                self.needs.insert(piece);
            }
            Some(PartnerTalk::Refuses(piece)) => {
                self.needs.remove(&piece);
                self.refuses.insert(piece);
            }
            Some(PartnerTalk::Trades) => self.trades = Some(true),
            Some(PartnerTalk::NoTrades) => self.trades = Some(false),
            None => {}
        }
    }
}

impl Session {
    /// `partner NAME`, `partner`. Zippy says it again at times, also of the one that we have.
    pub(super) fn partnered(&mut self, name: Option<String>) {
        let partner = self.client.partner.get_or_insert_default();
        if partner.name != name {
            **partner = Partner { name, holding: partner.holding, ..Partner::default() };
        }
    }

    /// `ptell TEXT`
    pub(super) fn partner_tells(&mut self, text: &str) {
        self.client.partner.get_or_insert_default().tells(text);
    }

    /// `holding`
    pub(super) fn told_holding(&mut self, holding: Option<Holding>) {
        if let Some(holding) = holding {
            self.client.partner.get_or_insert_default().holding = holding;
        }
    }

    /// `new`: the partner stays, what it said was about another game.
    pub(super) fn partner_begins_anew(&mut self) {
        let name = self.client.partner.take().and_then(|partner| partner.name);
        self.client.partner = name.map(|name| Box::new(Partner { name: Some(name), ..Partner::default() }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_counts() {
        let mut partner = Partner::default();
        for text in ["--> sit", "need a queen", "no q", "trades ok", "hi", "fast"] {
            partner.tells(text);
        }
        assert!(partner.sit && partner.hurry && !partner.dead && partner.needs.is_empty());
        assert_eq!((partner.trades, partner.refuses.contains(&'Q')), (Some(true), true));
        partner.tells("--> go");
        assert!(!partner.sit);
    }

    #[test]
    fn a_partner_that_talks_and_talks_takes_no_memory() {
        let mut partner = Partner::default();
        (0..1000).for_each(|_| partner.tells(&"so long ".repeat(1000)));
        assert!(
            partner.said.len() == MAX_TEXTS && partner.said.iter().all(|text| text.len() <= MAX_TEXT_LEN)
        );
    }
}
