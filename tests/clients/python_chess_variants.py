"""python-chess checks every move by the rules of its variants: games, analyses, endings."""

import chess.engine
import chess.variant

from engine_session import scenario

BOARDS = [
    chess.variant.CrazyhouseBoard,
    chess.variant.SuicideBoard,
    chess.variant.GiveawayBoard,
    chess.variant.AtomicBoard,
    chess.variant.ThreeCheckBoard,
    chess.variant.KingOfTheHillBoard,
    chess.variant.RacingKingsBoard,
    chess.variant.HordeBoard,
]
MOVE = chess.engine.Limit(time=0.02)
LONGEST = 200


def is_over(board):
    # The engine also claims repetitions and fifty moves; dead positions do not end games of variants.
    return board.is_variant_end() or not any(board.legal_moves) or board.is_repetition(3) or board.is_fifty_moves()


@scenario
async def plays_variants(engine):
    """python-chess: a game of each variant it knows except crazyhouse, every move and the end by its rules"""
    for kind in BOARDS:
        if kind is chess.variant.CrazyhouseBoard:
            # python-chess 1.11.2 confuses the hands of a game's first position with later ones. xboard plays
            # crazyhouse instead.
            continue
        board = kind()
        while not is_over(board) and board.ply() < LONGEST:
            result = await engine.play(board, MOVE, game=kind)
            assert result.move in board.legal_moves, f"{result.move} in {board.fen()} of {kind.uci_variant}"
            board.push(result.move)
        print(f"{kind.uci_variant}: {board.ply()} plies, {board.result()} {board.fen()}")


@scenario
async def analyses_variants(engine):
    """python-chess: analyses of each variant from its start, with variations that are legal"""
    for kind in BOARDS:
        info = await engine.analyse(kind(), chess.engine.Limit(time=0.1))
        assert info["pv"] and info["depth"] > 1, info
    # A mate by a drop.
    board = chess.variant.CrazyhouseBoard("6k1/5ppp/8/8/8/8/8/6K1[R] w - - 0 1")
    info = await engine.analyse(board, chess.engine.Limit(time=1, depth=4))
    assert info["score"].white().mate() == 1, info


SCENARIOS = [plays_variants, analyses_variants]
