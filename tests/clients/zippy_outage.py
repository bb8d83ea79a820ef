"""xboard in Zippy mode continues its game when the engine's server dies and is restarted."""

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from ics.server import Account, chess_server
from ics.visitor import visitor
from server import kill, mortal_farboard
from zippy import FAST, check_saved
from zippy_bughouse import ACCOUNTS, BUGHOUSE, are_partners
from zippy_manners import first_legal
from zippy_variants import SHALLOW, any_move
from zippy_xboard import zippy


def zippy_survives_its_server(out):
    """xboard -zp: the engine's server is killed on the opponent's turn and on its own, and the game continues"""
    with (
        ExitStack() as servers,
        chess_server(out, Zippy=Account("secret", 1600), Ann=Account("sesame", 1500)) as port,
    ):
        server, address = mortal_farboard(servers, out)
        with zippy(out, port, address, "Zippy", words=FAST) as player, visitor(port, "Ann", "sesame") as ann:
            dialogue = player.dialogue
            ann.send("match Zippy 0 1 white")
            ann.plays(first_legal, moves=2)
            board = ann.is_on_move()
            kill(server)
            server, _ = mortal_farboard(servers, out, address)
            ann.send(first_legal(board).uci())
            dialogue.expect(*[">usermove .*", "<move .*"] * 3)

            board = ann.is_on_move()
            ann.send(first_legal(board).uci())
            dialogue.expect(">usermove .*")
            kill(server)
            mortal_farboard(servers, out, address)
            mark = dialogue.next
            board = ann.is_on_move()
            moves = [line for line in dialogue.since(mark) if line.startswith("<move ")]
            assert len(moves) == 1, f"{moves} instead of one move, see {dialogue.path}"

            ann.send("resign")
            ann.game_ends("Ann resigns", "0-1")
            player.finishes(r"0-1 \{Ann resigns\}")
            ann.send("match Zippy 0 1 white")
            ann.plays(first_legal, moves=1)
            ann.is_on_move()
            ann.send("resign")
            ann.game_ends("Ann resigns", "0-1")
            player.finishes(r"0-1 \{Ann resigns\}")
    check_saved(player, *[("Ann", "Zippy", "0-1", "Ann resigns")] * 2)


class Killer:
    """Chooses a visitor's moves, and kills and restarts the engines' server every few moves."""

    def __init__(self, servers, out):
        self._servers, self._out = servers, out
        self._server, self.address = mortal_farboard(servers, out)
        self.kills = 0

    def chooses(self, board):
        if board.fullmove_number % 2 == 0:
            kill(self._server)
            self._server, _ = mortal_farboard(self._servers, self._out, self.address)
            self.kills += 1
        return any_move(board)


def zippy_keeps_pieces_in_hand(out):
    """xboard -zp: the engine's server is killed in crazyhouse and bughouse, and no piece in hand is lost"""
    with ExitStack() as servers, chess_server(out, **ACCOUNTS) as port, ExitStack() as stack:
        killer = Killer(servers, out)

        def enters(name, *options):
            return stack.enter_context(zippy(out, port, killer.address, name, *SHALLOW, *options))

        castor, pollux = enters("Castor", *BUGHOUSE), enters("Pollux", *BUGHOUSE)
        ann, bob = (stack.enter_context(visitor(port, name, "sesame")) for name in ("Ann", "Bob"))
        ann.send("match Castor 0 1 rated white crazyhouse")
        reason, result = ann.plays(killer.chooses)
        print(reason, result, f"{killer.kills} kills")
        castor.finishes(re.escape(f"{result} {{{reason}}}"))

        are_partners((castor, pollux), (ann, bob))
        ann.send("match Castor 0 1 rated black bughouse")
        with ThreadPoolExecutor(2) as pool:
            other = pool.submit(bob.plays, any_move)
            ends = [ann.plays(killer.chooses), other.result()]
        print(ends, f"{killer.kills} kills")
        for player, (reason, result) in zip((castor, pollux), ends):
            player.finishes(re.escape(f"{result} {{{reason}}}"))
        assert killer.kills > 3, f"only {killer.kills} kills"


SCENARIOS = [zippy_survives_its_server, zippy_keeps_pieces_in_hand]
