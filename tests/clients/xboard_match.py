"""xboard plays whole matches over TCP, and the rules end every game."""

from debug_file import check, lowest_clocks
from display import display
from paths import SHIM
from referee import games, verdict
from server import farboard
from xboard import play_match

GAMES = 4

# xboard verifies claims, but makes none itself before the sixth repetition.
ENGINE_CLAIMS = ["-testClaims", "true", "-checkMates", "false", "-materialDraws", "false"]


def against_fairymax(out):
    """xboard: Farboard against fairymax, 5 s + 0.05 s"""
    score = match(out, "fairymax", games=GAMES, clock=("0:05", "0.05"), limit=400)
    judge(out, GAMES, engines=["first"])
    won, lost, drawn = map(int, score.rsplit(" ", 1)[-1].split("-"))
    assert won > lost, f"{won} won, {lost} lost, {drawn} drawn"


def against_itself(out):
    """xboard: two connections to one server, 2 s + 0.05 s, results by Farboard's own claims"""
    match_with_itself(out, GAMES, clock=("0:02", "0.05"), limit=300)


def match_with_itself(out, count, *, clock, limit, options=()):
    """Games between two connections, which end by their own claims."""
    match(out, None, games=count, clock=clock, options=[*ENGINE_CLAIMS, *options], limit=limit)
    judge(out, count, engines=["first", "second"])
    for game in games(out / "game.pgn"):
        comment = game.end().comment
        assert "adjudication" not in comment, f"xboard had to end a game: {comment}"


def match(out, opponent, **terms):
    """A match on a server of its own, against another engine or a second connection; returns the score."""
    with farboard(out) as address, display(out) as screen:
        engine = f"{SHIM} {address}"
        score = play_match(out, screen, engine, opponent or engine, **terms)
    print(score)
    return score


def judge(out, count, engines):
    """Judges every game by the rules, both colours, and the conversation."""
    played = list(games(out / "game.pgn"))
    for game in played:
        rule, result, plies, comment = verdict(game)
        print(f"{game.headers['White']} - {game.headers['Black']}: {result}, {rule}, {plies} plies ({comment})")
    assert len(played) == count, f"{len(played)} games of {count}"
    check(out / "xboard.debug", engines)
    print(f"lowest clock, in centiseconds: {lowest_clocks(out / 'xboard.debug', engines)}")


SCENARIOS = [against_fairymax, against_itself]
