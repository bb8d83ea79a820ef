"""A user plays against the engine and uses the menus."""

import chess

from debug_file import check
from display import display
from paths import SHIM
from referee import games
from server import farboard
from user import NO_BOOK, user_of_xboard

NO_PONDERING = "-xponder"

# Longer than any wait: only a command ends the engine's thinking.
HOURS = ["-tc", "600", "-mps", "1"]


def answer(user, board, move):
    """Types a move and waits for the engine's; puts both on the board, which checks their legality."""
    user.types(move)
    user.dialogue.expect(f">usermove {move}")
    board.push_uci(move)
    return engine_moves(user, board)


def engine_moves(user, board):
    reply = user.dialogue.expect(r"<move (\S+)")[1]
    # Fails for illegal moves.
    board.push_uci(reply)
    return reply


def only_game(out, result, comment):
    """The game that xboard saved, with the right ending."""
    saved = list(games(out / "game.pgn"))
    assert len(saved) == 1, f"{len(saved)} games instead of one, see {out / 'game.pgn'}"
    game = saved[0]
    assert not game.errors, f"{game.errors}, see {out / 'game.pgn'}"
    assert game.headers["Result"] == result, f"{game.headers['Result']} instead of {result}, see {out / 'game.pgn'}"
    last = game.end().comment
    assert comment in last, f"the game ended with {last!r} instead of {comment!r}, see {out / 'game.pgn'}"
    return game


def plays_a_user(out):
    """xboard: a user has White, gets a hint and the book, takes moves back, offers a draw, resigns"""
    complaints = ["Could not parse move"]
    board = chess.Board()
    with (
        farboard(out) as address,
        display(out) as screen,
        user_of_xboard(out, screen, f"{SHIM} {address}", NO_PONDERING, "-st", "0:01", complaints=complaints) as user,
    ):
        dialogue = user.dialogue
        answer(user, board, "e2e4")
        # xboard knows that this is illegal and does not send it.
        mark = dialogue.skip()
        user.types("e4e6")
        assert not dialogue.since(mark), dialogue.since(mark)

        user.chooses("Engine", "Hint")
        hint = dialogue.expect(">hint", r"<Hint: (\S+)")[1]
        assert chess.Move.from_uci(hint) in board.legal_moves, f"hint {hint} in {board.fen()}"
        user.dismisses("Information")
        user.chooses("Engine", "Book")
        dialogue.expect(">bk", r"< *\S+ +\d+%", "<")
        user.dismisses("Information")

        answer(user, board, "d2d3")
        user.presses("ctrl+x")
        dialogue.expect(">remove")
        board.pop()
        board.pop()
        for move in ("g1f3", "f1e2"):
            answer(user, board, move)
        user.presses("F6")
        dialogue.expect(">draw")
        # The engine may accept this or not.
        answer(user, board, "e1g1")
        user.sees_no_popup()
        user.presses("F9")
        dialogue.expect(r">result 0-1 \{White resigns\}", ">force", r">ping (\d+)", r"<pong \d+")
    game = only_game(out, "0-1", "White resigns")
    assert game.end().board().fen() == board.fen(), f"{game.end().board().fen()} instead of {board.fen()}"
    print(game.mainline_moves())
    check(out / "xboard.debug", engines=["first"])


def moves_on_command(out):
    """xboard: a user with Black makes an engine with hours on its clock move now, stop, and start anew"""
    board = chess.Board()
    with (
        farboard(out) as address,
        display(out) as screen,
        user_of_xboard(out, screen, f"{SHIM} {address}", NO_PONDERING, *NO_BOOK, *HOURS) as user,
    ):
        dialogue = user.dialogue
        user.presses("ctrl+w")
        dialogue.expect(">go", r"<\s*[5-9] .*")
        user.presses("ctrl+m")
        dialogue.expect(r">\?")
        engine_moves(user, board)
        user.types("e7e6")
        board.push_uci("e7e6")
        dialogue.expect(">usermove e7e6", r"<\s*[3-9] .*")
        user.presses("ctrl+m")
        dialogue.expect(r">\?")
        engine_moves(user, board)

        # Editing the game in the middle of a move: xboard is frozen until the pong, and no move may follow.
        user.types("a7a6")
        dialogue.expect(">usermove a7a6", r"<\s*[3-9] .*")
        user.presses("ctrl+e")
        number = dialogue.expect(">force", r">ping (\d+)")[1]
        mark = dialogue.next
        dialogue.expect(f"<pong {number}")
        user.presses("alt+Left")
        dialogue.expect(">undo")
        board.push_uci("a7a6")
        board.pop()
        moves = [line for line in dialogue.since(mark) if line.startswith("<move")]
        assert not moves, f"{moves} after force"

        # The engine continues from here, with the other colour.
        user.presses("ctrl+b")
        dialogue.expect(">go", r"<\s*[3-9] .*")
        user.presses("ctrl+m")
        dialogue.expect(r">\?")
        engine_moves(user, board)

        # A new game in the middle of a move.
        user.types(min(move.uci() for move in board.legal_moves))
        dialogue.expect(">usermove .*", r"<\s*[3-9] .*")
        user.presses("ctrl+n")
        number = dialogue.expect(">force", ">new", r">ping (\d+)")[1]
        mark = dialogue.next
        dialogue.expect(f"<pong {number}")
        user.types("c2c4")
        dialogue.expect(">usermove c2c4", r"<\s*[3-9] .*")
        moves = [line for line in dialogue.since(mark) if line.startswith("<move")]
        assert not moves, f"{moves} after new"
        user.presses("ctrl+m")
        dialogue.expect(r">\?")
        board.reset()
        board.push_uci("c2c4")
        engine_moves(user, board)
    check(out / "xboard.debug", engines=["first"])


def refuses_illegal_moves(out):
    """xboard: with xboard's own checks off, the engine refuses illegal moves, and the game continues"""
    complaints = [f'Illegal move "{move}" (rejected' for move in ("e2e5", "O-O")]
    board = chess.Board()
    options = [NO_PONDERING, "-st", "0:01", "-testLegality", "false"]
    with (
        farboard(out) as address,
        display(out) as screen,
        user_of_xboard(out, screen, f"{SHIM} {address}", *options, complaints=complaints) as user,
    ):
        dialogue = user.dialogue
        user.types("e2e5")
        dialogue.expect(">usermove e2e5", "<Illegal move.*: e2e5")
        answer(user, board, "e2e4")
        user.types("e1g1")
        dialogue.expect(">usermove e1g1", "<Illegal move.*: e1g1")
        answer(user, board, "d2d3")
        user.presses("F9")
        dialogue.expect(r">result 0-1 \{White resigns\}", r"<pong \d+")
    game = only_game(out, "0-1", "White resigns")
    assert game.end().board().fen() == board.fen(), f"{game.end().board().fen()} instead of {board.fen()}"
    check(out / "xboard.debug", engines=["first"], expected=["Illegal move.*"])


SCENARIOS = [plays_a_user, moves_on_command, refuses_illegal_moves]
