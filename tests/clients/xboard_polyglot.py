"""xboard with a UCI engine: Debian's polyglot translates, with Farboard behind the shim."""

import time

import chess

from dialogue import TEST_TIMEOUT
from display import display
from paths import SHIM
from referee import games, verdict
from server import farboard
from user import user_of_xboard
from xboard import play_match

# polyglot's input and output go to a file. xboard replaces %fcp by the engine's command.
ADAPTER = 'polyglot -noini -ec "%fcp" -ed "%fd" -log true -lf '

GAMES = 2


def by_uci(out):
    """Options of an xboard whose first engine speaks UCI."""
    return ["-fUCI", "-adapterCommand", f"{ADAPTER}{out / 'polyglot.log'}"]


def polyglot_plays(out):
    """polyglot under xboard: two games, 3 s + 0.05 s, UCI against xboard's protocol"""
    plays(out, by_uci(out))


def polyglot_plays_chess960(out):
    """polyglot under xboard: two games of Fischerandom, castling in both protocols"""
    plays(out, [*by_uci(out), "-variant", "fischerandom", "-defaultFrcPosition", "-1"])
    log = (out / "polyglot.log").read_text()
    assert "setoption name UCI_Chess960 value true" in log, f"no game of Chess960, see {out / 'polyglot.log'}"


def plays(out, options):
    with farboard(out) as address, display(out) as screen:
        engine = f"{SHIM} {address}"
        terms = {"games": GAMES, "clock": ("0:03", "0.05"), "limit": 200}
        print(play_match(out, screen, engine, engine, options=options, **terms))
    played = list(games(out / "game.pgn"))
    for game in played:
        rule, result, plies, comment = verdict(game)
        print(f"{game.headers['White']} - {game.headers['Black']}: {result}, {rule}, {plies} plies ({comment})")
    assert len(played) == GAMES, f"{len(played)} games of {GAMES}"
    log = (out / "polyglot.log").read_text()
    assert log.count("bestmove ") > 20, f"hardly any moves over UCI, see {out / 'polyglot.log'}"


def polyglot_analyses(out):
    """polyglot under xboard: a user analyses forwards and back, then plays, by UCI"""
    board = chess.Board()
    with (
        farboard(out) as address,
        display(out) as screen,
        user_of_xboard(out, screen, f"{SHIM} {address}", "-xponder", "-st", "0:01", *by_uci(out)) as user,
    ):
        dialogue = user.dialogue
        user.presses("ctrl+a")
        dialogue.expect(">analyze")
        analysed(user, board)
        for move in ("e2e4", "e7e5", "f1c4"):
            user.types(move)
            dialogue.expect(f">usermove {move}")
            board.push_uci(move)
        analysed(user, board, least=6)
        user.presses("alt+Left")
        dialogue.expect(">undo")
        board.pop()
        analysed(user, board)
        user.presses("ctrl+e")
        dialogue.expect(">exit")
        user.presses("ctrl+w")
        board.push_uci(dialogue.expect(r"<move (\S+)")[1])
        user.types(min(move.uci() for move in board.legal_moves))
        board.push_uci(dialogue.expect(r">usermove (\S+)")[1])
        board.push_uci(dialogue.expect(r"<move (\S+)")[1])


def analysed(user, board, least=1):
    """Waits for a variation of this position of at least this depth."""
    dialogue = user.dialogue
    end = time.monotonic() + TEST_TIMEOUT
    while True:
        found = dialogue.expect(r"<\s*(\d+) [-+]?\d+ \d+ \d+ (\S.*)", patience=max(0, end - time.monotonic()))
        if int(found[1]) >= least and is_legal(board, found[2]):
            return


def is_legal(board, variation):
    """Returns False for output about the previous position."""
    line = board.copy()
    try:
        for move in variation.split():
            line.push_san(move)
    except ValueError:
        return False
    return True


SCENARIOS = [polyglot_plays, polyglot_plays_chess960, polyglot_analyses]
