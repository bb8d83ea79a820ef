"""xboard as Zippy goes on with its game when our server dies and is started again."""

from contextlib import ExitStack

from ics.server import Account, chess_server
from ics.visitor import visitor
from server import kill, mortal_farboard
from zippy import FAST, check_saved
from zippy_manners import first_legal
from zippy_xboard import zippy


def zippy_survives_its_server(out):
    """xboard -zp: the engine's server is killed on the opponent's turn and on its own, and the game goes on"""
    with (
        ExitStack() as servers,
        chess_server(out, Zippy=Account("secret", 1600), Ann=Account("sesame", 1500)) as port,
    ):
        server, address = mortal_farboard(servers, out)
        with zippy(out, port, address, "Zippy", *FAST) as player, visitor(port, "Ann", "sesame") as ann:
            said = player.dialogue
            ann.says("match Zippy 0 1 white")
            ann.plays(first_legal, moves=2)
            board = ann.is_on_move()
            kill(server)
            server, _ = mortal_farboard(servers, out, address)
            ann.says(first_legal(board).uci())
            said.expect(*[">usermove .*", "<move .*"] * 3)

            board = ann.is_on_move()
            ann.says(first_legal(board).uci())
            said.expect(">usermove .*")
            kill(server)
            mortal_farboard(servers, out, address)
            mark = said.next
            board = ann.is_on_move()
            moves = [line for line in said.since(mark) if line.startswith("<move ")]
            assert len(moves) == 1, f"{moves} instead of one move, see {said.path}"

            ann.says("resign")
            ann.game_ends("Ann resigns", "0-1")
            player.finishes(r"0-1 \{Ann resigns\}")
            ann.says("match Zippy 0 1 white")
            ann.plays(first_legal, moves=1)
            ann.is_on_move()
            ann.says("resign")
            ann.game_ends("Ann resigns", "0-1")
            player.finishes(r"0-1 \{Ann resigns\}")
    check_saved(player, *[("Ann", "Zippy", "0-1", "Ann resigns")] * 2)


SCENARIOS = [zippy_survives_its_server]
