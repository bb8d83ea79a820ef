"""python-chess analyses over UCI: several lines, some first moves, mates, and other commands during the search."""

import asyncio

import chess
import chess.engine
from chess.engine import EngineError, Limit, Mate, Opponent

from engine_session import refused
from uci_session import TEST_TIMEOUT, AwaitedOutput, scenario

SICILIAN = ["e2e4", "c7c5", "g1f3", "d7d6", "d2d4", "c5d4", "f3d4", "g8f6", "b1c3", "a7a6"]
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
MATE_IN_THREE = "2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1"
MATED = "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4"
STALEMATED = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"


@scenario
async def uci_analyses(engine):
    """python-chess, UCI: analyses to increasing depth, stops, goes to another position, forwards and back"""
    board = chess.Board()
    for move in SICILIAN:
        board.push_uci(move)
        await deeper(engine, board, 6)
    for _ in range(3):
        board.pop()
        await deeper(engine, board, 6)
    # Two stops for one search have one answer.
    analysis = await engine.analysis(board)
    await asyncio.wait_for(analysis.get(), TEST_TIMEOUT)
    analysis.stop()
    analysis.stop()
    best = await asyncio.wait_for(analysis.wait(), TEST_TIMEOUT)
    assert best.move in board.legal_moves, best
    await engine.ping()
    # The next command ends an analysis that was not stopped.
    analysis = await engine.analysis(board)
    await analysis.get()
    result = await asyncio.wait_for(engine.play(board, Limit(depth=3)), TEST_TIMEOUT)
    assert result.move in board.legal_moves
    await asyncio.wait_for(analysis.wait(), TEST_TIMEOUT)


async def deeper(engine, board, depth):
    """Analyses until this depth is reached; depths and nodes only grow."""
    depths, nodes = [0], [0]
    with await engine.analysis(board) as analysis:
        async for info in analysis:
            if "pv" in info:
                assert {"depth", "seldepth", "score", "nodes", "nps", "time"} <= set(info), info
                depths.append(info["depth"])
                nodes.append(info["nodes"])
            if depths[-1] >= depth:
                break
    assert depths == sorted(depths), f"depths went back: {depths}"
    assert nodes == sorted(nodes), f"nodes went back: {nodes}"
    await engine.ping()


@scenario
async def uci_shows_several_lines(engine):
    """python-chess, UCI: MultiPV, more lines than there are moves, one line again"""
    board = chess.Board()
    for count in (3, 5, 1, 2):
        lines = await engine.analyse(board, Limit(depth=6), multipv=count)
        assert len(lines) == count, f"{len(lines)} lines of {count}"
        check_lines(board, lines)
    # Each depth has all its lines in order.
    with await engine.analysis(board, Limit(depth=8), multipv=3) as analysis:
        seen = [info["multipv"] async for info in analysis if "pv" in info]
    groups = [seen[index : index + 3] for index in range(0, len(seen), 3)]
    assert all(group == [1, 2, 3] for group in groups), seen
    few = chess.Board("7k/8/8/8/8/8/R7/K7 b - - 0 1")
    lines = await engine.analyse(few, Limit(depth=4), multipv=20)
    assert len(lines) == few.legal_moves.count(), lines
    result = await engine.play(board, Limit(depth=5), info=chess.engine.INFO_ALL)
    assert result.info.get("multipv", 1) == 1, result.info


def check_lines(board, lines):
    firsts = [line["pv"][0] for line in lines]
    assert len(set(firsts)) == len(firsts), firsts
    scores = [line["score"].pov(board.turn) for line in lines]
    assert scores == sorted(scores, reverse=True), scores
    for line in lines:
        after = board.copy()
        for move in line["pv"]:
            assert move in after.legal_moves, f"{move} in {after.fen()}"
            after.push(move)


@scenario
async def uci_considers_some_moves(engine):
    """python-chess, UCI: plays and analyses some first moves only, then all again; with several lines, too"""
    board = chess.Board()
    some = [chess.Move.from_uci(move) for move in ("a2a3", "h2h4", "g1h3")]
    result = await engine.play(board, Limit(depth=4), root_moves=some)
    assert result.move in some, result
    lines = await engine.analyse(board, Limit(depth=6), multipv=5, root_moves=some)
    assert {line["pv"][0] for line in lines} == set(some), lines
    info = await engine.analyse(board, Limit(depth=8), game="all")
    assert info["pv"][0] not in some, info["pv"]
    won = chess.Board(MATE_IN_ONE)
    quiet = [move for move in won.legal_moves if move != chess.Move.from_uci("a1a8")]
    info = await engine.analyse(won, Limit(depth=4), root_moves=quiet)
    assert info["score"].white() < Mate(1), info
    # For an empty list python-chess sends a null move.
    result = await engine.play(board, Limit(depth=2), root_moves=[])
    assert result.move is None or result.move in board.legal_moves, result


@scenario
async def uci_finds_mates(engine):
    """python-chess, UCI: a mate in one, in three by `go mate`, for both sides; no move where none is legal"""
    board = chess.Board(MATE_IN_ONE)
    result = await engine.play(board, Limit(depth=4), info=chess.engine.INFO_ALL)
    assert result.move == chess.Move.from_uci("a1a8"), result.move
    assert result.info["score"].white() == Mate(1), result.info
    info = await engine.analyse(chess.Board(MATE_IN_THREE), Limit(mate=3))
    assert info["score"].white() >= Mate(3), info
    board.push_uci("a1b1")
    board.push_uci("h7h6")
    board.push_uci("b1b8")
    board.push_uci("g8h7")
    assert (await engine.play(board, Limit(depth=3))).move in board.legal_moves
    for fen in (MATED, STALEMATED):
        result = await engine.play(chess.Board(fen), Limit(time=1))
        assert result.move is None, f"{result.move} in {fen}"
        info = await engine.analyse(chess.Board(fen), Limit(depth=5))
        assert info["score"].relative == (Mate(0) if fen == MATED else chess.engine.Cp(0)), info


@scenario(complaint="readyok|option Threads: |unknown command")
async def uci_answers_in_a_search(engine):
    """python-chess, UCI: isready is answered in a search, options wait, and nonsense does not disturb it"""
    with AwaitedOutput() as output:
        board = chess.Board()
        analysis = await engine.analysis(board)
        await asyncio.wait_for(analysis.get(), TEST_TIMEOUT)
        before = output.lines.count("readyok")
        for line in ("isready", "isready"):
            engine.send_line(line)
        while output.lines.count("readyok") < before + 2:
            await asyncio.wait_for(analysis.get(), TEST_TIMEOUT)
        options = ["setoption name Hash value 32", "setoption name Threads value many"]
        for line in ("", "   ", *options, "ponderhit", "hello"):
            engine.send_line(line)
        engine.send_line("setoption name MultiPV value 2")
        engine.send_line("position startpos moves e2e4")
        await output.expect(r"info string .*Threads.*")
        await output.expect(r"info string unknown command: hello")
        assert not [line for line in output.lines if line.startswith("bestmove")], "a move without a stop"
        analysis.stop()
        best = await asyncio.wait_for(analysis.wait(), TEST_TIMEOUT)
        assert best.move in board.legal_moves, best
        assert len([line for line in output.lines if line.startswith("bestmove")]) == 1


@scenario
async def uci_takes_options(engine):
    """python-chess, UCI: every option takes its extremes or choices; names with blanks; buttons; an opponent"""
    declared = dict(engine.options.items())
    wanted = {"Hash", "Threads", "MultiPV", "Ponder", "Clear Hash", "Move Overhead", "UCI_Variant", "UCI_LimitStrength"}
    assert wanted <= set(declared), sorted(declared)
    with AwaitedOutput() as output:
        for name, option in declared.items():
            if option.is_managed():
                continue
            for value in values(option):
                print(f"{name} ({option.type}) = {value}")
                await engine.configure({name: value})
        complaints = [line for line in output.lines if "info string option" in line]
        assert not complaints, complaints
        await engine.play(chess.Board(), Limit(depth=2), game=object())
        await engine.configure({"Move Overhead": 100, "Clear Hash": None})
        await engine.configure({"move overhead": 50})
        weak = {"Move Overhead": 30, "UCI_LimitStrength": True, "UCI_Elo": 1500}
        await engine.play(chess.Board(), Limit(depth=2), options=weak)
        await engine.play(chess.Board(), Limit(depth=2), opponent=Opponent("Ann B. C", "GM", 2800, False))
        await refused(engine.configure({"No Such Option": 1}), "does not support option")
        await refused(engine.configure({"Hash": 0}), "at least 1")
        engine.send_line("setoption name No Such Option value x y z")
        await output.expect(r"info string option No Such Option: .*")
    await engine.ping()


def values(option):
    """Values to try; the option's default comes last."""
    if option.type == "check":
        return [not option.default, option.default]
    if option.type == "spin":
        # Extremes are accepted, although the table cannot grow and there is no such memory.
        return [option.min, option.max, option.default]
    if option.type == "combo":
        return [*option.var, option.default]
    if option.type == "button":
        return [None]
    return [option.default or ""]


@scenario
async def uci_refuses_illegal_positions(engine):
    """python-chess, UCI: an illegal FEN and an illegal move are reported and not searched; the next position is"""
    with AwaitedOutput() as output:
        for fen in ("8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/8 w - - 0 1", "4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1"):
            output.lines.clear()
            # python-chess would see the same at a stalemate.
            result = await engine.play(chess.Board(fen), Limit(time=1))
            assert result.move is None, f"{result.move} in {fen}"
            await output.expect(r"info string .*illegal.*")
            output.lines.clear()
            result = await engine.play(chess.Board(), Limit(depth=2))
            assert result.move in chess.Board().legal_moves
    board = chess.Board()
    # Pushed without a check by python-chess.
    board.push(chess.Move.from_uci("e2e5"))
    with AwaitedOutput() as output:
        try:
            result = await engine.play(board, Limit(depth=3))
            assert result.move is None, result
        except EngineError as error:
            raise AssertionError(f"a move from an invalid position: {error}") from error
        await output.expect(r"info string move 1 of the position, e2e5, cannot be played.*")
    assert (await engine.play(chess.Board(), Limit(depth=2))).move


SCENARIOS = [
    uci_analyses,
    uci_shows_several_lines,
    uci_considers_some_moves,
    uci_finds_mates,
    uci_answers_in_a_search,
    uci_takes_options,
    uci_refuses_illegal_positions,
]
