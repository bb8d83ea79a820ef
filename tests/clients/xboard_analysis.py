"""A user analyses, forwards and backwards."""

import re
import time

import chess

from debug_file import check
from dialogue import TEST_TIMEOUT
from display import display
from paths import SHIM
from server import farboard
from user import user_of_xboard

# Protocol version 2 has further numbers and a tab before the moves.
THINKING = re.compile(r"<\s*(\d+) (-?\d+) \d+ \d+ (?:[^\t]*\t)?(.*)")


def analysed(user, board, least=1):
    """Waits for a report on this position of at least this depth. The first ones may still be about the
    previous position.
    """
    dialogue = user.dialogue
    mark = dialogue.next
    end = time.monotonic() + TEST_TIMEOUT
    depth = "0"
    while int(depth) < least:
        assert time.monotonic() < end, f"depth {depth} in {TEST_TIMEOUT} s before {board.fen()} was left, see {dialogue.path}"
        # xboard polls every two seconds, possibly just as the analysis begins.
        dialogue.expect(r">\.", r"<stat01: \d+ \d+ \d+ \d+ \d+( \S+)?")
        if found := [report for line in dialogue.since(mark) if (report := THINKING.fullmatch(line))]:
            depth, score, variation = found[-1].groups()
    line = board.copy()
    # A mark after the moves means that the score is a bound.
    for move in variation.rstrip("!? ").split():
        # Fails for moves that are illegal in this position.
        line.push_san(move)
    return int(depth), int(score)


def analyses_for_a_user(out):
    """xboard: analysis of a game that goes forwards and back, of a new one, and back to play"""
    board = chess.Board()
    with (
        farboard(out) as address,
        display(out) as screen,
        user_of_xboard(out, screen, f"{SHIM} {address}", "-xponder", "-st", "0:01") as user,
    ):
        dialogue = user.dialogue
        user.presses("ctrl+a")
        dialogue.expect(">force", ">analyze")
        analysed(user, board)
        for move in ("e2e4", "e7e5", "f1c4", "a7a6"):
            user.types(move)
            dialogue.expect(f">usermove {move}")
            board.push_uci(move)
        analysed(user, board, least=4)

        user.presses("alt+Left")
        dialogue.expect(">undo")
        board.pop()
        analysed(user, board)
        user.presses("alt+Right")
        dialogue.expect(">usermove a7a6")
        board.push_uci("a7a6")
        user.presses("alt+Left", "alt+Left")
        dialogue.expect(">undo", ">undo")
        board.pop()
        board.pop()
        analysed(user, board)

        # Another move than the one taken back, which xboard accepts only while the game is edited.
        user.presses("ctrl+e")
        dialogue.expect(">exit")
        user.types("d1h5")
        dialogue.expect(">usermove d1h5")
        board.push_uci("d1h5")
        user.presses("ctrl+a")
        dialogue.expect(">analyze")
        analysed(user, board)
        user.presses("alt+Home")
        dialogue.expect(*[">undo"] * 3)

        user.presses("ctrl+n")
        dialogue.expect(">exit", ">new", r"<pong \d+")
        user.presses("ctrl+a")
        dialogue.expect(">force", ">analyze")
        analysed(user, chess.Board())
        user.presses("ctrl+e")
        dialogue.expect(">exit", ">force")
        user.presses("ctrl+w")
        reply = dialogue.expect(">go", r"<move (\S+)")[1]
        assert chess.Move.from_uci(reply) in chess.Board().legal_moves, reply
    check(out / "xboard.debug", engines=["first"])


def shows_two_lines(out):
    """xboard: a user asks for two lines in the engine's settings, and gets them in an analysis"""
    with (
        farboard(out) as address,
        display(out) as screen,
        user_of_xboard(out, screen, f"{SHIM} {address}", "-xponder") as user,
    ):
        dialogue = user.dialogue
        dialogue.expect("<feature done=1", r"<pong \d+")
        declared = [found[1] for line in dialogue.since(0) if (found := re.match(r'<feature option="(.+?) -', line))]
        user.chooses("Engine", "Engine #1 Settings...")
        user.fills_in("Engine Settings", *["Tab"] * declared.index("MultiPV"), "2", "alt+o")
        dialogue.expect(">option MultiPV=2")
        user.presses("ctrl+a")
        dialogue.expect(">analyze")
        mark = dialogue.next
        analysed(user, chess.Board(), least=8)
        first_moves = {}
        for line in dialogue.since(mark):
            if found := THINKING.fullmatch(line):
                first_moves.setdefault(int(found[1]), set()).add(found[3].split()[0])
    two = [depth for depth, moves in first_moves.items() if len(moves) > 1]
    # The best move may change within a depth, but not in every one.
    assert len(two) >= len(first_moves) - 1 > 3, f"{first_moves}, see {dialogue.path}"
    check(out / "xboard.debug", engines=["first"])


SCENARIOS = [analyses_for_a_user, shows_two_lines]
