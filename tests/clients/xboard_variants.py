"""xboard plays a match in each variant that it can start itself, and verifies every claim."""

import re

from debug_file import check
from display import display
from paths import SHIM
from referee import UNSPORTING
from server import farboard
from xboard import play_match

GAMES = 1
VARIANTS = [
    "nocastle",
    "wildcastle",
    "fischerandom",
    "crazyhouse",
    "losers",
    "suicide",
    "giveaway",
    "twokings",
    "atomic",
    "3check",
]
# A game that nobody wins ends as a draw.
TERMS = {"games": GAMES, "clock": ("0:01", "0.02"), "limit": 100}
OPTIONS = ["-testClaims", "true", "-adjudicateDrawMoves", "100"]


def plays_each_variant(out):
    """xboard: two connections to one server play each variant that xboard starts itself"""
    for variant in VARIANTS:
        folder = out / variant
        folder.mkdir(exist_ok=True)
        (folder / "game.pgn").unlink(missing_ok=True)
        with farboard(folder) as address, display(folder) as screen:
            engine = f"{SHIM} {address}"
            print(play_match(folder, screen, engine, engine, **TERMS, options=["-variant", variant, *OPTIONS]))
        judge(folder, variant)


def judge(folder, variant):
    """Every game has an end that xboard believes, and nothing was illegal."""
    text = (folder / "game.pgn").read_text()
    ends = re.findall(r"\{([^{}]*)\}\s*(1-0|0-1|1/2-1/2)\s*$", text, re.MULTILINE)
    assert len(ends) == GAMES, f"{len(ends)} ends of {GAMES} games of {variant}: {text[-300:]}"
    for comment, result in ends:
        comment = " ".join(comment.split())
        assert not UNSPORTING.search(comment) and "alse" not in comment, f"{variant}: {result} {comment}"
        print(f"{variant}: {result} {comment}")
    check(folder / "xboard.debug", ["first", "second"])


SCENARIOS = [plays_each_variant]
