"""xboard's time controls: the commands, and the engine's use of its time."""

import re

from debug_file import conversation, lowest_clocks, thinking_times
from display import display
from paths import SHIM
from server import farboard
from user import NO_BOOK, user_of_xboard
from xboard_match import match
from xboard_user import HOURS, NO_PONDERING

# Seconds: more than one or two on a busy machine, and far less than other time controls allow.
SOON = 10


def follows_changes_of_the_clock(out):
    """xboard: a user changes the time control before each game, from one kind to all others"""
    with (
        farboard(out) as address,
        display(out) as screen,
        user_of_xboard(out, screen, f"{SHIM} {address}", NO_PONDERING, *NO_BOOK, *HOURS) as user,
    ):
        dialogue = user.dialogue
        dialogue.expect(r">level 1 600 0", r"<pong \d+")
        thinks_until_move_now(user)

        # From "classical" to "fixed max", which leaves a single field.
        user.presses("ctrl+n")
        dialogue.expect(">level 1 600 0", r"<pong \d+")
        changes_the_clock(user, "Tab", "Tab", "space", "Tab", "Tab", "1", "alt+o")
        dialogue.expect(">st 1", r"<pong \d+")
        for move in ("e2e4", "d2d3"):
            assert seconds_for_an_answer(user, move) < SOON

        # Back to "classical" with its old numbers, which replaces the seconds per move.
        user.presses("ctrl+n")
        dialogue.expect(">st 1", r"<pong \d+")
        changes_the_clock(user, "space", "alt+o")
        dialogue.expect(">level 1 600 0", r"<pong \d+")
        thinks_until_move_now(user)

        # "Incremental", with the box that turns minutes into seconds.
        user.presses("ctrl+n")
        dialogue.expect(">level 1 600 0", r"<pong \d+")
        changes_the_clock(user, "Tab", "space", "Tab", "Tab", "space", "Tab", "2", "Tab", "1", "alt+o")
        dialogue.expect(">level 0 0:02 1", r"<pong \d+")
        for move in ("e2e4", "d2d3"):
            assert seconds_for_an_answer(user, move) < SOON

        # With an additional depth, then without.
        user.presses("ctrl+n")
        user.types("!!! -depth 3")
        user.presses("ctrl+n")
        dialogue.expect(">new", ">new", ">level 0 0:02 1", ">sd 3", r"<pong \d+")
        mark = dialogue.next
        seconds_for_an_answer(user, "e2e4")
        depths = [int(found[1]) for line in dialogue.since(mark) if (found := re.match(r"<\s*(\d+) -?\d+ \d+ \d+", line))]
        assert max(depths) == 3, f"depths {depths}, see {dialogue.path}"
        user.types("!!! -depth 0")
        user.presses("ctrl+n")
        dialogue.expect(">new", ">level 0 0:02 1", r"<pong \d+")
        user.types("e2e4")
        dialogue.expect(">usermove e2e4", r"<\s*([5-9]|\d\d) .*", r"<move \S+")


def changes_the_clock(user, *keys):
    user.presses("alt+shift+t")
    user.fills_in("Time Control", *keys)


def thinks_until_move_now(user):
    """With hours on its clock the engine does not move by itself."""
    dialogue = user.dialogue
    user.types("e2e4")
    dialogue.expect(">usermove e2e4")
    dialogue.silent(r"<move \S+", seconds=2)
    user.presses("ctrl+m")
    dialogue.expect(r">\?", r"<move \S+")


def seconds_for_an_answer(user, move):
    user.types(move)
    user.dialogue.expect(f">usermove {move}")
    asked = user.dialogue.time
    user.dialogue.expect(r"<move \S+")
    return user.dialogue.time - asked


def timed_match(out, *options, first, second, clock=("0:05", "0"), moves, games=1):
    """Plays a match that xboard ends as drawn after some moves; checks the announced clocks, and that no flag fell."""
    options = ["-adjudicateDrawMoves", str(moves), *NO_BOOK, *options]
    match(out, None, games=games, clock=clock, options=options, limit=200)
    log = out / "xboard.debug"
    terms = {"first": [], "second": []}
    for direction, engine, line in conversation(log):
        if direction == ">" and re.match(r"(level|st|sd) ", line):
            terms[engine].append(line)
    # xboard repeats them before each game.
    announced = {engine: list(dict.fromkeys(lines)) for engine, lines in terms.items()}
    assert announced == {"first": first, "second": second}, f"{announced}, see {log}"
    print(f"lowest clock, in centiseconds: {lowest_clocks(log, ['first', 'second'])}")


def sessions_of_moves(out):
    """xboard: ten moves in four seconds, and ten more, and some of the third session"""
    terms = ["level 10 0:04 0"]
    timed_match(out, "-mps", "10", first=terms, second=terms, clock=("0:04", "-1"), moves=24)


def forty_moves_in_half_a_minute(out):
    """xboard: forty moves in half a minute"""
    terms = ["level 40 0:30 0"]
    timed_match(out, "-mps", "40", first=terms, second=terms, clock=("0:30", "-1"), moves=10)


def time_odds(out):
    """xboard: time odds, a quarter of the time for one side, in games with both colours"""
    first, second = ["level 0 0:02 0.05"], ["level 0 0:08 0.2"]
    timed_match(out, "-firstTimeOdds", "4", first=first, second=second, clock=("0:08", "0.2"), moves=10, games=2)


def depth_and_clock(out):
    """xboard: a limit of depth besides the clock"""
    terms = ["level 0 0:05 0", "sd 5"]
    timed_match(out, "-depth", "5", first=terms, second=terms, clock=("0:05", "0"), moves=40)
    log = out / "xboard.debug"
    lines = [line for direction, _, line in conversation(log) if direction == "<"]
    depths = [int(found[1]) for line in lines if (found := re.match(r"\s*(\d+) -?\d+ \d+ \d+", line))]
    assert max(depths) == 5, f"depth {max(depths)}, see {log}"


def seconds_per_move(out):
    """xboard: a second per move"""
    timed_match(out, "-st", "0:01", first=["st 1"], second=["st 1"], moves=8)
    log = out / "xboard.debug"
    for engine in ("first", "second"):
        times = thinking_times(log, engine)
        print(f"{engine}: {times}")
        assert len(times) >= 8 and max(times) < SOON, f"{engine}: {times}, see {log}"


SCENARIOS = [
    follows_changes_of_the_clock,
    sessions_of_moves,
    forty_moves_in_half_a_minute,
    time_odds,
    depth_and_clock,
    seconds_per_move,
]
