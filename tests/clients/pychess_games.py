"""PyChess's engine code without its windows: `pychess_driver.py`, run by Debian's python3, plays and analyses."""

import json
import subprocess
from pathlib import Path

import chess
import chess.engine
import chess.variant

from paths import PATH, SERVER, SHIM
from server import farboard

DRIVER = Path(__file__).with_name("pychess_driver.py")

# The weakest levels search to a depth and ignore clocks.
WEAK = "2"

VARIANTS = ["fischerandom", "crazyhouse", "atomic", "3check", "kingofthehill", "racingkings", "horde", "suicide", "giveaway"]

# Reasons that mean a failure: wrong engine output, or a lost engine.
UNSPORTING = ["ADJUDICATION", "ENGINE_DIED", "CALLFLAG", "RESIGN"]

MINOR_PIECES = {chess.Piece.from_symbol(symbol) for symbol in "KkNnBb"}


def driven(out, *words, limit=240, **more):
    """The driver's output, with additional environment variables."""
    # A home of its own, so that no user's settings matter.
    environment = {"PATH": PATH, "HOME": str(out), "XDG_CONFIG_HOME": str(out / "config"), "LC_ALL": "C.UTF-8", **more}
    with open(out / "pychess.log", "a") as log:
        # Without this folder's modules, which would shadow PyChess's.
        command = ["/usr/bin/python3", "-P", DRIVER, *words]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=log, timeout=limit, check=True)
    # PyChess prints other lines before the result.
    return json.loads(done.stdout.splitlines()[-1])


def checked_game(variant, found):
    """Checks that the moves are legal, and that the game ended by the rules or at its maximum length."""
    chess960 = variant == "fischerandom"
    name = "chess" if variant in ("normal", "fischerandom") else variant
    board = chess.variant.find_variant(name)(found["start"], chess960=chess960)
    for move in found["moves"]:
        # PyChess writes drops as `N@e4` and promotions in capitals.
        board.push(board.parse_uci(move if "@" in move else move.lower()))
    # In racing kings PyChess asks White for a move that could still reach the last rank after Black's king has. The rules
    # let only Black do that: the game is over, the engine has no move, and PyChess adjudicates the result that is right.
    is_over = variant == "racingkings" and board.is_game_over() and board.result() == found["result"]
    assert is_over or not any(word in found["reason"] for word in UNSPORTING), found
    print(f"{variant}: {len(found['moves'])} plies, {found['result']}, {found['reason']}: {board.fen()}")
    # PyChess ends a game of a knight or bishop against a bishop, too, where the rules let a player help the other to mate.
    are_minor = set(board.piece_map().values()) <= MINOR_PIECES
    one_each = all(chess.popcount(side) <= 2 for side in board.occupied_co)
    ends_early = found["reason"] == "DRAW_INSUFFICIENT" and are_minor and one_each
    if found["reason"] != "UNKNOWN_REASON" and not ends_early:
        assert board.is_game_over(claim_draw=True), f"{found['reason']} in {board.fen()} of {variant}"
    return board


def pychess_plays(out):
    """PyChess: a game with clocks, 2 s + 0.05 s, by its rules and its clock"""
    with farboard(out) as address:
        found = driven(out, "game", "normal", "2", "0.05", "20", SHIM, address)
    board = checked_game("normal", found)
    assert found["names"] == ["Farboard 0.1.0"] * 2 and board.ply() > 10, found


def pychess_plays_variants(out):
    """PyChess: a game of each of nine variants, by UCI_Variant and UCI_Chess960, at a weak level"""
    with farboard(out) as address:
        for variant in VARIANTS:
            checked_game(variant, driven(out, "game", variant, "0", "0", WEAK, SHIM, address))


def pychess_analyses(out):
    """PyChess: analyses a game that goes on, with one line and with three, pauses, with the shim and with stdio"""
    with farboard(out) as address:
        for command in ([SHIM, address], [SERVER, "stdio", "--table", "64"]):
            found = driven(out, "analysis", "normal", "0", "0", "0", *command)
            counts = [len(analysis) for analysis in found["analyses"]]
            assert counts == [1, 1, 1, 1, 3, 3, 3], found


def pychess_adds(out):
    """PyChess: adds the shim by its path alone, as its dialog does, and finds all options"""
    with farboard(out) as address:
        # The environment provides the address, as no test uses the default port.
        found = driven(out, "discovery", str(SHIM), FARBOARD_CONNECT=address)
        with chess.engine.SimpleEngine.popen_uci([str(SHIM), address]) as engine:
            options = list(engine.options)
    assert found["protocol"] == "uci", found
    assert found["options"] == options and "Hash" in options, (found, options)


SCENARIOS = [pychess_adds, pychess_plays, pychess_plays_variants, pychess_analyses]
