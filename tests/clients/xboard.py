"""The real xboard, unattended."""

import subprocess

from paths import PATH
from process import running

# xboard's settings after the use of other engines, which it adds to its menu "Engine": no test may rely on a
# fresh machine.
SETTINGS = """-recentEngines 6
-recentEngineList {fairymax
stockfish
gnuchess
crafty
}
"""


def unattended(out):
    """Options for an unattended xboard that keeps its log in `out`. At level 1 the debug output leaves engine lines
    unchanged.
    """
    settings = out / "settings"
    settings.write_text(SETTINGS)
    return [
        "-settingsFile", settings,
        "-saveSettingsOnExit", "false",
        "-soundProgram", "",
        "-startupMessage", "",
        "-popupExitMessage", "false",
        "-popupMoveErrors", "false",
        "-autoSaveGames", "false",
        "-timeDelay", "0.1",
        "-debug",
        "-debugfile", out / "xboard.debug",
        "-engineDebugOutput", "1",
    ]  # fmt: skip


def end_of(out, lines=12):
    """The last events in an xboard's log, in one line."""
    log = (out / "xboard.debug").read_text(errors="replace").splitlines()
    return " | ".join(line[:100] for line in log[-lines:])


def environment(out, display):
    """A home of its own, so that no user's settings matter."""
    return {"PATH": PATH, "HOME": str(out), "DISPLAY": display, "LC_ALL": "C.UTF-8"}


def manners(engine):
    """Options for an opponent: Debian's fairymax 5.0b crashes in half of its starts when it receives `computer` (an
    index below its hash table).
    """
    return ["-secondComputerString", ""] if engine == "fairymax" else []


def play_match(out, display, first, second, *, games, clock, options=(), limit):
    """Plays games between two engine commands; returns xboard's summary line.

    `clock` is (time, increment) as xboard takes them. The games are in game.pgn, the conversation with
    both engines in xboard.debug.
    """
    time, increment = clock
    command = [
        "xboard", *unattended(out), "-xponder",
        # A piece's animation would take 70 ms of the engine's time, more than the increment.
        "-animateMoving", "false",
        "-fcp", first, "-scp", second,
        "-tc", time, "-inc", increment, "-mg", str(games),
        "-sgf", out / "game.pgn", *manners(second), *options,
    ]  # fmt: skip
    with open(out / "xboard.log", "w") as log:
        with running(command, cwd=out, env=environment(out, display), stdout=log, stderr=log) as child:
            try:
                code = child.wait(limit)
            except subprocess.TimeoutExpired:
                raise AssertionError(f"xboard has not finished in {limit} s, see {out}: {end_of(out)}") from None
    assert code == 0, f"xboard's exit code is {code}, see {out / 'xboard.log'}"
    summaries = [line for line in (out / "xboard.log").read_text().splitlines() if "final score" in line]
    assert len(summaries) == 1, f"expected one summary of the match: {summaries}"
    return summaries[0]
