"""A user sets up positions and plays from them with either colour."""

import chess

from debug_file import check
from display import display
from paths import SHIM
from server import farboard
from user import user_of_xboard
from xboard_user import NO_PONDERING, answer, engine_moves

# The rook has one mating move.
WHITE_MATES = "6k1/5ppp/8/8/8/8/P4PPP/3R2K1 w - - 0 1"
BLACK_MATES = "3r2k1/5ppp/8/8/8/8/P4PPP/6K1 b - - 0 1"

EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
CASTLING_AND_PROMOTION = "4k3/P2p4/8/8/8/8/8/4K2R b K - 0 1"

# White has no king; Black is in check while it is White's turn.
ILLEGAL = ["4k3/8/8/8/8/8/8/8 w - - 0 1", "4k2R/8/8/8/8/8/8/4K3 w - - 0 1"]


def sets_up(user, fen):
    """Types a position in edit mode."""
    dialogue = user.dialogue
    user.presses("ctrl+n")
    number = dialogue.expect(">new", r">ping (\d+)")[1]
    dialogue.expect(f"<pong {number}")
    user.presses("ctrl+shift+e")
    user.types(fen)
    # xboard sends the existing board again, then the new one.
    found = dialogue.expect(*[">new", ">force", r">setboard (.+)"] * 2)
    assert same_position(found[1], fen), f"xboard made {found[1]!r} of {fen!r}"
    return chess.Board(fen)


def same_position(one, other):
    """Compares without the counters, which xboard resets, and without an en passant square that allows no capture."""
    return chess.Board(one).epd() == chess.Board(other).epd()


def mates(user, board, colour):
    """The engine plays the colour that mates in one."""
    user.presses(f"ctrl+{colour}")
    user.dialogue.expect(">go")
    engine_moves(user, board)
    assert board.is_checkmate(), f"no mate: {board.fen()}, see {user.dialogue.path}"
    winner = "0-1" if board.turn == chess.WHITE else "1-0"
    user.dialogue.expect(rf">result {winner} \{{.* mates\}}")


def plays_from_positions(out):
    """xboard: positions set up and loaded, illegal ones too, then played from by both colours"""
    file = out / "position.fen"
    file.write_text(WHITE_MATES + "\n")
    options = [NO_PONDERING, "-st", "0:01", "-loadPositionFile", file]
    refusal = "Illegal position"
    complaints = [refusal] * len(ILLEGAL)
    with (
        farboard(out) as address,
        display(out) as screen,
        user_of_xboard(out, screen, f"{SHIM} {address}", *options, complaints=complaints) as user,
    ):
        dialogue = user.dialogue
        found = dialogue.expect(">force", r">setboard (.+)")
        assert same_position(found[1], WHITE_MATES), found[1]
        mates(user, chess.Board(WHITE_MATES), "w")
        mates(user, sets_up(user, BLACK_MATES), "b")

        # Moves in force mode, then the engine's turn.
        board = sets_up(user, EN_PASSANT)
        user.types("e5d6")
        dialogue.expect(">usermove e5d6")
        board.push_uci("e5d6")
        user.presses("ctrl+b")
        dialogue.expect(">go")
        engine_moves(user, board)

        board = sets_up(user, CASTLING_AND_PROMOTION)
        user.presses("ctrl+b")
        dialogue.expect(">go")
        engine_moves(user, board)
        answer(user, board, "e1g1")
        answer(user, board, "a7a8q")

        for fen in ILLEGAL:
            sets_up(user, fen)
            dialogue.expect(f"<tellusererror {refusal}.*")
            user.dismisses("Error")
        mates(user, sets_up(user, BLACK_MATES), "b")
    check(out / "xboard.debug", engines=["first"], expected=[f"tellusererror {refusal}.*"])


SCENARIOS = [plays_from_positions]
