"""A user of xboard whose server dies in the middle of a game."""

import time
from contextlib import ExitStack

import chess

from debug_file import check
from dialogue import until
from display import display
from paths import SHIM
from server import kill, mortal_farboard
from user import NO_BOOK, user_of_xboard
from xboard_user import HOURS, NO_PONDERING, engine_moves, only_game

THINKING = r"<\s*\d+ -?\d+ \d+ \d+[^(]*"

# The outage as a thinking line.
GOES_ON = r"<0 0 0 0 \(The session goes on .*"


def survives_its_server(out):
    """xboard: the server is killed on its turn and on the user's, is restarted, and the game goes on"""
    board = chess.Board()
    with ExitStack() as servers, display(out) as screen:
        server, address = mortal_farboard(servers, out)
        with user_of_xboard(out, screen, f"{SHIM} {address}", NO_PONDERING, *NO_BOOK, *HOURS) as user:
            dialogue = user.dialogue
            makes_it_move(user, board, "e2e4")
            starts_thinking(user, board, "g1f3")
            dialogue.skip()
            kill(server)
            # A short outage is not reported.
            time.sleep(1)
            server, _ = mortal_farboard(servers, out, address)
            dialogue.expect(GOES_ON)
            # With hours on its clock the engine thinks until it must move.
            makes_it_move_now(user, board)

            kill(server)
            server, _ = mortal_farboard(servers, out, address)
            # Earlier moves have been kept, too.
            user.presses("ctrl+x")
            dialogue.expect(">remove")
            board.pop()
            board.pop()
            for move in ("f1c4", "e1e2"):
                makes_it_move(user, board, move)
            user.sees_no_popup()
            user.presses("F9")
            dialogue.expect(r">result 0-1 \{White resigns\}", r"<pong \d+")
    game = only_game(out, "0-1", "White resigns")
    assert game.end().board().fen() == board.fen(), f"{game.end().board().fen()} instead of {board.fen()}"
    print(game.mainline_moves())
    check(out / "xboard.debug", engines=["first"])


def starts_thinking(user, board, move):
    user.types(move)
    board.push_uci(user.dialogue.expect(r">usermove (\S+)")[1])
    user.dialogue.expect(THINKING)


def makes_it_move_now(user, board):
    dialogue = user.dialogue
    mark = dialogue.next
    dialogue.expect(THINKING)
    early = [line for line in dialogue.since(mark) if line.startswith("<move")]
    assert not early, f"{early} before it was asked for, see {dialogue.path}"
    user.presses("ctrl+m")
    dialogue.expect(r">\?")
    engine_moves(user, board)


def makes_it_move(user, board, move):
    starts_thinking(user, board, move)
    makes_it_move_now(user, board)


def gives_up_its_server(out):
    """xboard: no server comes back, on the engine's turn or the user's: a message, and no engine"""
    with display(out) as screen:
        for thinks in (True, False):
            folder = out / ("thinking" if thinks else "waiting")
            folder.mkdir(exist_ok=True)
            for old in folder.iterdir():
                old.unlink()
            loses_its_server(folder, screen, thinks)


def loses_its_server(out, screen, thinks):
    with ExitStack() as servers:
        server, address = mortal_farboard(servers, out)
        reason = f"Cannot reach {address}: Connection refused"
        command = f"{SHIM} --give-up 1 {address}"
        with user_of_xboard(out, screen, command, NO_PONDERING, *NO_BOOK, *HOURS, complaints=[reason]) as user:
            dialogue = user.dialogue
            board = chess.Board()
            makes_it_move(user, board, "e2e4")
            if thinks:
                starts_thinking(user, board, "d2d3")
            kill(server)
            dialogue.expect(*["<resign"] * thinks, f"<tellusererror {reason}", "<farboard-connect: server not found")
            user.dismisses("Error")
            until(lambda: not user.engines(), lambda: f"xboard keeps {user.engines()}")
        if thinks:
            only_game(out, "1-0", "Black resigns")


SCENARIOS = [survives_its_server, gives_up_its_server]
