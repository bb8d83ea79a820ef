"""xboard speaks version 1 of the protocol: no features, boards by `edit`, an interrupt before every command."""

import re

import chess

from debug_file import check
from display import display
from paths import SHIM
from server import farboard
from sessions import sessions, until
from user import user_of_xboard
from xboard_analysis import analysed
from xboard_match import match_with_itself
from xboard_positions import BLACK_MATES, CASTLING_AND_PROMOTION, WHITE_MATES, mates
from xboard_user import NO_PONDERING, engine_moves, only_game

VERSION_1 = ["-firstProtocolVersion", "1"]

WITHOUT_A2 = "3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1"


def sets_up_by_edit(user, fen):
    """Types a position in edit mode, and checks the `edit` that xboard sends."""
    dialogue = user.dialogue
    board = chess.Board(fen)
    user.presses("ctrl+n")
    dialogue.expect(">new", ">easy")
    user.presses("ctrl+shift+e")
    user.types(fen)
    # xboard sends the existing board again, then the new one.
    dialogue.expect(">new", ">force", ">edit", r">\.", ">new", ">force")
    if board.turn == chess.BLACK:
        # `edit` does not contain the side to move.
        dialogue.expect(">a2a3" if board.piece_at(chess.A2) == chess.Piece.from_symbol("P") else ">black")
    men = edited(dialogue)
    assert men == board.piece_map(), f"{men} edited instead of {fen}, see {dialogue.path}"
    return board


def edited(dialogue):
    """The pieces of the next `edit`."""
    dialogue.expect(">edit")
    mark = dialogue.next
    dialogue.expect(r">\.")
    men, colour = {}, chess.WHITE
    for line in dialogue.since(mark)[: dialogue.next - mark]:
        if line == ">c":
            colour = not colour
        elif found := re.fullmatch(r">([PNBRQK])([a-h][1-8])", line):
            men[chess.parse_square(found[2])] = chess.Piece(chess.PIECE_SYMBOLS.index(found[1].lower()), colour)
    return men


def edits_positions(out):
    """xboard, protocol 1: positions by edit, White to move and Black to move, played and analysed"""
    file = out / "position.fen"
    file.write_text(WHITE_MATES + "\n")
    options = [*VERSION_1, NO_PONDERING, "-st", "0:01", "-loadPositionFile", file]
    with (
        farboard(out) as address,
        display(out) as screen,
        user_of_xboard(out, screen, f"{SHIM} {address}", *options) as user,
    ):
        dialogue = user.dialogue
        assert edited(dialogue) == chess.Board(WHITE_MATES).piece_map(), f"a different board was loaded, see {dialogue.path}"
        mates(user, chess.Board(WHITE_MATES), "w")
        mates(user, sets_up_by_edit(user, BLACK_MATES), "b")
        mates(user, sets_up_by_edit(user, WITHOUT_A2), "b")

        for fen in (BLACK_MATES, WHITE_MATES):
            board = sets_up_by_edit(user, fen)
            user.presses("ctrl+a")
            dialogue.expect(">analyze")
            _, score = analysed(user, board)
            assert score == 100001, f"score {score} of a mate in one: {fen}, see {dialogue.path}"
            user.presses("ctrl+e")
            dialogue.expect(">exit")

        # A king and a rook at home may castle.
        board = sets_up_by_edit(user, CASTLING_AND_PROMOTION)
        user.presses("ctrl+b")
        dialogue.expect(">go")
        engine_moves(user, board)
        for move in ("e1g1", "a7a8q"):
            user.types(move)
            dialogue.expect(f">{move}")
            board.push_uci(move)
            engine_moves(user, board)
    check(out / "xboard.debug", engines=["first"])
    spoke_version_1(out / "xboard.debug")


def match_in_protocol_1(out):
    """xboard, protocol 1: two games between two connections, 1 s + 0.05 s"""
    versions = [*VERSION_1, "-secondProtocolVersion", "1"]
    match_with_itself(out, 2, clock=("0:01", "0.05"), options=versions, limit=120)
    spoke_version_1(out / "xboard.debug")


def interrupts_do_not_reach_the_server(out):
    """xboard, protocol 1: xboard interrupts the engine before commands, and no interrupt reaches the server"""
    board, control = chess.Board(), out / "control"
    options = [*VERSION_1, NO_PONDERING, "-st", "0:01"]
    with (
        farboard(out, "--control", control) as address,
        display(out) as screen,
        user_of_xboard(out, screen, f"{SHIM} {address}", *options) as user,
    ):
        dialogue = user.dialogue
        engine, [session] = user.engines(), until(control, lambda rows: rows)
        moves = ["e2e4", "d2d3", "c2c3", "b2b3"]
        for move in moves:
            user.types(move)
            dialogue.expect(f">{move}")
            board.push_uci(move)
            engine_moves(user, board)
        interrupts = dialogue.path.read_text(errors="replace").count("Interrupting first")
        # None before the first move of a game.
        assert interrupts >= len(moves) - 1, f"xboard interrupted {interrupts} times, see {dialogue.path}"
        [row] = sessions(control)
        assert (row["session"], row["moves"], row["interrupts"]) == (session["session"], len(moves), 0), row
        assert user.engines() == engine
        user.presses("F9")
        dialogue.expect(r">result 0-1 \{White resigns\}", ">force")
    only_game(out, "0-1", "White resigns")
    check(out / "xboard.debug", engines=["first"])
    spoke_version_1(out / "xboard.debug")


def spoke_version_1(path):
    text = path.read_text(errors="replace")
    foreign = [word for word in ("protover", "feature", "setboard", "ping", "pong", "usermove") if word in text]
    assert not foreign, f"{foreign} belongs to version 2, see {path}"


SCENARIOS = [edits_positions, match_in_protocol_1, interrupts_do_not_reach_the_server]
