"""xboard in Zippy mode plays the engine in the variants of a chess server."""

import random
import re

import chess

from ics.server import Account, chess_server
from ics.visitor import visitor
from server import farboard
from zippy_xboard import zippy

ACCOUNTS = {"Zippy": Account("secret", 1600, computer=True), "Ann": Account("sesame", 1500)}
# With `wildcastle`, which docs/zippy.md does not recommend: the server here understands `o-o` from the d-file
# as xboard does.
VARIANTS = ["-zippyVariants", "normal,crazyhouse,suicide,losers,atomic,wildcastle,nocastle"]

# Deep enough to beat random moves.
SHALLOW = ["-firstInitString", "new\nsd 4\n"]

# The requested variants, and xboard's names for them.
KINDS = {
    "crazyhouse": "crazyhouse",
    "suicide": "suicide",
    "losers": "losers",
    "atomic": "atomic",
    "wild 1": "wildcastle",
    "wild 2": "nocastle",
}

# White's moves that castle a king from d1 to b1; nothing prevents them in three moves.
CASTLING = ["b1c3", "d2d3", "c1d2", "d1b1"]


def any_move(board):
    return random.Random(board.fen()).choice(sorted(board.legal_moves, key=chess.Move.uci))


def castles(board):
    """Moves that lead to castling, then any move."""
    index = board.fullmove_number - 1
    return chess.Move.from_uci(CASTLING[index]) if index < len(CASTLING) else any_move(board)


def zippy_plays_variants(out):
    """xboard -zp: rated games of crazyhouse, suicide, losers, atomic and two wild types, each played to its end"""
    played = []
    with (
        farboard(out) as address,
        chess_server(out, **ACCOUNTS) as port,
        zippy(out, port, address, "Zippy", *SHALLOW, *VARIANTS) as player,
        visitor(port, "Ann", "sesame") as ann,
    ):
        dialogue = player.dialogue
        for number, (asked, name) in enumerate(KINDS.items()):
            color = ("white", "black")[number % 2]
            kind = asked.replace(" ", "/")
            mark = dialogue.skip()
            ann.send(f"match Zippy 0 1 rated {color} {asked}")
            ann.expect(rf"^Creating: \w+ \(\d+\) \w+ \(\d+\) rated {kind} 0 1$")
            dialogue.expect(f">variant {name}")
            reason, result = ann.plays(castles if kind == "wild/1" else any_move)
            print(f"{kind}: {reason} {result}")
            assert result != ("1-0" if color == "white" else "0-1"), f"lost to random moves: {kind}: {reason} {result}"
            ann.expect(r"^\w+ rating adjustment: \d+ --> \d+$")
            player.finishes(re.escape(f"{result} {{{reason}}}"))
            received = dialogue.since(mark)
            if kind == "crazyhouse":
                for form in (r">holding \[\w*\] \[\w*\] [WB][PNBRQ]", r">holding \[\w*\] \[\w*\] "):
                    assert any(re.fullmatch(form, line) for line in received), f"no {form}, see {dialogue.path}"
            if kind == "wild/1":
                assert ">usermove d1b1" in received, f"no side castled, see {dialogue.path}"
            played.append((kind, color, result, reason))
    check_recorded(player.out / "game.pgn", played)


def check_recorded(path, played):
    """Checks that xboard has saved these games with their variants, some unknown to python-chess."""
    text = " ".join(path.read_text().split())
    games = [game for game in text.split("[Event ") if game]
    assert len(games) == len(played), f"{len(games)} games of {len(played)}, see {path}"
    for game, (kind, color, result, reason) in zip(games, played):
        players = ("Ann", "Zippy") if color == "white" else ("Zippy", "Ann")
        tags = [f'"ICS rated {kind} match"', *(f'[{tag} "{name}"]' for tag, name in zip(("White", "Black"), players))]
        name = KINDS[kind.replace("/", " ")]
        for expected in (*tags, f'[Result "{result}"]', f'[Variant "{name}"]', f"{{{reason}}} {result}"):
            assert expected in game, f"no {expected} in {game}, see {path}"


def captures(board):
    """Captures with a pawn if possible, which soon fills a hand."""
    return min(board.legal_moves, key=lambda move: (not board.is_capture(move), move.uci() not in ("e2e4", "d2d4")))


def zippy_resumes_crazyhouse(out):
    """xboard -zp: an adjourned game of crazyhouse is resumed with its pieces in hand"""
    with (
        farboard(out) as address,
        chess_server(out, **ACCOUNTS) as port,
        zippy(out, port, address, "Zippy", *SHALLOW, *VARIANTS) as player,
    ):
        dialogue = player.dialogue
        with visitor(port, "Ann", "sesame") as ann:
            ann.send("match Zippy 0 1 rated white crazyhouse")
            # So few moves that no king is mated.
            ann.plays(captures, moves=4)
            board = ann.is_on_move()
            ann.leaves()
        player.finishes(r"\* \{Ann lost connection; game adjourned\}")
        with visitor(port, "Ann", "sesame") as ann:
            ann.send("match Zippy")
            dialogue.expect(">variant crazyhouse", ">force", *[">usermove .*"] * 8, ">playother")
            assert ann.is_on_move().fen() == board.fen(), f"a different position from {board.fen()}"
            ann.send(any_move(board).uci())
            reason, result = ann.plays(any_move)
            player.finishes(re.escape(f"{result} {{{reason}}}"))


SCENARIOS = [zippy_plays_variants, zippy_resumes_crazyhouse]
