"""python-chess drives the server through the shim, as bots and analysis tools do. It is the strictest client
available: it raises an error for any `Error` and `Illegal move` line, requires pongs in order, and checks every
move and variation for legality.
"""

import asyncio
from contextlib import suppress

import chess
import chess.engine

from engine_session import opened, play_with_clocks, scenario, self_play, without_book
from server import farboard

# With a time, as an engine that has found the end may never reach the depth.
DEPTH_6 = chess.engine.Limit(depth=6, time=2)

QUEEN_UP = "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1"
SICILIAN = ["e2e4", "c7c5", "g1f3", "d7d6", "d2d4", "c5d4", "f3d4", "g8f6", "b1c3", "a7a6"]


@scenario
async def plays_with_clocks(engine):
    """python-chess: a game with two clocks, 3 s + 0.02 s"""
    await play_with_clocks(engine, 3.0, 250)


@scenario
async def keeps_other_limits(engine):
    """python-chess: fixed depth, fixed time, sessions of moves; taking back; a new game"""
    limits = [
        chess.engine.Limit(depth=4),
        chess.engine.Limit(time=0.1),
        chess.engine.Limit(white_clock=5, black_clock=5, remaining_moves=10),
    ]
    await engine.configure(without_book(engine))
    for limit in limits:
        await self_play(engine, chess.Board(), 6, limit)
    line = chess.Board()
    for move in SICILIAN:
        line.push_uci(move)
    for _ in range(4):
        await engine.play(line, chess.engine.Limit(depth=3), game="line")
        line.pop()
        line.pop()
    await engine.play(chess.Board(QUEEN_UP), chess.engine.Limit(depth=3), game="another")


@scenario
async def finds_a_mate(engine):
    """python-chess: mates in one, announced as mate"""
    board = chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    result = await engine.play(board, chess.engine.Limit(depth=4), info=chess.engine.INFO_ALL)
    assert result.move == chess.Move.from_uci("a1a8"), result.move
    info = await engine.analyse(board, DEPTH_6)
    assert info["score"].white().mate() == 1, info["score"]


@scenario
async def analyses(engine):
    """python-chess: analyses to increasing depth, stops, goes to another position"""
    board = chess.Board()
    for move in SICILIAN:
        board.push_uci(move)
        depths, nodes = [0], [0]
        with await engine.analysis(board) as analysis:
            async for info in analysis:
                if "pv" in info and "depth" in info:
                    depths.append(info["depth"])
                    nodes.append(info["nodes"])
                if depths[-1] >= 6:
                    break
        assert depths == sorted(depths), f"depths went back: {depths}"
        assert nodes == sorted(nodes), f"nodes went back: {nodes}"
        await engine.ping()
    won = chess.Board(QUEEN_UP)
    info = await engine.analyse(won, DEPTH_6)
    assert info["score"].white().score(mate_score=100_000) > 500, info["score"]
    won.turn = chess.BLACK
    info = await engine.analyse(won, DEPTH_6)
    assert info["score"].white().score(mate_score=100_000) > 500, info["score"]


@scenario
async def ponders(engine):
    """python-chess: ponders, predicts the reply rightly and wrongly, is stopped"""
    board = chess.Board()
    limit = chess.engine.Limit(white_clock=4, black_clock=4, white_inc=0.05, black_inc=0.05)
    for turn in range(12):
        result = await engine.play(board, limit, game="pondering", ponder=True)
        board.push(result.move)
        expected = result.ponder if result.ponder in board.legal_moves else None
        # Every third reply differs from the expected one.
        others = [move for move in board.legal_moves if move != expected]
        board.push(expected if expected and turn % 3 else others[turn % len(others)])
        await asyncio.sleep(0)
    await engine.ping()
    await engine.play(board, chess.engine.Limit(depth=3), game="pondering", ponder=False)


@scenario
async def plays_fischerandom(engine):
    """python-chess: Fischerandom games from several start positions, castling included"""
    castled = 0
    for number in (0, 279, 518, 959):
        board = chess.Board.from_chess960_pos(number)
        castled += sum(before.is_castling(move) for before, move in replayed(board, await self_play_960(engine, board)))
    # The king beside its rook, the rook beyond the king's destination, and both already in place.
    for fen in ("4k3/8/8/8/8/8/8/RK5R w HA - 0 1", "4k3/8/8/8/8/8/8/1RK4R w HB - 0 1", "4k3/8/8/8/8/8/8/5KR1 w G - 0 1"):
        board = chess.Board(fen, chess960=True)
        king_moves = [move for move in board.legal_moves if board.is_castling(move)]
        for move in king_moves:
            after = board.copy()
            after.push(move)
            await engine.play(after, chess.engine.Limit(depth=3), game=f"{fen} {move}")
            castled += 1
    print(f"{castled} castling moves went over the wire")


async def self_play_960(engine, board):
    return await self_play(engine, board, 40, chess.engine.Limit(time=0.02))


def replayed(final, results):
    """(board before, move) for each move of a finished self-play."""
    board = final.root()
    for result in results:
        yield board, result.move
        board.push(result.move)


def plays_in_parallel(out):
    """python-chess: eight sessions at once, each in a game of its own"""

    async def one(address, first_move):
        async with opened(address) as engine:
            board = chess.Board()
            board.push_uci(first_move)
            await self_play(engine, board, 16, chess.engine.Limit(time=0.05), ponder=True)
            with await engine.analysis(board) as analysis:
                async for info in analysis:
                    if info.get("depth", 0) >= 3:
                        break

    async def all_of_them(address):
        openings = ["a2a3", "b2b3", "c2c4", "d2d4", "e2e4", "f2f4", "g2g3", "h2h4"]
        await asyncio.gather(*(one(address, move) for move in openings))

    with farboard(out) as address:
        asyncio.run(all_of_them(address))


@scenario
async def quitting_ends_the_shim(engine):
    """python-chess: quit ends the connection and the shim, also in the middle of an analysis"""
    analysis = await engine.analysis(chess.Board())
    await asyncio.wait_for(engine.quit(), 10)
    with suppress(chess.engine.EngineError):
        await analysis.wait()
    code = await asyncio.wait_for(engine.returncode, 10)
    assert code == 0, f"the shim's exit code is {code}"


SCENARIOS = [
    plays_with_clocks,
    keeps_other_limits,
    finds_a_mate,
    analyses,
    ponders,
    plays_fischerandom,
    plays_in_parallel,
    quitting_ends_the_shim,
]
