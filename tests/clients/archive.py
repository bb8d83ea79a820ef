"""python-chess reads the archive; its PGN reader reports everything it does not understand."""

import asyncio

import chess
import chess.engine
import chess.pgn
import chess.variant

from engine_session import opened, self_play, without_book
from paths import SHIM
from server import farboard

LIMIT = chess.engine.Limit(depth=4)


def games_of_python_chess(out):
    """archive: games of xboard, of a variant and of UCI, read by python-chess with scores and times"""
    folder = out / "games"
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    with farboard(out, "--archive", folder, "--archive-min-moves", "0") as address:
        asyncio.run(play(address))
    games = list(read(folder))
    for game in games:
        print(game, end="\n\n")
        assert not game.errors, game.errors
        check(game)
    assert [game.headers["Result"] for game in games] == ["1/2-1/2", "0-1", "1-0"], games
    assert games[1].board().uci_variant == "crazyhouse", games[1].headers
    assert games[2].end().board().is_checkmate(), games[2]


async def play(address):
    async with opened(address) as engine:
        await engine.configure(without_book(engine))
        for board, winner in [(chess.Board(), None), (chess.variant.CrazyhouseBoard(), chess.BLACK)]:
            await self_play(engine, board, 12, LIMIT)
            await engine.send_game_result(board, winner, "agreed", True)
    _, engine = await chess.engine.popen_uci([str(SHIM), address], stderr=None)
    board = chess.Board("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1")
    while not board.is_game_over():
        result = await engine.play(board, chess.engine.Limit(white_clock=9, black_clock=9), game=board)
        board.push(result.move)
    await engine.quit()


def read(folder):
    for path in sorted(folder.glob("farboard-*.pgn")):
        with open(path) as text:
            while game := chess.pgn.read_game(text):
                yield game


def check(game):
    """Every move has a score and a time, as the engine plays both sides; mating moves are exempt."""
    nodes = list(game.mainline())
    assert nodes and all(node.eval() is not None for node in nodes), game
    assert all(node.emt() is not None and node.emt() < 10 for node in nodes), game
    assert "program" in (game.headers.get("WhiteType"), game.headers.get("BlackType")), game.headers
    assert game.headers["Date"] == game.headers["UTCDate"], game.headers


SCENARIOS = [games_of_python_chess]
