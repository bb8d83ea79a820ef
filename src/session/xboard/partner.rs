//! The partner of bughouse, whose messages are remembered only, and pieces in hand.

use super::{Session, Step};
use crate::chess::{Color, Drops, Role};
use crate::protocol::xboard::{Holding, PartnerTalk};
use std::collections::{BTreeSet, VecDeque};

/// The number of a partner's texts that are kept, and the characters of each.
const MAX_TEXTS: usize = 16;
const MAX_TEXT_LEN: usize = 200;

/// A partner, and its messages in this game.
#[derive(Clone, Default, Debug)]
pub struct Partner {
    /// The partner's name; `None` if we have no partner.
    pub name: Option<String>,
    /// The latest messages, oldest first.
    pub said: VecDeque<String>,
    /// The partner wants us not to move.
    pub sit: bool,
    /// The partner wants us to move quickly.
    pub hurry: bool,
    /// The partner's game is lost.
    pub dead: bool,
    /// Pieces that the partner wants, as upper-case letters.
    pub needs: BTreeSet<char>,
    /// Pieces that the partner's opponent must not get, as upper-case letters.
    pub refuses: BTreeSet<char>,
    /// Whether the partner wants us to trade pieces; `None` if unknown.
    pub trades: Option<bool>,
    /// The pieces that both sides hold on our board.
    pub holding: Holding,
}

impl Partner {
    /// A message of the partner.
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
    /// `partner NAME`, `partner`. Zippy repeats it at times, also for the partner we have.
    pub(super) fn set_partner(&mut self, name: Option<String>) {
        let partner = self.client.partner.get_or_insert_default();
        if partner.name != name {
            **partner = Partner { name, holding: partner.holding, ..Partner::default() };
        }
    }

    /// `ptell TEXT`
    pub(super) fn partner_tells(&mut self, text: &str) {
        self.client.partner.get_or_insert_default().tells(text);
    }

    /// `holding`: what both sides have in hand. A search of the position with other hands begins anew.
    pub(super) fn set_holding(&mut self, holding: Option<Holding>, step: &mut Step<'_>) {
        let Some(holding) = holding else { return };
        self.client.partner.get_or_insert_default().holding = holding;
        let Some(held) = self.game.position().hands() else { return };
        let told = [holding.white, holding.black].map(|hand| Role::ALL.map(|role| hand.count(role.letter())));
        if told == held || self.is_of_a_move_to_come(&holding, &held, &told) {
            return;
        }
        self.undo_pondered(step);
        let due = self.player.owes_move();
        self.stop(step);
        self.game.set_hands(&told);
        self.board_changed();
        self.analyse(step);
        if due {
            self.think(step.now, step);
        } else {
            self.begin_pondering(step);
        }
    }

    /// Whether a chess server has told of a piece before the move that captures it, or drops it: the move changes the hand then.
    fn is_of_a_move_to_come(&self, holding: &Holding, held: &[[u8; 6]; 2], told: &[[u8; 6]; 2]) -> bool {
        let position = self.game.position();
        let by_one = |color: Color, role: Role, more: bool| {
            let mut expected = *held;
            let count = &mut expected[color.index()][role.index()];
            *count = if more { count.saturating_add(1) } else { count.wrapping_sub(1) };
            expected == *told
        };
        let captured = holding.gained.and_then(|(color, letter)| Some((color, Role::from_letter(letter)?)));
        let captures = position.variant().rules().drops == Drops::Captured
            && captured.is_some_and(|(color, role)| by_one(color, role, true));
        captures
            || holding.gained.is_none()
                && Role::ALL.into_iter().any(|role| by_one(position.turn(), role, false))
    }

    /// `new`: the partner stays, its messages were about the previous game.
    pub(super) fn reset_partner(&mut self) {
        let name = self.client.partner.take().and_then(|partner| partner.name);
        self.client.partner = name.map(|name| Box::new(Partner { name: Some(name), ..Partner::default() }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_messages_override_earlier_ones() {
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
    fn bounds_the_memory_of_messages() {
        let mut partner = Partner::default();
        (0..1000).for_each(|_| partner.tells(&"so long ".repeat(1000)));
        assert!(
            partner.said.len() == MAX_TEXTS && partner.said.iter().all(|text| text.len() <= MAX_TEXT_LEN)
        );
    }
}
