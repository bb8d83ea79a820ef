//! Games with pieces in hand as Zippy reports them: `holding` before a move that captures and after
//! every move, in bughouse whenever the partner has captured. Servers are killed between any two
//! lines.

use crate::farm::Farm;
use crate::gui::{Control, Gui, Mode};
use crate::metronome;
use crate::seeds::{self, Run};
use crate::servers::Shim;
use crate::support::dice::Dice;
use farboard::chess::{Color, Game, Move, MoveKind, Role, Variant};
use std::time::Duration;

/// Concurrent games, which mostly wait.
const AT_ONCE: usize = 6;
/// Moves of the user in a game.
const MOVES: usize = 20;
/// The pieces a partner sends.
const SENT: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// White mates next to the king if it has a queen in hand.
const BARE: &str = "7k/8/6K1/8/8/8/8/8[] w - - 0 1";

/// One board of a chess server, with the engine's servers.
struct Board {
    gui: Gui,
    dice: Dice,
    farm: Farm,
    deadly: bool,
    down: bool,
    /// Whether a server has answered since the last kill.
    settled: bool,
    kills: usize,
    drops: usize,
}

impl Board {
    fn begin(&mut self, variant: Variant) {
        self.gui.introduce();
        self.gui.until_introduced();
        if variant.has_partner() {
            self.gui.partner = true;
            self.gui.say("partner Pollux");
        }
        // Weaker play makes games longer.
        self.gui.say("option SkillLevel=0");
        self.gui.say("new");
        self.gui.say("ics chess.example");
        let (post, hard) = (self.dice.once_in(2), self.dice.once_in(3));
        self.gui.set_post(post);
        self.gui.set_hard(hard);
        self.gui.say(format!("variant {}", variant.name()));
        self.gui.set_up(Game::new(variant));
        self.gui.mode = Mode::Play(Color::Black);
        let control = *self.dice.pick(&[Control::Depth(3), Control::PerMove(Duration::from_millis(30))]);
        self.gui.set_control(control);
        if self.dice.once_in(2) {
            self.gui.go();
            self.until_moved();
        }
    }

    /// Plays a move of the user and the engine's answer.
    fn exchange(&mut self) {
        self.until_movable();
        self.perhaps_kill();
        let mv = self.choose();
        let mut after = self.gui.game.clone();
        after.play(mv);
        self.drops += usize::from(matches!(mv.kind(), MoveKind::Drop(_)));
        if let Some(gained) = gained(&self.gui.game, &after) {
            self.send_holding(&after, Some(gained));
            self.perhaps_kill();
        }
        self.gui.user_move(mv);
        self.perhaps_kill();
        self.send_holding(&after, None);
        self.perhaps_kill();
        if self.dice.once_in(3) {
            self.send(Color::White);
        }
        self.perhaps_kill();
        self.until_moved();
    }

    /// Waits for the engine's move and sends the hands, as a chess server does.
    fn until_moved(&mut self) {
        self.recover();
        let before = self.gui.game.clone();
        // In bughouse the engine must wait where only a new piece helps.
        while self.gui.due.is_some() && !self.gui.is_over() && !self.can_move() {
            self.send(self.gui.game.position().turn());
        }
        self.gui.until_moved();
        let after = self.gui.game.clone();
        if let Some(gained) = gained(&before, &after).filter(|_| !after.position().variant().has_partner()) {
            self.send_holding(&after, Some(gained));
        }
        self.perhaps_kill();
        self.send_holding(&after, None);
        if self.dice.once_in(3) {
            self.send(Color::Black);
        }
    }

    /// Adds the only mating piece to the hand: an engine that has lost it misses the mate.
    fn mate(&mut self) {
        self.recover();
        self.gui.settle();
        self.gui.force();
        self.gui.say("option SkillLevel=20");
        let variant = self.gui.game.position().variant();
        let mut game = Game::from_fen(variant, BARE).expect("a position");
        self.gui.say(format!("setboard {BARE}"));
        game.set_hands(&[[0, 0, 0, 0, 1, 0], [0; 6]]);
        self.gui.set_up(game.clone());
        // In crazyhouse, a new piece in hand belongs to a move still to come.
        self.send_holding(&game, variant.has_partner().then_some((Color::White, Role::Queen)));
        if self.deadly {
            self.gui.settle();
            self.kill();
        }
        self.gui.go();
        self.recover();
        self.gui.until_moved();
        if !self.gui.is_over() {
            self.gui.fail("the queen in hand does not mate");
        }
    }

    fn can_move(&self) -> bool {
        !self.gui.game.position().legal_moves().is_empty()
    }

    fn until_movable(&mut self) {
        while !self.can_move() {
            self.send(self.gui.game.position().turn());
        }
    }

    /// Chooses a move, half of the time a drop if possible, which reveals lost pieces.
    fn choose(&mut self) -> Move {
        let moves = self.gui.game.position().legal_moves();
        let drops: Vec<Move> =
            moves.iter().copied().filter(|mv| matches!(mv.kind(), MoveKind::Drop(_))).collect();
        if !drops.is_empty() && self.dice.once_in(2) {
            *self.dice.pick(&drops)
        } else {
            *self.dice.pick(&moves)
        }
    }

    /// Adds a piece that this side's partner has captured.
    fn send(&mut self, side: Color) {
        if !self.gui.game.position().variant().has_partner() || self.gui.is_over() {
            return;
        }
        let role = *self.dice.pick(&SENT);
        let mut hands = self.gui.game.position().hands().expect("a variant with hands");
        hands[side.index()][role.index()] += 1;
        self.gui.game.set_hands(&hands);
        let game = self.gui.game.clone();
        self.send_holding(&game, Some((side, role)));
    }

    fn send_holding(&mut self, game: &Game, gained: Option<(Color, Role)>) {
        let hands = game.position().hands().expect("a variant with hands");
        let [white, black] = hands.map(|hand| {
            let men = Role::ALL.into_iter().zip(hand);
            men.map(|(role, count)| letter(role).repeat(count.into())).collect::<String>()
        });
        let gained = gained.map_or_else(String::new, |(side, role)| {
            format!("{}{}", if side == Color::White { 'W' } else { 'B' }, letter(role))
        });
        self.gui.say(format!("holding [{white}] [{black}] {gained}"));
    }

    /// Kills the server at random, but only after it has answered: the shim blames a line after
    /// which two servers die.
    fn perhaps_kill(&mut self) {
        let possible = self.deadly && !self.down && (self.settled || self.gui.due.is_none());
        if possible && self.dice.once_in(12) {
            if !std::mem::replace(&mut self.settled, true) {
                self.gui.settle();
            }
            if self.dice.once_in(2) {
                self.gui.listen(self.dice.delay(20));
            }
            self.kill();
        }
    }

    fn kill(&mut self) {
        self.farm.kill();
        self.gui.note("(killed)");
        self.down = true;
        self.kills += 1;
    }

    fn recover(&mut self) {
        if std::mem::take(&mut self.down) {
            self.farm.recover(&mut self.dice);
            self.settled = false;
            self.gui.note("(recovered)");
        }
    }
}

fn letter(role: Role) -> String {
    role.letter().to_string()
}

/// The piece that one side has in hand after a move and did not have before.
fn gained(before: &Game, after: &Game) -> Option<(Color, Role)> {
    let (before, after) = (before.position().hands()?, after.position().hands()?);
    [Color::White, Color::Black].into_iter().find_map(|side| {
        let more = |role: &Role| after[side.index()][role.index()] > before[side.index()][role.index()];
        Role::ALL.into_iter().find(more).map(|role| (side, role))
    })
}

/// Plays a game; returns the number of servers killed and pieces dropped.
fn play(run: Run, deadly: bool) -> (usize, usize) {
    let variant = ["crazyhouse", "bughouse"][run.seed as usize % 2];
    let variant = Variant::from_name(variant).expect("a variant");
    let mut dice = Dice::new(run.seed, 12);
    let farm = Farm::start(deadly && dice.once_in(3));
    let (mut shim, wire) = Shim::start(&farm.arguments());
    let gui = Gui::new(wire, run);
    let mut board = Board { gui, dice, farm, deadly, down: false, settled: true, kills: 0, drops: 0 };
    board.begin(variant);
    for _ in 0..MOVES {
        if board.gui.is_over() {
            break;
        }
        board.exchange();
    }
    board.mate();
    board.gui.settle();
    board.gui.quit();
    assert_eq!(shim.exit_code(), Some(0), "seed {}: the shim's exit", run.seed);
    (board.kills, board.drops)
}

#[test]
fn servers_killed_while_pieces_are_in_hand() {
    let _turn = metronome::turn();
    let played = seeds::run(40, AT_ONCE, |run| play(run, true));
    let [kills, drops] = [|game: &(usize, usize)| game.0, |game: &(usize, usize)| game.1]
        .map(|count| played.iter().map(count).sum::<usize>());
    println!("servers killed {kills} times in {} games with {drops} drops", played.len());
    if seeds::all_are_run() {
        assert!(kills > 40 && drops > 40, "{kills} kills, {drops} drops");
    }
}

/// The same games without kills: a failure here is not the outage's fault.
#[test]
fn pieces_in_hand_without_kills() {
    let _turn = metronome::turn();
    seeds::run(10, AT_ONCE, |run| play(run, false));
}
