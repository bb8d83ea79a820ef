"""An engine on its own connection, driven by python-chess through the shim."""

import asyncio
import logging
import time
from contextlib import asynccontextmanager

import chess
import chess.engine
from chess.engine import Limit

from paths import SHIM
from referee import ending
from server import farboard


@asynccontextmanager
async def opened(address):
    """An engine on a new connection, dismissed at the end. The scenario's log has all lines."""
    logging.getLogger("chess.engine").setLevel(logging.DEBUG)
    transport, engine = await chess.engine.popen_xboard([str(SHIM), address], stderr=None)
    try:
        yield engine
        await engine.quit()
    finally:
        transport.close()


def scenario(body):
    """Runs a coroutine with one engine on a server of its own."""

    def run(out):
        async def session(address):
            async with opened(address) as engine:
                await body(engine)

        with farboard(out) as address:
            asyncio.run(session(address))

    run.__name__, run.__doc__ = body.__name__, body.__doc__
    return run


async def self_play(engine, board, plies, limit, **options):
    """Lets the engine play both sides until the game ends or has lasted for some plies."""
    results = []
    while len(results) < plies and ending(board)[0] is None:
        result = await engine.play(board, limit, game=board, **options)
        assert result.move in board.legal_moves, f"{result.move} in {board.fen()}"
        board.push(result.move)
        results.append(result)
    return results


async def play_with_clocks(engine, seconds, plies):
    """Lets the engine play both sides, each with `seconds` and 0.02 s per move; no flag may fall."""
    board, clocks, increment = chess.Board(), {chess.WHITE: seconds, chess.BLACK: seconds}, 0.02
    while ending(board)[0] is None and board.ply() < plies:
        limit = Limit(
            white_clock=clocks[chess.WHITE], black_clock=clocks[chess.BLACK], white_inc=increment, black_inc=increment
        )
        started = time.monotonic()
        result = await engine.play(board, limit, game="one")
        clocks[board.turn] += increment - (time.monotonic() - started)
        assert clocks[board.turn] > 0, f"the flag fell on ply {board.ply()}"
        assert result.move in board.legal_moves, f"{result.move} in {board.fen()}"
        board.push(result.move)
    print(f"{board.ply()} plies, {ending(board)}, clocks {clocks[True]:.2f} and {clocks[False]:.2f}")


def use_simply(engine):
    """Runs one of each operation of the synchronous interface."""
    board = chess.Board()
    assert engine.play(board, Limit(time=0.1)).move in board.legal_moves
    assert engine.analyse(board, Limit(time=0.1))["score"]
    engine.ping()
    with engine.analysis(board) as analysis:
        assert next(iter(analysis))
    assert engine.id["name"].startswith("Farboard"), engine.id


def without_book(engine):
    """Book moves are not searched."""
    return {"Book": "none"} if "Book" in engine.options else {}


class EngineOutput(logging.Handler):
    """Collects the engines' output while this context is active."""

    def __enter__(self):
        self.lines = []
        logging.getLogger("chess.engine").addHandler(self)
        return self

    def __exit__(self, *_):
        logging.getLogger("chess.engine").removeHandler(self)

    def emit(self, record):
        _, sign, line = record.getMessage().partition(">> ")
        if sign:
            self.lines.append(line)


async def refused(command, why):
    """Checks that the command is refused with an error that contains `why`."""
    try:
        await command
    except chess.engine.EngineError as error:
        assert why in str(error), f"refused with {str(error)!r}, which is not about {why!r}"
    else:
        raise AssertionError(f"a command was accepted that must be refused for {why!r}")
