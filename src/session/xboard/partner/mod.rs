//! Bughouse: the partner and what it wants, the pieces in hand, the clocks of both boards.
//!
//! * `sitting`: when our move is held back, and for how long. `talk`: what we tell the partner. `clocks`: those of the other board.
//! * `state`: a partner as text.

mod clocks;
mod sitting;
mod state;
mod talk;

use super::{Session, Step};
use crate::chess::{Color, Drops, Role, Roles};
use crate::protocol::xboard::{Holding, PartnerNotice, PartnerTalk};
use crate::search::PartnerNeeds;
use crate::session::player::{Pace, Purpose};
use clocks::OtherBoard;
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use talk::Told;

/// The number of a partner's texts that are kept, and the characters of each. What the partner wants follows from them alone.
pub(crate) const MAX_TEXTS: usize = 32;
const MAX_TEXT_LEN: usize = 200;
/// The time that a move takes in a hurry, in percent of the usual.
const HURRIED: u32 = 25;
/// The least time that it takes where one of our pair has less time than who could wait for it to move, in percent of the usual.
const SHORT_OF_TIME: u32 = 33;

/// A partner, and its messages in this game.
#[derive(Clone, Default, Debug)]
pub struct Partner {
    /// The partner's name; `None` if we have no partner.
    pub name: Option<String>,
    /// The latest messages, oldest first, without those that tell of clocks.
    pub said: VecDeque<String>,
    /// What they come to.
    pub wishes: Wishes,
    /// The partner has asked us to sit, we have moved since, and it has not yet said that this is over.
    sat_out: bool,
    /// The clocks of the other board.
    clocks: OtherBoard,
    /// The pieces that both sides hold on our board.
    pub holding: Holding,
    /// What we have told the partner.
    told: Told,
}

/// What a partner wants.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Wishes {
    /// The partner wants us not to move.
    pub sit: bool,
    /// The partner wants us to move quickly.
    pub hurry: bool,
    /// The partner's game is lost.
    pub dead: bool,
    /// Pieces that the partner wants.
    pub needs: Roles,
    /// Pieces that the partner's opponent must not get.
    pub refuses: Roles,
    /// Whether the partner wants us to trade pieces; `None` if unknown.
    pub trades: Option<bool>,
}

impl Wishes {
    /// What these messages come to, oldest first.
    fn of<'a>(said: impl IntoIterator<Item = &'a String>) -> Wishes {
        let understood = said.into_iter().filter_map(|text| PartnerTalk::parse(text));
        understood.fold(Wishes::default(), Wishes::after)
    }

    /// What they are after one more message.
    fn after(self, talk: PartnerTalk) -> Wishes {
        let Wishes { needs, refuses, .. } = self;
        match talk {
            PartnerTalk::Sit => Wishes { sit: true, ..self },
            PartnerTalk::Go => Wishes { sit: false, ..self },
            PartnerTalk::Fast => Wishes { hurry: true, ..self },
            PartnerTalk::Slow => Wishes { hurry: false, ..self },
            PartnerTalk::Dead => Wishes { dead: true, ..self },
            PartnerTalk::Normal => Wishes::default(),
            PartnerTalk::Needs(these) => {
                Wishes { needs: needs.union(these), refuses: refuses.without(these), ..self }
            }
            PartnerTalk::Refuses(these) => {
                Wishes { needs: needs.without(these), refuses: refuses.union(these), ..self }
            }
            PartnerTalk::Indifferent(these) => {
                Wishes { needs: needs.without(these), refuses: refuses.without(these), ..self }
            }
            PartnerTalk::Trades => Wishes { trades: Some(true), ..self },
            PartnerTalk::NoTrades => Wishes { trades: Some(false), ..self },
            PartnerTalk::Clocks { .. } | PartnerTalk::Help => self,
        }
    }
}

impl Partner {
    /// A message of the partner, and what it asks for, if anything.
    fn tells(&mut self, text: &str, now: Instant) -> Option<PartnerTalk> {
        let talk = PartnerTalk::parse(text);
        if let Some(PartnerTalk::Clocks { partner, opponent }) = talk {
            self.clocks.hear(partner, opponent, now);
            return talk;
        }
        if let Some(PartnerTalk::Go | PartnerTalk::Normal) = talk {
            self.sat_out = false;
        }
        if self.said.len() >= MAX_TEXTS {
            self.said.pop_front();
        }
        self.said.push_back(text.chars().take(MAX_TEXT_LEN).collect());
        self.wishes = Wishes::of(&self.said);
        talk
    }

    /// Whether the partner has asked us to sit, and has not yet said that this is over.
    fn has_asked_to_sit(&self) -> bool {
        self.wishes.sit || self.sat_out
    }

    /// We have moved: a wish to sit was for this move alone.
    pub(super) fn moved(&mut self) {
        if self.wishes.sit {
            self.sat_out = true;
            self.said.retain(|text| PartnerTalk::parse(text) != Some(PartnerTalk::Sit));
            self.wishes = Wishes::of(&self.said);
        }
    }
}

impl Session {
    /// The partner, if we have one and play bughouse.
    fn partner(&self) -> Option<&Partner> {
        let bughouse = self.game.position().variant().has_partner();
        self.client.partner.as_deref().filter(|partner| bughouse && partner.name.is_some())
    }

    /// `partner NAME`, `partner`. Zippy repeats it at times, also for the partner we have.
    pub(super) fn set_partner(&mut self, name: Option<String>, step: &mut Step<'_>) {
        let partner = self.client.partner.get_or_insert_default();
        if partner.name != name {
            **partner = Partner { name, holding: partner.holding, ..Partner::default() };
            self.review_sitting(step);
        }
    }

    /// `ptell TEXT`
    pub(super) fn partner_tells(&mut self, text: &str, step: &mut Step<'_>) {
        let partner = self.client.partner.get_or_insert_default();
        let asked = partner.has_asked_to_sit();
        let talk = partner.tells(text, step.now);
        if self.partner().is_none() {
            return;
        }
        let pace = self.player.limits.pace;
        self.set_pace(step.now);
        if self.player.limits.pace != pace {
            self.retime(step);
        }
        match talk {
            Some(PartnerTalk::Help) => self.tell_partner(PartnerNotice::Help, step),
            Some(PartnerTalk::Go) => self.partner_says_go(asked, step),
            Some(_) => self.review_sitting(step),
            None => {}
        }
    }

    /// What the partner wants of our captures and losses, from the next search on.
    pub(super) fn partner_needs(&self) -> PartnerNeeds {
        self.partner().map_or_else(PartnerNeeds::default, |partner| {
            let Wishes { needs, refuses, trades, .. } = partner.wishes;
            PartnerNeeds { sought: needs, spared: refuses, trades }
        })
    }

    /// How quickly we move: in a hurry if the partner wants that, or is dead, since then nothing is won by its clock; and
    /// somewhat faster if the partner's opponent has more time than we, and so could wait longer, or ours more than the
    /// partner: while we think its clock stands.
    pub(super) fn set_pace(&mut self, now: Instant) {
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let running = self.player.running(now);
        let ours = self.player.limits.clocks.shown_after(running).and_then(|left| u64::try_from(left).ok());
        let theirs = self.client.opponent_clock.and_then(|left| u64::try_from(left).ok());
        self.player.limits.pace = self.partner().map_or_else(Pace::default, |partner| {
            if partner.wishes.hurry || partner.wishes.dead {
                return Pace(HURRIED);
            }
            let pairs = [
                (ours, partner.clocks.opponent(now).map(millis)),
                (partner.clocks.partner(now).map(millis), theirs),
            ];
            let paces = pairs.into_iter().filter_map(|(of_our_pair, waiting)| of_our_pair.zip(waiting));
            paces.map(|(less, more)| pace_behind(less, more)).min().map_or_else(Pace::default, Pace)
        });
    }

    /// `holding`: what both sides have in hand. A search of the position with other hands begins anew, with all moves.
    pub(super) fn set_holding(&mut self, holding: Option<Holding>, step: &mut Step<'_>) {
        let Some(holding) = holding else { return };
        self.client.partner.get_or_insert_default().holding = holding;
        let Some(held) = self.game.position().hands() else { return };
        let told = [holding.white, holding.black].map(|hand| Role::ALL.map(|role| hand.count(role.letter())));
        let news = told != held && !self.is_of_a_move_to_come(&holding, &held, &told);
        if !news && self.excluded.is_empty() {
            return;
        }
        self.undo_pondered(step);
        let due = self.player.owes_move();
        let sits_until = self.player.search().and_then(|search| search.sits_until);
        self.stop(step);
        if news {
            self.game.set_hands(&told);
        }
        self.pondering.expected = None;
        self.excluded.clear();
        self.analyse(step);
        if due {
            self.think(step.now, step);
            if let Some(search) = self.player.search_mut().filter(|search| search.purpose == Purpose::Move) {
                search.sits_until = sits_until;
            }
        } else {
            self.report_dangers(step);
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

/// The time that a move takes, in percent of the usual, where one of our pair has so much time, and one of theirs so much.
fn pace_behind(ours: u64, theirs: u64) -> u32 {
    if ours >= theirs {
        return Pace::default().0;
    }
    let percent = u128::from(ours) * 100 / u128::from(theirs);
    (percent as u32).max(SHORT_OF_TIME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_messages_override_earlier_ones() {
        let (mut partner, now) = (Partner::default(), Instant::now());
        for text in ["--> sit", "need a queen", "no q", "trades ok", "hi", "fast"] {
            partner.tells(text, now);
        }
        let Wishes { sit, hurry, dead, needs, refuses, trades } = partner.wishes;
        assert!(sit && hurry && !dead && needs.is_empty());
        assert_eq!((trades, refuses.has(Role::Queen)), (Some(true), true));
        partner.tells("--> go", now);
        assert!(!partner.wishes.sit);
        partner.tells("x", now);
        assert_eq!(partner.wishes, Wishes::default());
    }

    #[test]
    fn a_wish_to_sit_is_fulfilled_once() {
        let (mut partner, now) = (Partner::default(), Instant::now());
        for text in ["sit", "+n"] {
            partner.tells(text, now);
        }
        assert!(partner.wishes.sit);
        partner.moved();
        partner.tells("hello", now);
        assert!(!partner.wishes.sit && partner.wishes.needs.has(Role::Knight));
        assert!(partner.has_asked_to_sit(), "the partner does not know that it is over");
        partner.tells("go", now);
        assert!(!partner.has_asked_to_sit());
    }

    #[test]
    fn bounds_the_memory_of_messages() {
        let (mut partner, now) = (Partner::default(), Instant::now());
        (0..1000).for_each(|_| {
            partner.tells(&"so long ".repeat(1000), now);
        });
        assert!(
            partner.said.len() == MAX_TEXTS && partner.said.iter().all(|text| text.len() <= MAX_TEXT_LEN)
        );
    }

    #[test]
    fn the_clocks_of_both_are_heard() {
        let (mut partner, now) = (Partner::default(), Instant::now());
        partner.tells("my clock 1:00, opponent 0:30", now);
        partner.tells("time 100", now);
        assert_eq!(partner.clocks.partner(now), Some(Duration::from_secs(1)));
        assert_eq!(partner.clocks.opponent(now), Some(Duration::from_secs(30)));
        assert!(partner.said.is_empty(), "clocks leave room for wishes");
    }

    #[test]
    fn who_is_behind_moves_faster_but_not_at_once() {
        for (ours, theirs, percent) in
            [(60, 60, 100), (60, 30, 100), (45, 60, 75), (1, 60, SHORT_OF_TIME), (0, 0, 100), (5, 0, 100)]
        {
            assert_eq!(pace_behind(ours, theirs), percent, "{ours} and {theirs}");
        }
        assert_eq!(pace_behind(u64::MAX / 2, u64::MAX), 49);
    }
}
