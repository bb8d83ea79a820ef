//! `farboard top`: a live view of a server on this machine.

mod ending;
mod screen;

use crate::control_socket::ControlSocket;
use clap::Args;
use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::terminal;
use ending::Ending;
use farboard::monitor::view::{self, ViewOptions};
use farboard::monitor::{Watch, ask};
use screen::Screen;
use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// Arguments of `farboard top`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    server: ControlSocket,
    /// Seconds between two snapshots
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = interval)]
    interval: f64,
    /// Number of snapshots [default: endless on a terminal, otherwise 1]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    times: Option<u64>,
    /// Print a JSON object per line for each snapshot
    #[arg(long)]
    json: bool,
}

fn interval(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.1..=3600.0).contains(&seconds) { Ok(seconds) } else { Err("0.1 to 3600 seconds".to_owned()) }
}

/// Maximum delay of a signal by the loop, and of a key by a signal.
const STEP: Duration = Duration::from_millis(200);

/// Shows the server until the user quits.
pub fn show(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let control = arguments.server.path()?;
    let on_screen = !arguments.json && arguments.times.is_none() && io::stdout().is_terminal();
    if !on_screen {
        return print(arguments, &control);
    }
    let ending = Ending::watch()?;
    let outcome = live(arguments, &control, &ending);
    // Errors on a terminal that has gone are expected, and cannot be shown.
    if ending.is_near() { Ok(()) } else { outcome }
}

/// Prints snapshots, without a terminal.
fn print(arguments: &Arguments, control: &Path) -> Result<(), Box<dyn Error>> {
    let mut watch = Watch::default();
    for index in 0..arguments.times.unwrap_or(1) {
        if index > 0 {
            std::thread::sleep(Duration::from_secs_f64(arguments.interval));
        }
        let snapshot = ask::snapshot(control)?;
        let text = if arguments.json {
            serde_json::to_string(&snapshot)? + "\n"
        } else {
            view::whole(&watch.see(snapshot, Instant::now()), ViewOptions::default())
        };
        if io::stdout().write_all(text.as_bytes()).is_err() {
            // Standard output is closed: further snapshots have no reader.
            break;
        }
    }
    Ok(())
}

fn live(arguments: &Arguments, control: &Path, ending: &Ending) -> Result<(), Box<dyn Error>> {
    // Reports a wrong path before the screen changes.
    let mut snapshot = Some(ask::snapshot(control)?);
    let interval = Duration::from_secs_f64(arguments.interval);
    let (screen, mut watch, mut options) = (Screen::enter()?, Watch::default(), ViewOptions::default());
    while !ending.is_near() {
        let now = Instant::now();
        let answer = snapshot.take().map_or_else(|| ask::snapshot(control), Ok);
        let seen = answer.map(|snapshot| watch.see(snapshot, now));
        screen.draw(&seen, options)?;
        while !ending.is_near() && now.elapsed() < interval {
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
                        &mut options,
                        seen.as_ref().map_or(0, |seen| seen.sessions.len()),
                    )? {
                        return Ok(());
                    }
                }
                _ => {}
            }
            screen.draw(&seen, options)?;
        }
    }
    Ok(())
}

/// Handles a key. Returns false for the last one.
fn press(key: KeyCode, control: bool, options: &mut ViewOptions, sessions: usize) -> io::Result<bool> {
    let page = view::page(usize::from(terminal::size()?.1).saturating_sub(1));
    let last = sessions.saturating_sub(1);
    let above = options.above.min(last);
    match key {
        KeyCode::Char('q') | KeyCode::Esc => return Ok(false),
        KeyCode::Char('c' | 'd') if control => return Ok(false),
        KeyCode::Char('?') => options.keys = !options.keys,
        KeyCode::Char('s') => options.by = options.by.next(),
        KeyCode::Char('b') => (options.busy, options.above) = (!options.busy, 0),
        KeyCode::Up => options.above = above.saturating_sub(1),
        KeyCode::Down => options.above = (above + 1).min(last),
        KeyCode::PageUp => options.above = above.saturating_sub(page),
        KeyCode::PageDown | KeyCode::Char(' ') => options.above = (above + page).min(last),
        KeyCode::Home => options.above = 0,
        KeyCode::End => options.above = last,
        _ => {}
    }
    Ok(true)
}
