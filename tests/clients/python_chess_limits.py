"""All limits that python-chess can set over xboard's protocol, and those it refuses."""

import asyncio
import time

import chess
import chess.engine
from chess.engine import INFO_ALL, Limit

from engine_session import refused, scenario, self_play, without_book

# Tolerated delay of a busy machine.
LATE = 3

# From python-chess's own tests: mate in three moves.
MATE_IN_THREE = "2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1"


@scenario
async def plays_within_a_time(engine):
    """python-chess: limits of time per move"""
    await engine.configure(without_book(engine))
    for seconds in (0.05, 0.3, 1):
        started = time.monotonic()
        await engine.play(chess.Board(), Limit(time=seconds), game=seconds)
        took = time.monotonic() - started
        assert took < seconds + LATE, f"{took} s instead of {seconds} s"


@scenario
async def plays_to_a_depth(engine):
    """python-chess: limits of depth, alone and with a time"""
    await engine.configure(without_book(engine))
    for depth in (1, 2, 7):
        result = await engine.play(chess.Board(), Limit(depth=depth), game=depth, info=INFO_ALL)
        assert result.info["depth"] == depth, f"{result.info} instead of depth {depth}"
    result = await engine.play(chess.Board(), Limit(depth=3, time=5), game="both", info=INFO_ALL)
    assert result.info["depth"] == 3, result.info
    started = time.monotonic()
    await engine.play(chess.Board(), Limit(depth=60, time=0.3), game="time first", info=INFO_ALL)
    assert time.monotonic() - started < 0.3 + LATE


@scenario
async def plays_with_some_nodes(engine):
    """python-chess: limits of nodes, alone and with a depth; not with a time"""
    await engine.configure(without_book(engine))
    for nodes in (1, 1000, 50_000):
        result = await engine.play(chess.Board(), Limit(nodes=nodes), game=nodes, info=INFO_ALL)
        assert result.move in chess.Board().legal_moves
        assert 0 < result.info["nodes"] <= nodes, f"{result.info} instead of {nodes} nodes"
    board = chess.Board()
    await self_play(engine, board, 6, Limit(nodes=2000))
    result = await engine.play(board, Limit(nodes=1_000_000, depth=2), game=board, info=INFO_ALL)
    assert result.info["depth"] == 2, result.info
    # The clock is used again in a new game.
    started = time.monotonic()
    result = await engine.play(chess.Board(), Limit(time=0.5), game="clock", info=INFO_ALL)
    assert 2000 < result.info["nodes"], f"{result.info} in half a second"
    assert time.monotonic() - started < 0.5 + LATE
    await refused(engine.play(chess.Board(), Limit(nodes=1000, time=1), game="mixed"), "mixing node limits")
    await engine.ping()


@scenario
async def plays_with_all_clocks(engine):
    """python-chess: clocks with increments and sessions, for both colours, announced once or always"""
    await engine.configure(without_book(engine))
    for colour in chess.COLORS:
        for clock_id in (None, "game"):
            board = chess.Board()
            if not colour:
                board.push_uci("d2d4")
            clock = 2.0
            for left in range(5, 0, -1):
                limit = Limit(
                    white_clock=clock if colour else 60,
                    black_clock=60 if colour else clock,
                    white_inc=0.1,
                    black_inc=0.1,
                    remaining_moves=left,
                    clock_id=clock_id,
                )
                started = time.monotonic()
                result = await engine.play(board, limit, game=(colour, clock_id))
                clock += 0.1 - (time.monotonic() - started)
                assert clock > 0, f"the flag fell with {left} moves to go"
                board.push(result.move)
                board.push(next(iter(board.legal_moves)))
    # Only an increment, and only one clock.
    await engine.play(chess.Board(), Limit(white_clock=1), game="no increment")
    started = time.monotonic()
    await engine.play(chess.Board(), Limit(white_clock=0.5, white_inc=0.1), game="hardly a clock")
    assert time.monotonic() - started < 0.5 + LATE


@scenario
async def analyses_to_limits(engine):
    """python-chess: analyses for a time, to a depth, some nodes, a mate; refuses clocks and many lines"""
    board = chess.Board()
    started = time.monotonic()
    info = await engine.analyse(board, Limit(time=0.5))
    assert 0.4 < time.monotonic() - started < 0.5 + LATE and info["pv"], info
    info = await engine.analyse(board, Limit(depth=8))
    assert info["depth"] >= 8, info
    info = await engine.analyse(board, Limit(nodes=100_000))
    assert info["nodes"] >= 100_000, info
    info = await engine.analyse(chess.Board(MATE_IN_THREE), Limit(mate=3))
    assert info["score"].white() >= chess.engine.Mate(3), info
    await refused(engine.analyse(board, Limit(white_clock=1)), "clock limits")
    await refused(engine.analyse(board, Limit(time=1), multipv=2), "multipv")
    await engine.ping()


@scenario
async def considers_root_moves(engine):
    """python-chess: analyses some first moves only, then all again; plays with all"""
    board = chess.Board()
    await refused(engine.play(board, Limit(depth=1), root_moves=[chess.Move.from_uci("e2e4")]), "root_moves")
    some = [chess.Move.from_uci(move) for move in ("a2a3", "h2h4", "g1h3")]
    if not engine.features.get("exclude"):
        await refused(engine.analyse(board, Limit(depth=1), root_moves=some), "root_moves")
        return
    with await engine.analysis(board, Limit(depth=8), game="some", root_moves=some) as analysis:
        async for info in analysis:
            assert not info.get("pv") or info["pv"][0] in some, f"{info['pv'][0]} is not among {some}"
        best = await analysis.wait()
    assert best.move in some, best
    info = await engine.analyse(board, Limit(depth=8), game="all")
    assert info["pv"][0] not in some, info["pv"]
    won = chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    quiet = [move for move in won.legal_moves if move != chess.Move.from_uci("a1a8")]
    info = await engine.analyse(won, Limit(depth=4), root_moves=quiet)
    assert info["score"].white() < chess.engine.Mate(1), info
    info = await engine.analyse(won, Limit(depth=4), game="mate again")
    assert info["score"].white() == chess.engine.Mate(1), info


@scenario
async def stops_when_told_to(engine):
    """python-chess: cancels moves, also while pondering, and stops analyses"""
    board = chess.Board()
    await engine.configure(without_book(engine))
    await cancelled(engine.play(board, Limit(time=600), game="one", ponder=True))
    await asyncio.wait_for(engine.ping(), 10)
    # The cancelled move came too late and is taken back.
    result = await engine.play(board, Limit(depth=3), game="one")
    assert result.move in board.legal_moves, result.move
    # Pondering ends with the next command.
    result = await engine.play(board, Limit(depth=3), game="ponders", ponder=True)
    await asyncio.wait_for(engine.ping(), 10)

    analysis = await engine.analysis(board)
    assert (await asyncio.wait_for(analysis.get(), 10))["depth"] >= 1
    analysis.stop()
    best = await asyncio.wait_for(analysis.wait(), 10)
    assert best.move in board.legal_moves, best
    # The next command ends an analysis that was not stopped.
    analysis = await engine.analysis(board)
    await analysis.get()
    result = await asyncio.wait_for(engine.play(board, Limit(depth=3)), 10)
    assert result.move in board.legal_moves
    await asyncio.wait_for(analysis.wait(), 10)


@scenario
async def moves_when_cancelled(engine):
    """python-chess: a cancelled move comes at once"""
    await engine.configure(without_book(engine))
    await cancelled(engine.play(chess.Board(), Limit(time=600)))
    # Without pondering, python-chess 1.11.2 keeps waiting after the move, whatever the engine does, and accepts
    # only `quit`.
    end = time.monotonic() + 10
    while not engine.board.move_stack:
        assert time.monotonic() < end, "no move within 10 s"
        await asyncio.sleep(0.01)


async def cancelled(command):
    """Starts the command and cancels it while the engine thinks."""
    task = asyncio.create_task(command)
    await asyncio.wait([task], timeout=0.3)
    assert not task.done(), f"it has already finished: {task}"
    task.cancel()


@scenario
async def plays_to_mate(engine):
    """python-chess: mates in three while it ponders, and sees that it is winning, as in python-chess's own tests"""
    board = chess.Board(MATE_IN_THREE)
    info = await engine.analyse(board, Limit(depth=7, time=2))
    assert info["score"].relative > chess.engine.Cp(1000), info
    while not board.is_game_over() and len(board.move_stack) < 5:
        result = await engine.play(board, Limit(depth=10), ponder=True)
        board.push(result.move)
    assert board.is_checkmate(), board.fen()


SCENARIOS = [
    plays_within_a_time,
    plays_to_a_depth,
    plays_with_some_nodes,
    plays_with_all_clocks,
    analyses_to_limits,
    considers_root_moves,
    stops_when_told_to,
    moves_when_cancelled,
    plays_to_mate,
]
