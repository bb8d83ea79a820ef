"""Parsing and executing players' lines."""

from . import challenges, talk
from .style12 import looks_like_a_move, move_list, style12


def execute(lobby, player, line):
    """Executes a line; its effects are sent to players."""
    # A leading $ bypasses aliases.
    word, _, text = line.strip().lstrip("$").strip().partition(" ")
    text = text.strip()
    if looks_like_a_move(word):
        with_game(lambda lobby, player, game, word: game.moves(player, word, lobby.now))(lobby, player, word)
    elif word:
        if action := meant(word.lower()):
            action(lobby, player, text)
        else:
            player.queue(f"{word}: Command not found.")


def meant(word):
    """The command of this name or unique prefix, or None."""
    found = [action for name, action in COMMANDS.items() if name.startswith(word)]
    return COMMANDS.get(word) or (found[0] if len(found) == 1 else None)


def with_words(action):
    return lambda lobby, player, text: action(lobby, player, text.split())


def with_game(action):
    """Restricts a command to players of a game."""

    def checked(lobby, player, text):
        game = player.game
        if game is None or game.side(player) is None:
            player.queue("You are not playing a game.")
        else:
            action(lobby, player, game, text)

    return checked


def request(kind):
    """A command that both makes a request and agrees to the opponent's. Arguments are refused; xboard adds its move
    to `draw`.
    """

    def asks(lobby, player, game, text):
        if text:
            player.queue("Command: that many arguments are not understood.")
        else:
            game.requests(player, kind, lobby.now)

    return with_game(asks)


def noted(text):
    return lambda lobby, player, _: player.queue(text)


def iset(lobby, player, text):
    name, _, value = text.partition(" ")
    if name == "ms":
        player.milliseconds = value == "1"
    player.queue(f"{name} {'set' if value == '1' else 'unset'}.")


def observe(lobby, player, text):
    game = lobby.games.get(int(text)) if text.isdigit() else None
    if game is None or player.game:
        player.queue("There is no such game, or you are at another.")
        return
    game.observers.append(player)
    player.game = game
    player.queue(f"You are now observing game {game.number}.", "")
    player.queue(style12(game, player, lobby.now, player.milliseconds))


def games(lobby, player, _):
    for game in lobby.games.values():
        player.queue(f"{game.number:3} {game.heading} {game.terms}")
    player.queue(f"  {len(lobby.games)} games displayed.")


def moves(lobby, player, text):
    game = lobby.games.get(int(text)) if text.isdigit() else player.game
    if game:
        player.queue(*move_list(game))
    else:
        player.queue("There is no such game.")


def finger(lobby, player, text):
    found = challenges.find(lobby, player, text or player.name)
    if found is None:
        return
    player.queue(f"Finger of {talk.titled(found)}:", "", f"Rating: {found.shown}")
    if found.computer:
        player.queue("", f"{found.name} is in the computer list.")


COMMANDS = {
    "abort": request("abort"),
    "accept": with_words(challenges.accept),
    "adjourn": request("adjourn"),
    "alias": noted("Alias set."),
    "cshout": talk.cshout,
    "decline": with_words(challenges.decline),
    "draw": request("draw"),
    "finger": finger,
    "flag": with_game(lambda lobby, player, game, _: game.flags(player, lobby.now)),
    "games": games,
    "iset": iset,
    "kibitz": talk.kibitz,
    "match": with_words(challenges.match),
    "moves": moves,
    "observe": observe,
    "partner": talk.partner,
    "play": with_words(challenges.play),
    "ptell": talk.ptell,
    "quit": lambda lobby, player, _: player.goes(),
    "refresh": with_game(
        lambda lobby, player, game, _: player.queue(style12(game, player, lobby.now, player.milliseconds))
    ),
    "resign": with_game(lambda lobby, player, game, _: game.lost(player, "resigns")),
    "say": talk.say,
    "seek": with_words(challenges.seek),
    "set": noted("Set."),
    "shout": talk.shout,
    "sought": with_words(challenges.sought),
    "style": noted("Style set."),
    "takeback": request("takeback"),
    "tell": talk.tell,
    "unseek": with_words(challenges.unseek),
    "vars": noted("There are no variables."),
    "whisper": talk.whisper,
}
