//! Dispatch of commands.

use super::{Mode, Session, Step};
use crate::chess::Color;
use crate::protocol::xboard::{Command, ErrorReason, Level};
use crate::session::player::TimeControl;

/// The highest depth limit, in plies; a higher one is cut to it.
const MAX_DEPTH: u64 = 100;

impl Session {
    /// A line of the client.
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
        let depth_follows = std::mem::replace(&mut self.client.depth_follows, command == Command::Depth);
        match command {
            Command::Number(depth) if depth_follows => return self.limit_depth(depth, step),
            Command::Help => return self.help(step),
            Command::Board(shown) => return self.set_board_shown(shown, step),
            Command::Xboard | Command::Protover(_) | Command::Fritz => self.client.program = true,
            Command::Unknown(_) | Command::Number(_) => {
                return self.refuse(ErrorReason::UnknownCommand, command.to_string(), step);
            }
            _ => {}
        }
        if !self.play_command(&command, step) && !self.setting(&command, step) {
            self.remember(command);
        }
    }

    /// Commands that change the board, the mode or the search.
    fn play_command(&mut self, command: &Command, step: &mut Step<'_>) -> bool {
        match command {
            Command::New => {
                self.new_game(step);
                self.show_banner(step);
            }
            Command::Variant(name) => self.set_variant(name, step),
            Command::Holding(holding) => self.set_holding(*holding, step),
            Command::Setboard(fen) => self.set_board(fen, step),
            Command::Edit => self.begin_edit(step),
            Command::Undo => self.take_back(1, command, step),
            Command::Remove => self.take_back(2, command, step),
            Command::Force => self.force(step),
            Command::Go => self.go(step),
            Command::Playother => self.play_other(step),
            Command::White => self.put_on_move(Color::White, step),
            Command::Black => self.put_on_move(Color::Black, step),
            Command::Usermove(text) | Command::Move(text) => self.client_move(text, step),
            Command::MoveNow => self.move_now(step),
            Command::Draw => self.draw_offer(step),
            Command::Result(result, comment) => self.receive_result(*result, comment.clone(), step),
            Command::Analyze => self.begin_analysis(step),
            Command::Exit if self.mode == Mode::Analyze => {
                self.show_last_of_analysis(step);
                self.force(step);
            }
            Command::Status => self.status(step),
            Command::Hint => self.hint(step),
            Command::Bk => self.show_book(step),
            Command::Exclude(_) | Command::Include(_) => self.exclude(command, step),
            Command::Setscore(score, depth) => self.set_score(*score, *depth, step),
            Command::Ponder(text) => self.ponder_on(text, step),
            Command::Pause => self.pause(step),
            Command::Resume => self.resume(step),
            Command::Quit => self.close(step),
            _ => return false,
        }
        true
    }

    /// Commands that change how we play. A search for our move goes on, within its new limits.
    fn setting(&mut self, command: &Command, step: &mut Step<'_>) -> bool {
        match command {
            Command::Ping(number) => self.ping(*number, step),
            Command::Protover(version) => {
                self.client.protocol = *version;
                if *version >= 2 {
                    self.announce(step);
                }
            }
            Command::Level(level) => {
                let Level { moves, base, increment } = *level;
                let control = TimeControl { moves, base, increment };
                self.player.limits.clocks.set_control(control, self.game.moves().len());
                self.retime(step);
            }
            Command::St(time) => {
                self.player.limits.clocks.set_per_move(*time);
                self.retime(step);
            }
            Command::Sd(depth) => self.limit_depth(u64::from(*depth), step),
            Command::Nps(rate) => {
                self.player.limits.nps = (*rate >= 0).then(|| u32::try_from(*rate).unwrap_or(u32::MAX))
            }
            Command::Cores(cores) => self.player.cores = u8::try_from(*cores).unwrap_or(u8::MAX).max(1),
            Command::Time(centiseconds) => {
                self.player.clock_shows(centiseconds.saturating_mul(10), step.now);
                self.retime(step);
            }
            Command::Memory(mebibytes) => self.player.memory = Some(*mebibytes as usize),
            Command::Post => (self.client.post, self.client.nopost) = (true, false),
            Command::Nopost => (self.client.post, self.client.nopost) = (false, true),
            Command::Hard => {
                self.pondering.wanted = true;
                self.begin_pondering(step);
            }
            Command::Easy => {
                self.pondering.wanted = false;
                self.player.stop_pondering(step);
            }
            Command::Option(name, value) => self.set_option(name, value.as_deref(), step),
            Command::Strength(text) => self.set_strength(text, step),
            Command::Reset => self.player.clear_table(),
            Command::Otim(centiseconds) => self.client.opponent_clock = Some(centiseconds.saturating_mul(10)),
            Command::Partner(name) => self.set_partner(name.clone(), step),
            Command::Ptell(text) => self.partner_tells(text, step),
            _ => return false,
        }
        true
    }

    /// Commands that only inform us.
    fn remember(&mut self, command: Command) {
        let client = &mut self.client;
        match command {
            Command::Accepted(feature) if feature == "debug" => {
                (client.debug, client.old_text) = (true, false)
            }
            Command::Rejected(feature) if feature == "debug" => {
                (client.debug, client.old_text) = (false, true)
            }
            Command::Fritz if client.first => client.fritz = true,
            Command::Name(name) => client.opponent = name,
            Command::Computer => client.computer = true,
            Command::Rating(rating) => client.rating = Some(rating),
            Command::Ics(host) => client.ics = (host != "-").then_some(host),
            Command::Random => client.random = !client.random,
            // The rest is about features that we do not have, such as endgame tables.
            _ => {}
        }
    }

    /// `sd`: a depth limit in plies; 0 for no limit.
    fn limit_depth(&mut self, depth: u64, step: &mut Step<'_>) {
        self.player.limits.depth = (depth > 0).then(|| depth.min(MAX_DEPTH) as u8);
        self.retime(step);
    }
}
