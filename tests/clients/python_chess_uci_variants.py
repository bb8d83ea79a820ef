"""python-chess checks every move over UCI by the rules of its variants: games, analyses, endings."""

import chess
import chess.engine
import chess.variant
from chess.engine import Limit

from paths import ROOT
from uci_session import scenario

BOARDS = [
    chess.variant.CrazyhouseBoard,
    chess.variant.AtomicBoard,
    chess.variant.ThreeCheckBoard,
    chess.variant.GiveawayBoard,
    chess.variant.SuicideBoard,
    chess.variant.AntichessBoard,
    chess.variant.HordeBoard,
    chess.variant.KingOfTheHillBoard,
    chess.variant.RacingKingsBoard,
]
NODES = Limit(nodes=400)
LONGEST = 160

# Positions with their numbers of moves, under python-chess's names of the variants.
PERFT = ROOT / "tests/data/perft-variants.epd"
NAMES = {board.uci_variant: board for board in BOARDS if board is not chess.variant.AntichessBoard}


def is_over(board):
    return board.is_variant_end() or not any(board.legal_moves) or board.is_repetition(3) or board.is_fifty_moves()


@scenario(ways=["shim", "tcp"])
async def uci_plays_variants(engine):
    """python-chess, UCI: a game of each of nine variants, every move by its rules"""
    for kind in BOARDS:
        board = kind()
        while not is_over(board) and board.ply() < LONGEST:
            result = await engine.play(board, NODES, game=kind)
            assert result.move in board.legal_moves, f"{result.move} in {board.fen()} of {kind.uci_variant}"
            board.push(result.move)
        print(f"{kind.uci_variant}: {board.ply()} plies, {board.result()} {board.fen()}")
    assert (await engine.play(chess.Board(), NODES, game="chess")).move


@scenario(ways=["stdio"])
async def uci_analyses_variants(engine):
    """python-chess, UCI: several lines in each variant, from its start and from the positions of the perft data"""
    for kind in BOARDS:
        await check_lines(engine, kind())
    for line in PERFT.read_text().splitlines():
        name, fen, first, *_ = line.split(";")
        if kind := NAMES.get(name.removesuffix("960")):
            board = kind(fen, chess960=name.endswith("960"))
            assert board.legal_moves.count() == int(first.split()[1]), f"python-chess differs about {name} {fen}"
            await check_lines(engine, board)
    # A mate by a drop.
    board = chess.variant.CrazyhouseBoard("6k1/5ppp/8/8/8/8/8/6K1[R] w - - 0 1")
    info = await engine.analyse(board, Limit(depth=4))
    assert info["score"].white().mate() == 1, info


async def check_lines(engine, board):
    lines = await engine.analyse(board, Limit(depth=3), multipv=3, game=board.fen())
    count = min(3, board.legal_moves.count())
    # Without legal moves there is a score without a variation.
    is_right = [bool(line.get("pv")) for line in lines] == ([True] * count or [False])
    assert is_right, f"{lines} in {board.fen()} of {board.uci_variant}"


SCENARIOS = [uci_plays_variants, uci_analyses_variants]
