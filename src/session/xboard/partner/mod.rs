//! Bughouse: the partner and its requests, the pieces in hand, the clocks of both boards.
//!
//! * `sitting`: when the engine's move is held back, and for how long. `talk`: reports to the
//!   partner. `clocks`: the other board's.

mod clocks;
mod sitting;
mod talk;

use super::{Board, GameContext, Session, Step};
use crate::chess::{AnyPosition, Color, Drops, Role, Roles};
use crate::protocol::xboard::{Holding, PartnerNotice, PartnerTalk};
use crate::search::PartnerNeeds;
use crate::session::player::{Pace, Purpose, Search};
use crate::session::state::{Fields, StateError, text};
use clocks::OtherBoard;
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use talk::Reported;

/// The number of a partner's messages that are kept. Its requests follow from them alone.
const MAX_MESSAGES: usize = 32;
/// The time for a move in a hurry, in percent of the usual.
const HURRIED: u32 = 25;
/// The least time for a move, in percent of the usual, while the other pair could outlast this one.
const SHORT_OF_TIME: u32 = 33;

/// A partner, and its messages in this game.
#[derive(Clone, Default, Debug)]
pub struct Partner {
    /// The partner's name; `None` without a partner.
    pub name: Option<String>,
    /// The latest requests, oldest first.
    pub messages: VecDeque<PartnerTalk>,
    /// The sum of these messages.
    pub requests: PartnerRequests,
    /// Whether the partner has asked the engine to sit, the engine has moved since, and the partner
    /// has not yet said that this is over.
    sat_out: bool,
    /// The clocks of the other board.
    clocks: OtherBoard,
    /// The pieces in hand on the engine's board.
    pub holding: Holding,
    /// The reports to the partner.
    reported: Reported,
}

/// The requests of a partner.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PartnerRequests {
    /// Whether the engine shall not move.
    pub sit: bool,
    /// Whether the engine shall move quickly.
    pub hurry: bool,
    /// Whether the partner's game is lost.
    pub dead: bool,
    /// Pieces that the partner wants.
    pub needs: Roles,
    /// Pieces that the partner's opponent must not get.
    pub refuses: Roles,
    /// Whether the engine shall trade pieces; `None` if unknown.
    pub trades: Option<bool>,
}

impl PartnerRequests {
    /// Returns the sum of these messages, oldest first.
    fn of<'a>(messages: impl IntoIterator<Item = &'a PartnerTalk>) -> PartnerRequests {
        messages.into_iter().copied().fold(PartnerRequests::default(), PartnerRequests::after)
    }

    /// The requests about captures and losses.
    pub(super) fn needs(self) -> PartnerNeeds {
        PartnerNeeds { sought: self.needs, spared: self.refuses, trades: self.trades }
    }

    /// Returns the requests after one more message.
    fn after(self, talk: PartnerTalk) -> PartnerRequests {
        let PartnerRequests { needs, refuses, .. } = self;
        match talk {
            PartnerTalk::Sit => PartnerRequests { sit: true, ..self },
            PartnerTalk::Go => PartnerRequests { sit: false, ..self },
            PartnerTalk::Fast => PartnerRequests { hurry: true, ..self },
            PartnerTalk::Slow => PartnerRequests { hurry: false, ..self },
            PartnerTalk::Dead => PartnerRequests { dead: true, ..self },
            PartnerTalk::Normal => PartnerRequests::default(),
            PartnerTalk::Needs(these) => {
                PartnerRequests { needs: needs.union(these), refuses: refuses.without(these), ..self }
            }
            PartnerTalk::Refuses(these) => {
                PartnerRequests { needs: needs.without(these), refuses: refuses.union(these), ..self }
            }
            PartnerTalk::Indifferent(these) => {
                PartnerRequests { needs: needs.without(these), refuses: refuses.without(these), ..self }
            }
            PartnerTalk::Trades => PartnerRequests { trades: Some(true), ..self },
            PartnerTalk::NoTrades => PartnerRequests { trades: Some(false), ..self },
            PartnerTalk::Clocks { .. } | PartnerTalk::Help => self,
        }
    }
}

impl Partner {
    /// Takes a message from the partner. Returns what it asks for, if anything.
    fn receive(&mut self, text: &str, now: Instant) -> Option<PartnerTalk> {
        let talk = PartnerTalk::parse(text)?;
        if let PartnerTalk::Clocks { partner, opponent } = talk {
            self.clocks.update(partner, opponent, now);
            return Some(talk);
        }
        if let PartnerTalk::Go | PartnerTalk::Normal = talk {
            self.sat_out = false;
        }
        if self.messages.len() >= MAX_MESSAGES {
            self.messages.pop_front();
        }
        self.messages.push_back(talk);
        self.requests = PartnerRequests::of(&self.messages);
        Some(talk)
    }

    /// The pace of the engine's move, by the clocks of its board in milliseconds: a hurry if the
    /// partner requests that, or is dead, since then nothing is won by its clock; somewhat faster
    /// if the partner's opponent has more time than the engine, and so could wait longer, or the
    /// engine's opponent more than the partner: while the engine thinks its opponent's clock
    /// stands.
    fn pace(&self, own: Option<u64>, opponent: Option<u64>, now: Instant) -> Pace {
        if self.requests.hurry || self.requests.dead {
            return Pace(HURRIED);
        }
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let pairs =
            [(own, self.clocks.opponent(now).map(millis)), (self.clocks.partner(now).map(millis), opponent)];
        let clocks = pairs.into_iter().filter_map(|(own, opponents)| own.zip(opponents));
        clocks.map(|(own, opponents)| pace_behind(own, opponents)).min().map_or_else(Pace::default, Pace)
    }

    /// Returns true if the partner has asked the engine to sit, and has not yet said that this is
    /// over.
    fn has_asked_to_sit(&self) -> bool {
        self.requests.sit || self.sat_out
    }

    /// The same partner in a new game: its messages were about the last one.
    pub(super) fn in_new_game(self) -> Partner {
        Partner { name: self.name, ..Partner::default() }
    }

    /// Handles a move of the engine: a request to sit was for this move alone.
    pub(super) fn moved(&mut self) {
        if self.requests.sit {
            self.sat_out = true;
            self.messages.retain(|&talk| talk != PartnerTalk::Sit);
            self.requests = PartnerRequests::of(&self.messages);
        }
    }

    /// Writes or reads the state.
    pub(in crate::session::xboard) fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        fields.field("name", &mut self.name)?;
        // States of earlier versions may contain messages that request nothing.
        let mut said: Vec<String> = self.messages.iter().map(PartnerTalk::to_string).collect();
        if fields.is_reading() {
            said.clear();
        }
        fields.list("said", &mut said, MAX_MESSAGES)?;
        self.messages = said.iter().filter_map(|text| PartnerTalk::parse(text)).collect();
        self.requests = PartnerRequests::of(&self.messages);
        fields.field("sat-out", &mut self.sat_out)?;
        fields.section("clocks", |fields| self.clocks.state(fields))?;
        fields.field("holding", &mut self.holding)?;
        fields.section("told", |fields| self.reported.state(fields))
    }
}

text!(Holding, line, |holding| holding, Holding::parse);

impl GameContext {
    /// The partner, in a game of bughouse with one.
    pub(super) fn partner(&self, board: &Board) -> Option<&Partner> {
        let has_partner = board.position().variant().has_partner();
        self.partner.as_deref().filter(|partner| has_partner && partner.name.is_some())
    }

    /// The reports to the partner, if the engine plays with one.
    fn reported(&mut self, board: &Board) -> Option<&mut Reported> {
        let is_playing = board.mode.plays() && self.partner(board).is_some();
        self.partner.as_deref_mut().filter(|_| is_playing).map(|partner| &mut partner.reported)
    }
}

impl Session {
    /// `partner NAME`, `partner`. Zippy repeats it at times, also for the same partner.
    pub(super) fn set_partner(&mut self, name: Option<String>, step: &mut Step<'_>) {
        let partner = self.context.partner.get_or_insert_default();
        if partner.name != name {
            **partner = Partner { name, holding: partner.holding, ..Partner::default() };
            self.review_sitting(step);
        }
    }

    /// `ptell TEXT`
    pub(super) fn receive_ptell(&mut self, text: &str, step: &mut Step<'_>) {
        let partner = self.context.partner.get_or_insert_default();
        let was_asked_to_sit = partner.has_asked_to_sit();
        let talk = partner.receive(text, step.now);
        if self.context.partner(&self.board).is_none() {
            return;
        }
        let pace = self.player.limits.pace;
        self.set_pace(step.now);
        if self.player.limits.pace != pace {
            self.retime(step);
        }
        match talk {
            Some(PartnerTalk::Help) => {
                if let Some(reported) = self.context.reported(&self.board) {
                    reported.send([PartnerNotice::Help], step);
                }
            }
            // It ends an earlier request to sit, even if the engine has moved since; without one it
            // asks for the move now.
            Some(PartnerTalk::Go) => {
                let is_sitting = self.player.search().is_some_and(Search::is_sitting);
                let is_due = self.player.purpose() == Some(Purpose::Move) && !self.player.is_paused();
                if is_due && (is_sitting || !was_asked_to_sit) {
                    self.move_without_sitting(step);
                }
            }
            Some(_) => self.review_sitting(step),
            None => {}
        }
    }

    /// Sets the pace of the engine's move.
    pub(super) fn set_pace(&mut self, now: Instant) {
        let running = self.player.running(now);
        let own = self.player.limits.clocks.shown_after(running).and_then(|left| u64::try_from(left).ok());
        let opponent = self.context.opponent.clock.and_then(|left| u64::try_from(left).ok());
        let partner = self.context.partner(&self.board);
        self.player.limits.pace =
            partner.map_or_else(Pace::default, |partner| partner.pace(own, opponent, now));
    }

    /// `holding`: the pieces in hand. A search of the position with other hands begins anew, with
    /// all moves.
    pub(super) fn set_holding(&mut self, holding: Option<Holding>, step: &mut Step<'_>) {
        let Some(holding) = holding else { return };
        self.context.partner.get_or_insert_default().holding = holding;
        let Some(held) = self.board.position().hands() else { return };
        let hands =
            [holding.white, holding.black].map(|hand| Role::ALL.map(|role| hand.count(role.letter())));
        let is_new = hands != held && !precedes_its_move(self.board.position(), held, &holding, &hands);
        if !is_new && self.board.excluded.is_empty() {
            return;
        }
        self.undo_pondered(step);
        let is_due = self.player.owes_move();
        let sits_until = self.player.search().and_then(|search| search.sits_until);
        self.stop(step);
        if is_new {
            self.board.game.set_hands(&hands);
        }
        self.pondering.expected = None;
        self.board.excluded.clear();
        self.analyse(step);
        if is_due {
            self.think(self.player.limits.sent(step.now), step);
            if let Some(search) = self.player.search_mut().filter(|search| search.purpose == Purpose::Move) {
                search.sits_until = sits_until;
            }
            return;
        }
        if self.board.is_opponents_turn()
            && let Some(reported) = self.context.reported(&self.board)
        {
            reported.send_dangers(self.board.position(), step);
        }
        self.begin_pondering(step);
    }
}

/// Returns true if a chess server has announced the pieces in hand before the move that changes
/// them by a capture or a drop.
fn precedes_its_move(
    position: &AnyPosition,
    held: [[u8; 6]; 2],
    holding: &Holding,
    hands: &[[u8; 6]; 2],
) -> bool {
    let by_one = |color: Color, role: Role, more: bool| {
        let mut expected = held;
        let count = &mut expected[color.index()][role.index()];
        *count = if more { count.saturating_add(1) } else { count.wrapping_sub(1) };
        expected == *hands
    };
    let captured = holding.gained.and_then(|(color, letter)| Some((color, Role::from_letter(letter)?)));
    let captures = position.variant().rules().drops == Drops::Captured
        && captured.is_some_and(|(color, role)| by_one(color, role, true));
    captures
        || holding.gained.is_none() && Role::ALL.into_iter().any(|role| by_one(position.turn(), role, false))
}

/// The time for a move, in percent of the usual, by the clocks of one of the pair and of the
/// opponent who could wait for it.
fn pace_behind(own: u64, opponents: u64) -> u32 {
    if own >= opponents {
        return Pace::default().0;
    }
    let percent = u128::from(own) * 100 / u128::from(opponents);
    (percent as u32).max(SHORT_OF_TIME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_messages_override_earlier_ones() {
        let (mut partner, now) = (Partner::default(), Instant::now());
        for text in ["--> sit", "need a queen", "no q", "trades ok", "hi", "fast"] {
            partner.receive(text, now);
        }
        let PartnerRequests { sit, hurry, dead, needs, refuses, trades } = partner.requests;
        assert!(sit && hurry && !dead && needs.is_empty());
        assert_eq!((trades, refuses.has(Role::Queen)), (Some(true), true));
        partner.receive("--> go", now);
        assert!(!partner.requests.sit);
        partner.receive("x", now);
        assert_eq!(partner.requests, PartnerRequests::default());
    }

    #[test]
    fn a_request_to_sit_holds_for_one_move() {
        let (mut partner, now) = (Partner::default(), Instant::now());
        for text in ["sit", "+n"] {
            partner.receive(text, now);
        }
        assert!(partner.requests.sit);
        partner.moved();
        partner.receive("hello", now);
        assert!(!partner.requests.sit && partner.requests.needs.has(Role::Knight));
        assert!(partner.has_asked_to_sit(), "the partner does not know that it is over");
        partner.receive("go", now);
        assert!(!partner.has_asked_to_sit());
    }

    #[test]
    fn keeps_the_latest_messages_only() {
        let (mut partner, now) = (Partner::default(), Instant::now());
        partner.receive("fast", now);
        for _ in 0..1000 {
            partner.receive("sit", now);
            partner.receive("so long", now);
        }
        assert!(partner.messages.len() == MAX_MESSAGES && !partner.requests.hurry);
    }

    #[test]
    fn the_clocks_of_both_players_are_kept() {
        let (mut partner, now) = (Partner::default(), Instant::now());
        partner.receive("my clock 1:00, opponent 0:30", now);
        partner.receive("time 100", now);
        assert_eq!(partner.clocks.partner(now), Some(Duration::from_secs(1)));
        assert_eq!(partner.clocks.opponent(now), Some(Duration::from_secs(30)));
        assert!(partner.messages.is_empty(), "clocks leave room for requests");
    }

    #[test]
    fn a_pair_that_is_behind_moves_faster_but_not_at_once() {
        for (own, other, percent) in
            [(60, 60, 100), (60, 30, 100), (45, 60, 75), (1, 60, SHORT_OF_TIME), (0, 0, 100), (5, 0, 100)]
        {
            assert_eq!(pace_behind(own, other), percent, "{own} and {other}");
        }
        assert_eq!(pace_behind(u64::MAX / 2, u64::MAX), 49);
    }
}
