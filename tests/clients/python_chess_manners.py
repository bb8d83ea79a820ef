"""python-chess's options, opponents, results and draw offers."""

import asyncio
import re

import chess
import chess.engine
import chess.variant
from chess.engine import EngineError, Limit, Opponent

from engine_session import EngineOutput, refused, scenario, self_play, use_simply
from paths import SHIM
from server import farboard

SHALLOW = Limit(depth=2, time=2)

# Options that python-chess adds to every engine.
NOT_FROM_THE_ENGINE = {"random", "computer", "name", "engine_rating", "opponent_rating"}

# Option types that python-chess knows.
SETTABLE = {"check", "spin", "combo", "button", "reset", "save", "string", "file", "path"}

# Options that python-chess sets by itself.
MANAGED = {"multipv", "ponder"}

# Late enough for a draw to be agreed: White is lost, or has won.
LOST = "6k1/5ppp/8/8/8/8/q4PPP/6K1 w - - 0 40"
WON = "6k1/5pp1/7p/8/8/8/Q4PPP/6K1 w - - 0 40"

# White is clearly lost, without a stalemate in sight.
HOPELESS = "6k1/5ppp/qr6/8/8/7P/6PK/8 w - - 0 40"


@scenario
async def takes_all_options(engine):
    """python-chess: every option that is declared takes its default and its extremes, or each choice; buttons"""
    declared = {name: option for name, option in engine.options.items() if name not in NOT_FROM_THE_ENGINE}
    assert {"MultiPV", "Elo", "Contempt", "Defaults"} <= set(declared), sorted(declared)
    for name, option in declared.items():
        with EngineOutput() as output:
            for value in values(option):
                print(f"{name} ({option.type}) = {value}")
                await set_option(engine, option, value)
            await engine.ping()
        complaints = [line for line in output.lines if re.match("Error|Illegal|tellusererror", line)]
        assert not complaints, complaints
        # All options are back at their defaults, as some enable output that python-chess does not understand.
        await engine.play(chess.Board(), SHALLOW, game=object())
    # For a single move.
    await engine.play(chess.Board(), SHALLOW, game=object(), options={"Contempt": 30})
    await refused(engine.configure({"no such option": 1}), "unsupported xboard option")
    await refused(engine.configure({"Contempt": -201}), "at least -200")


async def set_option(engine, option, value):
    if option.name.lower() in MANAGED:
        await refused(engine.configure({option.name: value}), "automatically managed")
        engine.send_line(f"option {option.name}={int(value)}")
    elif option.type not in SETTABLE:
        # python-chess 1.11.2 has no sliders and reads the second word of a name as the type.
        await refused(engine.configure({option.name: 1}), "unknown option type")
    else:
        await engine.configure({option.name: value})


def values(option):
    if option.type == "spin":
        # `memory` and `cores` are commands, for which python-chess has no maximum.
        most = 32 if option.max is None else option.max
        return [option.default, option.min, most, option.default]
    if option.type == "check":
        return [not option.default, bool(option.default)]
    if option.type == "combo":
        return [*option.var, option.default]
    if option.type in ("string", "file", "path"):
        return ["some text", ""]
    return [None]


@scenario
async def refuses_invalid_options(engine):
    """python-chess: rejects invalid values and unknown options"""
    for line in ("option MoveOverhead=5001", "option MoveOverhead=soon", "option NoSuchOption=1"):
        engine.send_line(line)
        await refused(engine.play(chess.Board(), SHALLOW, game=object()), "Error")
        await engine.ping()


@scenario
async def accepts_opponents(engine):
    """python-chess: opponents with and without names, titles, ratings, and programs"""
    opponents = [
        Opponent("Ann Example", "WGM", 2400, False),
        Opponent("Mephisto", None, 2000, True),
        Opponent(None, None, None, None),
    ]
    for opponent in opponents:
        await engine.play(chess.Board(), SHALLOW, game=object(), opponent=opponent)
        await engine.send_opponent_information(opponent=opponent, engine_rating=2100)
        await engine.play(chess.Board(), SHALLOW, game=object())
    assert engine.config["name"] == "Mephisto" and engine.config["engine_rating"] == 2100, engine.config
    await engine.configure({"random": True, "computer": True})
    await engine.play(chess.Board(), SHALLOW, game=object())


@scenario
async def accepts_results(engine):
    """python-chess: all kinds of results, by the rules and against them, then a new game"""
    mated = after("f2f3 e7e5 g2g4 d8h4")
    stalemate = chess.Board("7k/5Q2/8/8/8/8/8/K7 b - - 0 1")
    repeated = after("g1f3 g8f6 f3g1 f6g8 " * 2)
    opening = after("e2e4 e7e5")
    results = [
        (mated, {}),
        (stalemate, {}),
        (repeated, {}),
        (opening, {}),
        (opening, {"winner": chess.WHITE, "game_ending": "Black resigns"}),
        (opening, {"winner": chess.BLACK, "game_ending": "White forfeits on time"}),
        (opening, {"game_ending": "Draw by agreement"}),
        (opening, {"game_complete": False, "game_ending": "Nobody: is left; at the board"}),
        (opening, {"game_complete": False}),
    ]
    for board, result in results:
        await engine.play(chess.Board(), SHALLOW, game=(board.fen(), str(result)), ponder=True)
        await engine.send_game_result(board, **result)
        await engine.ping()
    await refused(engine.send_game_result(opening, game_ending="{braces}"), "curly braces")
    await self_play(engine, chess.Board(), 4, SHALLOW)


def after(moves):
    board = chess.Board()
    for move in moves.split():
        board.push_uci(move)
    return board


@scenario
async def agrees_to_draws(engine):
    """python-chess: a draw is accepted in a lost position, not in a won one nor in the opening; both moves come"""
    for fen, expected in ((LOST, True), (WON, False), (chess.STARTING_FEN, False)):
        board = chess.Board(fen)
        result = await engine.play(board, Limit(depth=6, time=5), game=fen, draw_offered=True)
        assert result.move in board.legal_moves, f"{result.move} in {fen}"
        assert result.draw_offered == expected, f"draw offered: {result.draw_offered} in {fen}"
        # The offer applied to that move only.
        board.push(result.move)
        board.push(next(move for move in board.legal_moves if not board.is_capture(move)))
        result = await engine.play(board, Limit(depth=4, time=5), game=fen)
        assert not result.draw_offered, f"a draw is offered in {board.fen()}"


@scenario
async def resigns_when_it_may(engine):
    """python-chess: resigns a hopeless game if its option says so, and goes on with it otherwise"""
    assert "Resign" in engine.options, sorted(engine.options)
    for allowed in (False, True):
        await engine.configure({"Resign": allowed})
        board = chess.Board(HOPELESS)
        resigned = False
        for _ in range(6):
            result = await engine.play(board, Limit(depth=4, time=5), game=allowed)
            resigned = result.resigned
            if resigned:
                break
            board.push(result.move)
            board.push(harmless(board))
        assert resigned == allowed, f"resigned: {resigned}, though Resign is {allowed}: {board.fen()}"
        await engine.send_game_result(board, chess.BLACK, "White resigns")
    await engine.ping()


def harmless(board):
    """A move that neither ends the game nor loses material."""
    for move in board.legal_moves:
        board.push(move)
        ends = board.is_game_over(claim_draw=True)
        gives = any(board.is_capture(reply) for reply in board.legal_moves)
        board.pop()
        if not ends and not gives:
            return move
    raise AssertionError(f"every move ends the game or loses something: {board.fen()}")


@scenario
async def plays_its_variants(engine):
    """python-chess: plays the variants that are declared, refuses the others and goes on"""
    declared = engine.features["variants"].split(",")
    played, others = [], []
    for kind in chess.variant.VARIANTS:
        if kind.uci_variant == "chess":
            continue
        board = kind()
        if kind.xboard_variant in declared:
            results = await self_play(engine, board, 20, Limit(time=0.05))
            assert results, kind.xboard_variant
            played.append(kind.xboard_variant)
        else:
            await refused(engine.play(board, SHALLOW, game=board), "unsupported xboard variant")
            others.append(kind.xboard_variant)
    print(f"played: {played}, not played: {others}")
    await self_play(engine, chess.Board(), 4, SHALLOW)


def loses_the_server(out):
    """python-chess: notices a server that disappears in the middle of an analysis"""

    async def until_the_end(address, begun):
        transport, engine = await chess.engine.popen_xboard([str(SHIM), "--give-up", "1", address], stderr=None)
        try:
            analysis = await engine.analysis(chess.Board())
            await analysis.get()
            begun.set()
            try:
                await asyncio.wait_for(analysis.wait(), 20)
            except EngineError:
                pass
            else:
                raise AssertionError("the analysis ended as if nothing had happened")
            await asyncio.wait_for(engine.returncode, 10)
            await refused(engine.play(chess.Board(), SHALLOW), "engine process dead")
        finally:
            transport.close()

    async def session():
        begun = asyncio.Event()
        with farboard(out) as address:
            client = asyncio.create_task(until_the_end(address, begun))
            waiting = asyncio.create_task(begun.wait())
            await asyncio.wait([client, waiting], return_when=asyncio.FIRST_COMPLETED, timeout=20)
            assert begun.is_set(), "no analysis has begun"
        await client

    asyncio.run(session())


def is_simple(out):
    """python-chess: the synchronous engine plays, analyses and closes"""
    with farboard(out) as address:
        with chess.engine.SimpleEngine.popen_xboard([str(SHIM), address]) as engine:
            use_simply(engine)
        with chess.engine.SimpleEngine.popen_xboard([str(SHIM), address]) as engine:
            engine.quit()
        # Closed without `quit`.
        engine = chess.engine.SimpleEngine.popen_xboard([str(SHIM), address])
        engine.play(chess.Board(), SHALLOW, ponder=True)
        engine.close()


SCENARIOS = [
    takes_all_options,
    refuses_invalid_options,
    accepts_opponents,
    accepts_results,
    agrees_to_draws,
    resigns_when_it_may,
    plays_its_variants,
    loses_the_server,
    is_simple,
]
