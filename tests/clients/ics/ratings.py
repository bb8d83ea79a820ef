"""Elo ratings, with one factor for all players."""

FACTOR = 32


def adjusted(own, opponent, score):
    """A rating after a game, with a score from 0 to 1."""
    expected = 1 / (1 + 10 ** ((opponent - own) / 400))
    return round(own + FACTOR * (score - expected))


def shown(player):
    """A rating as most messages show it; guests have none."""
    return str(player.rating) if player.registered else "++++"


def adjust(game, result):
    """Rates a finished game; returns the lines for its players."""
    white, black = game.players
    scores = {"1-0": 1, "0-1": 0, "1/2-1/2": 0.5}
    if not game.terms.rated or result not in scores:
        return {player: "No ratings adjustment done." for player in game.players}
    score = scores[result]
    before = white.rating, black.rating
    white.rating, black.rating = adjusted(*before, score), adjusted(*before[::-1], 1 - score)
    kind = game.terms.kind.partition("/")[0].capitalize()
    return {
        player: f"{kind} rating adjustment: {old} --> {player.rating}"
        for player, old in zip((white, black), before)
    }
