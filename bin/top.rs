//! `farboard top`: a live view of a server on this machine.

use clap::Args;
use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, execute, queue, style};
use farboard::monitor::view::{self, Choice};
use farboard::monitor::{AskError, Seen, Watch, ask};
use signal_hook::consts::{SIGHUP, SIGTERM};
use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What `farboard top` is given.
#[derive(Args)]
pub struct Arguments {
    /// The server's control socket, as it was given to the server
    #[arg(long, value_name = "PATH")]
    control: PathBuf,
    /// Seconds from one look to the next
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = interval)]
    interval: f64,
    /// So many looks, then end [default: endless on a terminal, otherwise 1]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    times: Option<u64>,
    /// A JSON object for each look, on a line of its own
    #[arg(long)]
    json: bool,
}

fn interval(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.1..=3600.0).contains(&seconds) { Ok(seconds) } else { Err("0.1 to 3600 seconds".to_owned()) }
}

/// How long a signal may wait for us, and a key for a signal.
const STEP: Duration = Duration::from_millis(200);

/// Shows the server until the user has seen enough.
pub fn show(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let on_screen = !arguments.json && arguments.times.is_none() && io::stdout().is_terminal();
    if on_screen { live(arguments) } else { print(arguments) }
}

/// Prints it so many times.
fn print(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let mut watch = Watch::default();
    for look in 0..arguments.times.unwrap_or(1) {
        if look > 0 {
            std::thread::sleep(Duration::from_secs_f64(arguments.interval));
        }
        let snapshot = ask::snapshot(&arguments.control)?;
        let text = if arguments.json {
            serde_json::to_string(&snapshot)? + "\n"
        } else {
            view::whole(&watch.see(snapshot, Instant::now()), Choice::default())
        };
        if io::stdout().write_all(text.as_bytes()).is_err() {
            // Whoever has closed our output does not want to read it.
            break;
        }
    }
    Ok(())
}

/// The terminal as it was is back when this goes.
struct Screen;

impl Screen {
    fn enter() -> io::Result<Screen> {
        terminal::enable_raw_mode()?;
        let screen = Screen;
        execute!(io::stdout(), EnterAlternateScreen, cursor::Hide)?;
        Ok(screen)
    }

    fn draw(&self, seen: &Result<Seen, AskError>, choice: Choice) -> io::Result<()> {
        let (columns, lines) = terminal::size()?;
        let (width, height) = (usize::from(columns), usize::from(lines).saturating_sub(1));
        let text = match seen {
            Ok(seen) => view::screen(seen, choice, width, height),
            Err(error) => {
                view::fitted(view::wrapped(&format!("{error}. It is asked again."), width), width, height)
            }
        };
        let mut out = io::stdout().lock();
        for (row, line) in
            (0..lines.saturating_sub(1)).zip(text.iter().map(String::as_str).chain(std::iter::repeat("")))
        {
            queue!(out, cursor::MoveTo(0, row), style::Print(line), Clear(ClearType::UntilNewLine))?;
        }
        queue!(out, cursor::MoveTo(0, lines.saturating_sub(1)))?;
        for line in view::fitted(vec![view::FOOT.to_owned()], width, 1) {
            queue!(out, style::Print(line), Clear(ClearType::UntilNewLine))?;
        }
        out.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = execute!(io::stdout(), cursor::Show, LeaveAlternateScreen);
        let _ = terminal::disable_raw_mode();
    }
}

fn live(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let ended = Arc::new(AtomicBool::new(false));
    for signal in [SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&ended))?;
    }
    // A wrong path is told before the screen changes.
    let mut snapshot = Some(ask::snapshot(&arguments.control)?);
    let interval = Duration::from_secs_f64(arguments.interval);
    let (screen, mut watch, mut choice) = (Screen::enter()?, Watch::default(), Choice::default());
    while !ended.load(Ordering::Relaxed) {
        let now = Instant::now();
        let answer = snapshot.take().map_or_else(|| ask::snapshot(&arguments.control), Ok);
        let seen = answer.map(|snapshot| watch.see(snapshot, now));
        screen.draw(&seen, choice)?;
        while !ended.load(Ordering::Relaxed) && now.elapsed() < interval {
            if !event::poll(STEP.min(interval.saturating_sub(now.elapsed())))? {
                continue;
            }
            match event::read()? {
                Event::Key(key) if key.kind == KeyEventKind::Release => continue,
                Event::Key(key) => {
                    let control = key.modifiers.contains(KeyModifiers::CONTROL);
                    if !press(
                        key.code,
                        control,
                        &mut choice,
                        seen.as_ref().map_or(0, |seen| seen.sessions.len()),
                    )? {
                        return Ok(());
                    }
                }
                _ => {}
            }
            screen.draw(&seen, choice)?;
        }
    }
    Ok(())
}

/// A key. False if it is the last.
fn press(key: KeyCode, control: bool, choice: &mut Choice, sessions: usize) -> io::Result<bool> {
    let page = view::page(usize::from(terminal::size()?.1).saturating_sub(1));
    let last = sessions.saturating_sub(1);
    let above = choice.above.min(last);
    match key {
        KeyCode::Char('q') | KeyCode::Esc => return Ok(false),
        KeyCode::Char('c' | 'd') if control => return Ok(false),
        KeyCode::Char('?') => choice.keys = !choice.keys,
        KeyCode::Char('s') => choice.by = choice.by.next(),
        KeyCode::Char('b') => (choice.busy, choice.above) = (!choice.busy, 0),
        KeyCode::Up => choice.above = above.saturating_sub(1),
        KeyCode::Down => choice.above = (above + 1).min(last),
        KeyCode::PageUp => choice.above = above.saturating_sub(page),
        KeyCode::PageDown | KeyCode::Char(' ') => choice.above = (above + page).min(last),
        KeyCode::Home => choice.above = 0,
        KeyCode::End => choice.above = last,
        _ => {}
    }
    Ok(true)
}
