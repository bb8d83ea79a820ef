"""Messages between players."""

from .challenges import find


def titled(player):
    return f"{player.name}(C)" if player.computer else player.name


def tell(lobby, player, text):
    name, _, message = text.partition(" ")
    if other := find(lobby, player, name):
        other.queue(f"{titled(player)} tells you: {message}")
        player.queue(f"(told {other.name})")


def say(lobby, player, text):
    """Sends to the opponent, or after the game to the last opponent."""
    game = player.game or player.last_game
    other = game and game.side(player) is not None and game.opponent(player)
    if not other or other.name not in lobby.players:
        player.queue("I don't know who to say that to.")
        return
    other.queue(f"{titled(player)}[{game.number}] says: {text}")
    player.queue(f"(told {other.name})")


def kibitz(lobby, player, text):
    """Sends to all players and observers of a game."""
    _speaks(player, text, "kibitz", lambda game: (*game.players, *game.observers))


def whisper(lobby, player, text):
    """Sends to the observers of a game."""
    _speaks(player, text, "whisper", lambda game: game.observers)


def _speaks(player, text, word, audience):
    if not player.game:
        player.queue("You are not playing or observing a game.")
        return
    game = player.game
    others = [each for each in audience(game) if each is not player]
    for each in others:
        each.queue(f"{titled(player)}({player.shown})[{game.number}] {word}{'es' if word == 'kibitz' else 's'}: {text}")
    player.queue(f"({word}ed to {len(others)} player{'' if len(others) == 1 else 's'})")


def shout(lobby, player, text):
    _to_all(lobby, player, f"{titled(player)} shouts: {text}")


def cshout(lobby, player, text):
    _to_all(lobby, player, f"{titled(player)} c-shouts: {text}")


def _to_all(lobby, player, line):
    for each in lobby.players.values():
        if each is not player:
            each.queue(line)
    player.queue(line)


def partner(lobby, player, text):
    """Offers or accepts a bughouse partnership; without a name, ends it."""
    if not text:
        _parts(player)
    elif other := find(lobby, player, text):
        if other.asked is player:
            other.asked = None
            player.partner, other.partner = other, player
            player.queue(f"You agree to be {other.name}'s partner.")
            other.queue(f"{player.name} agrees to be your partner.")
        else:
            player.asked = other
            player.queue(f"Making a partnership offer to {other.name}.")
            other.queue(f'{player.name} offers to be your bughouse partner; type "partner {player.name}" to accept.')


def _parts(player):
    if player.partner is None:
        player.queue("You do not have a bughouse partner.")
        return
    player.partner.queue("Your partner has ended partnership.", "You no longer have a bughouse partner.")
    player.queue("You no longer have a bughouse partner.")
    player.partner.partner = player.partner = None


def ptell(lobby, player, text):
    if player.partner is None:
        player.queue("You do not have a partner at present.")
        return
    player.partner.queue(f"{titled(player)} (your partner) tells you: {text}")
    player.queue(f"(told {player.partner.name})")
