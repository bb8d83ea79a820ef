"""xboard as Zippy plays our engine in the variants of a chess server."""

import random
import re

import chess

from ics.server import Account, chess_server
from ics.visitor import visitor
from server import farboard
from zippy import FAST
from zippy_xboard import zippy

ACCOUNTS = {"Zippy": Account("secret", 1600, computer=True), "Ann": Account("sesame", 1500)}
VARIANTS = ["-zippyVariants", "normal,crazyhouse,bughouse,suicide,losers,atomic,wildcastle,nocastle"]

# What is asked for, and how xboard calls it.
KINDS = {
    "crazyhouse": "crazyhouse",
    "suicide": "suicide",
    "losers": "losers",
    "atomic": "atomic",
    "wild 1": "wildcastle",
    "wild 2": "nocastle",
}


def any_move(board):
    return random.Random(board.fen()).choice(sorted(board.legal_moves, key=chess.Move.uci))


def zippy_plays_variants(out):
    """xboard -zp: rated games of crazyhouse, suicide, losers, atomic and two wild types, each played to its end"""
    with (
        farboard(out) as address,
        chess_server(out, **ACCOUNTS) as port,
        zippy(out, port, address, "Zippy", *FAST, *VARIANTS) as player,
        visitor(port, "Ann", "sesame") as ann,
    ):
        for number, (kind, name) in enumerate(KINDS.items()):
            color = ("white", "black")[number % 2]
            ann.says(f"match Zippy 0 1 rated {color} {kind}")
            ann.hears(rf"^Creating: \w+ \(\d+\) \w+ \(\d+\) rated {kind.replace(' ', '/')} 0 1$")
            player.dialogue.expect(f">variant {name}")
            reason, result = ann.plays(any_move)
            print(f"{kind}: {reason} {result}")
            assert result == ("0-1" if color == "white" else "1-0"), f"{kind}: {reason} {result}"
            ann.hears(r"^\w+ rating adjustment: \d+ --> \d+$")
            player.finishes(re.escape(f"{result} {{{reason}}}"))


SCENARIOS = [zippy_plays_variants]
