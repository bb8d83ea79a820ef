"""The engine ponders, and stops while the user pauses the game."""

import re

import chess

from debug_file import check
from display import display
from paths import SHIM
from server import farboard
from user import NO_BOOK, user_of_xboard
from xboard_user import engine_moves

THINKING = r"<\s*(\d+) -?\d+ \d+ \d+.*"


def deep(dialogue):
    """Waits until the engine has pondered for a while; returns the depth."""
    dialogue.skip()
    return int(dialogue.expect(r"<\s*(\d\d|[6-9]) -?\d+ \d+ \d+.*")[1])


def ponders_for_a_user(out):
    """xboard: ponders while the user thinks; the user plays the expected move, another one, and pauses the game"""
    board = chess.Board()
    with (
        farboard(out) as address,
        display(out) as screen,
        user_of_xboard(out, screen, f"{SHIM} {address}", *NO_BOOK, "-ponder", "-st", "0:02") as user,
    ):
        dialogue = user.dialogue
        plays(user, board, "e2e4")
        for _ in range(2):
            depth = deep(dialogue)
            # xboard puts the hint before the lines, and the user plays the expected move.
            hint = asks_for_a_hint(user, board)
            plays(user, board, hint, pondered=depth)
        deep(dialogue)
        hint = asks_for_a_hint(user, board)
        plays(user, board, next(move.uci() for move in board.legal_moves if move.uci() != hint))

        # Pondering off, and on again.
        toggles_pondering(user)
        dialogue.expect(">easy")
        dialogue.silent(THINKING, seconds=1)
        toggles_pondering(user)
        dialogue.expect(">hard")
        plays(user, board, min(move.uci() for move in board.legal_moves))
        deep(dialogue)

        # A pause on the user's turn, and one on the engine's, which lasts longer than the engine's time.
        user.presses("Pause")
        dialogue.expect(">pause")
        dialogue.silent(THINKING, seconds=1)
        user.presses("Pause")
        dialogue.expect(">resume")
        pauses_while_it_thinks(user, board)
        dialogue.silent(r"<(move|\s*\d).*", seconds=3)
        user.presses("Pause")
        dialogue.expect(">resume")
        engine_moves(user, board)
    check(out / "xboard.debug", engines=["first"])


def pauses_while_it_thinks(user, board):
    """Pauses during the engine's turn; plays another move if the engine was faster than the user."""
    dialogue = user.dialogue
    while True:
        user.types(min(move.uci() for move in board.legal_moves))
        board.push_uci(dialogue.expect(r">usermove (\S+)")[1])
        mark = dialogue.next
        user.presses("Pause")
        dialogue.expect(">pause")
        moves = [line for line in dialogue.since(mark)[: dialogue.next - mark] if line.startswith("<move ")]
        if not moves:
            return
        board.push_uci(moves[0].split()[1])
        user.presses("Pause")
        dialogue.expect(">resume")


def toggles_pondering(user):
    """The second box in the second column of the general options."""
    user.chooses("Options", "General...")
    user.fills_in("General Options", *["Tab"] * 16, "space", "alt+o")


def plays(user, board, move, pondered=None):
    """Types a move and waits for the answer; pondered iterations must not be repeated."""
    dialogue = user.dialogue
    user.types(move)
    dialogue.expect(f">usermove {move}")
    mark = dialogue.next
    board.push_uci(move)
    engine_moves(user, board)
    depths = [int(found[1]) for line in dialogue.since(mark) if (found := re.match(THINKING, line))]
    if pondered and depths:
        assert depths[0] >= pondered, f"back from depth {pondered} to {depths[0]} after the expected move, see {dialogue.path}"


def asks_for_a_hint(user, board):
    user.chooses("Engine", "Hint")
    hint = user.dialogue.expect(">hint", r"<Hint: (\S+)")[1]
    assert chess.Move.from_uci(hint) in board.legal_moves, f"hint {hint} in {board.fen()}"
    user.dismisses("Information")
    return hint


SCENARIOS = [ponders_for_a_user]
