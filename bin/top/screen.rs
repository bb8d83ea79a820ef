//! The screen of `farboard top`.

use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, execute, queue, style};
use farboard::monitor::view::{self, ViewOptions};
use farboard::monitor::{AskError, Seen};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether there is anything to restore.
static IS_ENTERED: AtomicBool = AtomicBool::new(false);

/// The terminal while it shows a server. Restored when dropped.
pub struct Screen;

impl Screen {
    /// Switches the terminal to raw mode and to its other screen.
    pub fn enter() -> io::Result<Screen> {
        IS_ENTERED.store(true, Ordering::Relaxed);
        terminal::enable_raw_mode()?;
        let screen = Screen;
        execute!(io::stdout(), EnterAlternateScreen, cursor::Hide)?;
        Ok(screen)
    }

    /// Draws the whole screen.
    pub fn draw(&self, seen: &Result<Seen, AskError>, options: ViewOptions) -> io::Result<()> {
        let (columns, lines) = terminal::size()?;
        let (width, height) = (usize::from(columns), usize::from(lines).saturating_sub(1));
        let text = match seen {
            Ok(seen) => view::screen(seen, options, width, height),
            Err(error) => view::fitted(view::wrapped(&format!("{error}. Retrying."), width), width, height),
        };
        let mut out = io::stdout().lock();
        for (row, line) in
            (0..lines.saturating_sub(1)).zip(text.iter().map(String::as_str).chain(std::iter::repeat("")))
        {
            queue!(out, cursor::MoveTo(0, row), style::Print(line), Clear(ClearType::UntilNewLine))?;
        }
        queue!(out, cursor::MoveTo(0, lines.saturating_sub(1)))?;
        for line in view::fitted(vec![view::FOOTER.to_owned()], width, 1) {
            queue!(out, style::Print(line), Clear(ClearType::UntilNewLine))?;
        }
        out.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Leaves the terminal as it was. Fails silently: the terminal may have gone.
pub fn restore() {
    if !IS_ENTERED.load(Ordering::Relaxed) {
        return;
    }
    let _ = execute!(io::stdout(), cursor::Show, LeaveAlternateScreen);
    let _ = terminal::disable_raw_mode();
}
