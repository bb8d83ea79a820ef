"""xboard plays whole matches over TCP, and the rules end every game."""

from debug_file import check
from display import display
from paths import SHIM
from referee import games, verdict
from server import farboard
from xboard import play_match

GAMES = 4


def against_fairymax(out):
    """xboard: Farboard against fairymax, 5 s + 0.05 s"""
    with farboard(out) as address, display(out) as screen:
        score = play_match(
            out, screen, f"{SHIM} {address}", "fairymax", games=GAMES, clock=("0:05", "0.05"), limit=400
        )
    print(score)
    judge(out, ours=["first"])
    won, lost, drawn = map(int, score.rsplit(" ", 1)[-1].split("-"))
    assert won > lost, f"{won} won, {lost} lost, {drawn} drawn"


def against_itself(out):
    """xboard: two connections to one server, 2 s + 0.05 s, results by Farboard's own claims"""
    # Claims are verified, but xboard makes none itself before the sixth repetition.
    options = ["-testClaims", "true", "-checkMates", "false", "-materialDraws", "false"]
    with farboard(out) as address, display(out) as screen:
        engine = f"{SHIM} {address}"
        score = play_match(
            out, screen, engine, engine, games=GAMES, clock=("0:02", "0.05"), options=options, limit=300
        )
    print(score)
    judge(out, ours=["first", "second"])
    for game in games(out / "game.pgn"):
        comment = game.end().comment
        assert "adjudication" not in comment, f"xboard had to end a game: {comment}"


def judge(out, ours):
    """Every game by the rules, both colours, and no trouble on the wire."""
    played = list(games(out / "game.pgn"))
    for game in played:
        rule, result, plies, comment = verdict(game)
        print(f"{game.headers['White']} - {game.headers['Black']}: {result}, {rule}, {plies} plies ({comment})")
    assert len(played) == GAMES, f"{len(played)} games of {GAMES}"
    print(f"lowest clock, in centiseconds: {check(out / 'xboard.debug', ours)}")


SCENARIOS = [against_fairymax, against_itself]
