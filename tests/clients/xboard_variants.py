"""xboard plays a match in each variant that it can start, and verifies every claim."""

import re

from debug_file import check
from display import display
from paths import SHIM
from referee import UNSPORTING
from server import farboard
from xboard import play_match

# The opponent in each variant: another engine if one plays it reliably, otherwise Farboard.
# Fairy-Stockfish 11.1 does not understand `O-O` in Fischerandom. Once they see that they have lost, Sjaak II
# sends invalid moves in suicide, and Sjeng sends none in suicide, giveaway and losers; then xboard waits
# forever. In losers, xboard 4.9.1 does not know that a checkmated side has won, and believes it only if the
# other side says so, as Farboard does. Fairy-Stockfish does not: of 120 games one ended with such a mate,
# after which xboard waited forever.
RIVALS = {
    "nocastle": "fairy-stockfish",
    "wildcastle": None,
    "fischerandom": "sjaakii",
    "crazyhouse": "sjaakii",
    "losers": None,
    "suicide": "fairy-stockfish",
    "giveaway": "fairy-stockfish",
    "twokings": None,
    "atomic": None,
    "3check": "fairy-stockfish",
    # xboard has no rules for these and needs a start position.
    "kingofthehill": None,
    "racingkings": None,
    "horde": None,
}
GAMES = 2
TERMS = {"games": GAMES, "clock": ("0:05", "0.1"), "limit": 100}
OPTIONS = ["-testClaims", "true", "-adjudicateDrawMoves", "100", "-depth", "5", "-matchPause", "100"]


def plays_each_variant(out):
    """xboard: each variant that it can start, with both colours, against another engine if possible"""
    for variant, rival in RIVALS.items():
        folder = out / variant
        folder.mkdir(exist_ok=True)
        (folder / "game.pgn").unlink(missing_ok=True)
        with farboard(folder) as address, display(folder) as screen:
            engine = f"{SHIM} {address}"
            print(play_match(folder, screen, engine, rival or engine, **TERMS, options=["-variant", variant, *OPTIONS]))
        judge(folder, variant, engines=["first"] if rival else ["first", "second"])


def judge(folder, variant, engines):
    """Checks that xboard accepts every game's ending, and that nothing was illegal."""
    text = (folder / "game.pgn").read_text()
    ends = re.findall(r"\{([^{}]*)\}\s*(1-0|0-1|1/2-1/2)\s*$", text, re.MULTILINE)
    assert len(ends) == GAMES, f"{len(ends)} ends of {GAMES} games of {variant}: {text[-300:]}"
    for comment, result in ends:
        comment = " ".join(comment.split())
        assert not UNSPORTING.search(comment) and "alse" not in comment, f"{variant}: {result} {comment}"
        print(f"{variant}: {result} {comment}")
    check(folder / "xboard.debug", engines)


SCENARIOS = [plays_each_variant]
