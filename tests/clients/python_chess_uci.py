"""python-chess plays over UCI: through the shim, over a socket and with `farboard stdio`. It checks every move and
variation for legality; an unknown line fails the scenario.
"""

import asyncio
import time

import chess
import chess.engine
from chess.engine import INFO_ALL, Limit

from engine_session import play_with_clocks, self_play, use_simply
from paths import ROOT, SERVER, SHIM
from server import farboard
from uci_session import TEST_TIMEOUT, AwaitedOutput, opened, scenario

LATE = 3

PERFT = ROOT / "tests/data/perft-variants.epd"


@scenario
async def uci_plays_with_clocks(engine):
    """python-chess, UCI: a game with two clocks, 2 s + 0.02 s, with the shim, a socket and stdio"""
    await play_with_clocks(engine, 2.0, 250)


@scenario
async def uci_keeps_other_limits(engine):
    """python-chess, UCI: depth, time, nodes, sessions of moves, several limits; taking back; new games"""
    limits = [
        Limit(depth=4),
        Limit(time=0.1),
        Limit(nodes=2000),
        Limit(depth=3, time=5),
        Limit(nodes=1_000_000, depth=2),
        Limit(white_clock=5, black_clock=5, remaining_moves=10),
        Limit(white_clock=1),
        Limit(white_clock=60, black_clock=60, depth=2, nodes=500, time=1),
    ]
    for limit in limits:
        board = chess.Board()
        results = await self_play(engine, board, 4, limit, info=INFO_ALL)
        for result in results:
            assert limit.depth is None or result.info["depth"] <= limit.depth, f"{result.info} with {limit}"
            assert limit.nodes is None or result.info["nodes"] <= limit.nodes, f"{result.info} with {limit}"
    line = chess.Board()
    for move in ["e2e4", "c7c5", "g1f3", "d7d6", "d2d4", "c5d4"]:
        line.push_uci(move)
    for _ in range(3):
        await engine.play(line, Limit(depth=3), game="line")
        line.pop()
        line.pop()
    # python-chess sends an empty clock as one millisecond.
    started = time.monotonic()
    await engine.play(chess.Board(), Limit(white_clock=0, black_clock=60), game="no time")
    assert time.monotonic() - started < LATE


@scenario
async def uci_ponders(engine):
    """python-chess, UCI: ponders, predicts the reply rightly and wrongly, is stopped"""
    board = chess.Board()
    limit = Limit(white_clock=4, black_clock=4, white_inc=0.05, black_inc=0.05)
    with AwaitedOutput() as output:
        sent = Sent(engine)
        for turn in range(9):
            result = await engine.play(board, limit, game="pondering", ponder=True)
            board.push(result.move)
            expected = result.ponder if result.ponder in board.legal_moves else None
            # Every third reply differs from the expected one.
            others = [move for move in board.legal_moves if move != expected]
            board.push(expected if expected and turn % 3 else others[turn % len(others)])
        await engine.ping()
        result = await engine.play(board, Limit(depth=3), game="pondering", ponder=False)
        assert result.move in board.legal_moves, result.move
        # Each `go` has one answer, and no `go` follows a `ponderhit`.
        await engine.ping()
        best = [line for line in output.lines if line.startswith("bestmove ")]
        asked = [line for line in sent.lines if line.startswith("go ")]
        hits = sent.lines.count("ponderhit")
        assert hits >= 3 and len(best) == len(asked), f"{hits} hits, {len(best)} moves for {len(asked)} searches"
        print(f"{len(asked)} searches, {hits} of them were pondering and right")


class Sent:
    """Collects the commands sent to an engine."""

    def __init__(self, engine):
        self.lines = []
        send = engine.send_line

        def send_line(line):
            self.lines.append(line)
            send(line)

        engine.send_line = send_line


@scenario
async def uci_plays_chess960(engine):
    """python-chess, UCI: Chess960, from start positions and the perft data, castling; then chess again"""
    castled = 0
    for number in (0, 518, 959):
        board = chess.Board.from_chess960_pos(number)
        for result in await self_play(engine, board, 24, Limit(nodes=500)):
            assert result.move, number
    rows = [line.split(";") for line in PERFT.read_text().splitlines() if line.startswith("fischerandom;")]
    for _, fen, first, *_ in rows:
        board = chess.Board(fen, chess960=True)
        # Farboard and python-chess agree on the position.
        assert board.legal_moves.count() == int(first.split()[1]), fen
        castling = [move for move in board.legal_moves if board.is_castling(move)]
        result = await engine.play(board, Limit(nodes=300), game=fen)
        assert result.move in board.legal_moves, f"{result.move} in {fen}"
        # Only castling moves are allowed; they must come back as they were sent.
        for move in castling:
            result = await engine.play(board, Limit(nodes=300), game=fen, root_moves=[move])
            assert result.move == move, f"{result.move} instead of {move} in {fen}"
            after = board.copy()
            after.push(move)
            # Castling may end the game.
            result = await engine.play(after, Limit(nodes=300), game=fen)
            assert result.move in after.legal_moves or after.is_game_over(), f"{result.move} in {after.fen()}"
            castled += 1
    assert castled > 3, f"{castled} of {len(rows)} positions have a move that castles"
    # Without Chess960, castling is written as in chess.
    board = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    with AwaitedOutput() as output:
        await engine.play(board, Limit(depth=2), game="chess", root_moves=[chess.Move.from_uci("e1g1")])
        await output.expect(r"bestmove e1g1\b.*")


def uci_plays_in_parallel(out):
    """python-chess, UCI: eight sessions at once, each in a game of its own, half of them with the shim"""

    async def one(address, way, first_move):
        async with opened(address, way) as engine:
            board = chess.Board()
            board.push_uci(first_move)
            await self_play(engine, board, 16, Limit(time=0.05), ponder=True)
            with await engine.analysis(board, multipv=2) as analysis:
                async for info in analysis:
                    if info.get("depth", 0) >= 3:
                        break

    async def all_of_them(address):
        openings = ["a2a3", "b2b3", "c2c4", "d2d4", "e2e4", "f2f4", "g2g3", "h2h4"]
        ways = ["shim", "tcp"] * 4
        await asyncio.gather(*(one(address, way, move) for way, move in zip(ways, openings)))

    with farboard(out) as address:
        asyncio.run(all_of_them(address))


@scenario
async def uci_quits_in_a_search(engine):
    """python-chess, UCI: quit ends the session and the program in the middle of an analysis and of a long move"""
    analysis = await engine.analysis(chess.Board())
    await asyncio.wait_for(analysis.get(), TEST_TIMEOUT)
    await asyncio.wait_for(engine.quit(), TEST_TIMEOUT)
    assert engine.returncode.result() == 0, engine.returncode


def uci_is_simple(out):
    """python-chess, UCI: the first example of the README plays, analyses and closes, with the shim and with stdio"""
    with farboard(out) as address:
        for command in ([str(SHIM), address], [str(SERVER), "stdio", "--table", "64"]):
            with chess.engine.SimpleEngine.popen_uci(command) as engine:
                use_simply(engine)
            # Closed without `quit`.
            engine = chess.engine.SimpleEngine.popen_uci(command)
            engine.play(chess.Board(), Limit(depth=2), ponder=True)
            engine.close()


SCENARIOS = [
    uci_is_simple,
    uci_plays_with_clocks,
    uci_keeps_other_limits,
    uci_ponders,
    uci_plays_chess960,
    uci_plays_in_parallel,
    uci_quits_in_a_search,
]
