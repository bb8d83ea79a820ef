//! Dispatch of commands.

use super::options::announce;
use super::terminal::help;
use super::{Session, Step};
use crate::chess::Color;
use crate::protocol::xboard::{Command, ErrorReason, Level, Reply};
use crate::session::player::TimeControl;

/// The highest depth limit, in plies; a higher one is cut to it.
const MAX_DEPTH: u64 = 100;

impl Session {
    /// Handles a line from the client.
    pub(super) fn line(&mut self, line: &[u8], step: &mut Step<'_>) {
        if self.editor.is_some() {
            return self.edit_line(line, step);
        }
        match Command::parse(line) {
            Ok(command) => self.execute(command, step),
            Err(error) => {
                self.refuse(ErrorReason::Argument(error.problem.to_string()), error.line, step);
            }
        }
    }

    /// Executes a command. Commands that GUIs send unasked never get an error.
    pub(super) fn execute(&mut self, command: Command, step: &mut Step<'_>) {
        let is_depth = command == Command::Depth;
        let depth_follows = std::mem::replace(&mut self.gui.dialogue.depth_follows, is_depth);
        match command {
            Command::Xboard => self.gui.announce_program(),
            Command::Fritz => self.gui.announce_fritz(),
            Command::Protover(version) => {
                self.gui.announce_program();
                self.gui.protocol = version;
                if version >= 2 {
                    announce(&self.player.engine, step);
                }
            }
            Command::Accepted(feature) => self.gui.answer_feature(&feature, true),
            Command::Rejected(feature) => self.gui.answer_feature(&feature, false),
            Command::Quit => self.close(step),

            Command::New => self.new_game(step),
            Command::Variant(name) => self.set_variant(&name, step),
            Command::Setboard(fen) => self.set_board(&fen, step),
            Command::Edit => self.begin_edit(step),
            Command::Holding(holding) => self.set_holding(holding, step),
            Command::Undo => self.take_back(1, &command, step),
            Command::Remove => self.take_back(2, &command, step),
            Command::White => self.put_on_move(Color::White, step),
            Command::Black => self.put_on_move(Color::Black, step),

            Command::Usermove(text) | Command::Move(text) => self.client_move(&text, step),
            Command::Force => self.force(step),
            Command::Go => self.go(step),
            Command::Playother => self.play_other(step),
            Command::MoveNow => self.move_now(step),
            Command::Draw => {
                let (search, options) = (self.player.search(), &self.player.engine.options);
                if self.offers.receive(&self.board, &self.context, search, options) {
                    step.reply(Reply::OfferDraw);
                }
            }
            Command::Result(result, comment) => self.receive_result(result, comment, step),
            Command::Pause => self.pause(step),
            Command::Resume => self.resume(step),
            Command::Hard => {
                self.pondering.wanted = true;
                self.begin_pondering(step);
            }
            Command::Easy => {
                self.pondering.wanted = false;
                self.player.stop_pondering(step);
            }
            Command::Ponder(text) => self.ponder_on(&text, step),
            Command::Analyze => self.begin_analysis(step),
            Command::Exit => self.exit_analysis(step),
            Command::Exclude(moves) => self.exclude(true, &moves, step),
            Command::Include(moves) => self.exclude(false, &moves, step),
            Command::Setscore(score, depth) => self.set_score(score, depth, step),

            Command::Level(Level { moves, base, increment }) => {
                let control = TimeControl { moves, base, increment };
                self.player.limits.clocks.set_control(control, self.board.plies());
                self.retime(step);
            }
            Command::St(time) => {
                self.player.limits.clocks.set_per_move(time);
                self.retime(step);
            }
            Command::Time(centiseconds) => {
                self.player.clock_shows(centiseconds.saturating_mul(10), step.now);
                self.retime(step);
            }
            Command::Otim(centiseconds) => {
                self.context.opponent.clock = Some(centiseconds.saturating_mul(10))
            }
            Command::Nps(rate) => {
                self.player.limits.nps = (rate >= 0).then(|| u32::try_from(rate).unwrap_or(u32::MAX));
            }
            Command::Sd(depth) => self.limit_depth(depth.into(), step),
            Command::Number(depth) if depth_follows => self.limit_depth(depth, step),
            Command::Memory(mebibytes) => self.player.memory = Some(mebibytes as usize),
            Command::Cores(cores) => self.player.cores = u8::try_from(cores).unwrap_or(u8::MAX).max(1),
            Command::Option(name, value) => self.set_option(&name, value.as_deref(), step),
            Command::Strength(text) => self.set_strength(&text, step),
            Command::Random => self.context.random = !self.context.random,
            Command::Reset => self.player.clear_table(),
            Command::Post => self.gui.set_thinking_output(true),
            Command::Nopost => self.gui.set_thinking_output(false),

            Command::Ping(number) => self.ping(number, step),
            Command::Status => self.status(step),
            Command::Hint => self.hint(step),
            Command::Bk => self.show_book(step),
            // Programs understand errors, but not these answers.
            Command::Board(_) | Command::Help if self.gui.is_program() => {
                self.refuse(ErrorReason::UnknownCommand, command.to_string(), step);
            }
            Command::Board(shown) => {
                self.gui.dialogue.board_shown = shown;
                self.show_board(step);
            }
            Command::Help => help(step),

            Command::Name(name) => self.context.opponent.name = name,
            Command::Computer => self.context.opponent.is_computer = true,
            Command::Rating(rating) => self.context.opponent.rating = Some(rating),
            Command::Ics(host) => self.context.ics = (host != "-").then_some(host),
            Command::Partner(name) => self.set_partner(name, step),
            Command::Ptell(text) => self.receive_ptell(&text, step),

            Command::Number(_) | Command::Unknown(_) => {
                self.refuse(ErrorReason::UnknownCommand, command.to_string(), step);
            }
            // `depth` waits for its number; the others are about features that the engine does not
            // have.
            Command::Empty
            | Command::Depth
            | Command::Egtpath(..)
            | Command::Lift(_)
            | Command::Put(_)
            | Command::Hover(_) => {}
        }
    }

    /// `sd`: sets the depth limit in plies; 0 for no limit.
    fn limit_depth(&mut self, depth: u64, step: &mut Step<'_>) {
        self.player.limits.depth = (depth > 0).then(|| depth.min(MAX_DEPTH) as u8);
        self.retime(step);
    }
}
