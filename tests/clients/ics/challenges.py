"""Challenges, and seeks that any player may answer."""

from dataclasses import dataclass, replace

from .player import Player
from .terms import Terms, read


@dataclass
class Challenge:
    """A player's proposal to another; `stored` is an adjourned game to resume."""

    player: Player
    opponent: Player
    terms: Terms
    stored: object = None


@dataclass
class Seek:
    """An open offer; with `manual` the seeker approves the opponent."""

    player: Player
    terms: Terms
    manual: bool


def match(lobby, player, words):
    if not words:
        player.queue("Usage: match NAME [MINUTES INCREMENT] [rated|unrated] [white|black]")
        return
    opponent = find(lobby, player, words[0])
    if opponent is None:
        return
    if opponent is player:
        player.queue("You can't match yourself.")
        return
    try:
        terms, other = read(words[1:], player.registered and opponent.registered)
    except ValueError as error:
        player.queue(str(error))
        return
    if other:
        player.queue(f"Can't interpret {other[0]} in match command.")
        return
    if terms.rated and not (player.registered and opponent.registered):
        player.queue("Unregistered players cannot play rated games.")
        return
    if terms.variant == "bughouse" and (objection := cannot_team_up(player, opponent)):
        player.queue(objection)
        return
    stored = lobby.stored.get(frozenset((player.name, opponent.name)))
    propose(lobby, Challenge(player, opponent, stored.terms if stored else terms, stored))


def cannot_team_up(player, opponent):
    """Why these two and their partners cannot play bughouse, or None."""
    if player.partner is None:
        return "You have no partner for bughouse."
    if opponent.partner is None:
        return "Your opponent has no partner for bughouse."
    if player.partner is opponent:
        return "You and your opponent can't choose each other as partners!"
    if player.partner.game:
        return "Your partner isn't open to play right now."
    if opponent.partner.game:
        return "Your opponent's partner isn't open to play right now."
    return None


def propose(lobby, challenge):
    """Notifies both players, unless one of them cannot play now."""
    player, opponent, terms = challenge.player, challenge.opponent, challenge.terms
    if player.game:
        player.queue("You can't challenge while you are playing a game.")
        return
    if opponent.game:
        player.queue(f"{opponent.name} is playing a game.")
        return
    lobby.challenges = [each for each in lobby.challenges if (each.player, each.opponent) != (player, opponent)]
    lobby.challenges.append(challenge)
    color = "" if terms.color is None else "[white] " if terms.color else "[black] "
    adjourned = " (adjourned)" if challenge.stored else ""
    text = f"{player.name} ({player.shown}) {color}{opponent.name} ({opponent.shown}) {terms}{adjourned}."
    player.queue(f"Issuing: {text}")
    opponent.queue(f"Challenge: {text}")
    for computer, other in ((player, opponent), (opponent, player)):
        if computer.computer:
            other.queue(f"--** {computer.name} is a computer **--")
    opponent.queue('You can "accept" or "decline", or propose different parameters.')
    if terms.variant == "bughouse":
        player.partner.queue(f"Your bughouse partner issuing {text}")
        opponent.partner.queue(f"Your bughouse partner was challenged {text}")


def waiting(lobby, player, words):
    """The challenge that `accept` or `decline` refers to, or None."""
    for challenge in lobby.challenges:
        if challenge.opponent is player and words[:1] in ([], [challenge.player.name]):
            return challenge
    return None


def accept(lobby, player, words):
    if player.game and not words and player.game.accepts(player, lobby.now):
        return
    challenge = waiting(lobby, player, words)
    if challenge is None:
        player.queue("There are no offers from other players.")
        return
    challenger, terms = challenge.player, challenge.terms
    player.queue(f"You accept the challenge of {challenger.name}.")
    challenger.queue(f"{player.name} accepts your challenge.")
    begin(lobby, challenger, player, terms, challenge.stored)


def begin(lobby, proposer, other, terms, stored=None):
    """Begins a game and cancels its players' other proposals."""
    both = (proposer, other)
    if terms.variant == "bughouse" and (objection := cannot_team_up(proposer, other)):
        for player in both:
            player.queue(objection)
        return
    lobby.challenges = [each for each in lobby.challenges if not {each.player, each.opponent} & {*both}]
    lobby.seeks = {index: seek for index, seek in lobby.seeks.items() if seek.player not in both}
    if stored:
        names = {player.name: player for player in both}
        del lobby.stored[frozenset(names)]
        stored.players = tuple(names[player.name] for player in stored.players)
        lobby.goes_on(stored)
        return
    color = terms.color
    if color is None:
        color = not proposer.had_white
    white, black = both if color else both[::-1]
    if terms.variant == "bughouse":
        lobby.starts_two(white, black, terms)
    else:
        lobby.starts(white, black, terms)


def decline(lobby, player, words):
    if player.game and not words and player.game.declines(player):
        return
    challenge = waiting(lobby, player, words)
    if challenge is None:
        player.queue("There are no offers from other players.")
        return
    lobby.challenges.remove(challenge)
    player.queue(f"You decline the match offer from {challenge.player.name}.")
    challenge.player.queue(f"{player.name} declines the match offer.")


def seek(lobby, player, words):
    try:
        terms, other = read(words, player.registered)
    except ValueError as error:
        player.queue(str(error))
        return
    index = max(lobby.seeks, default=0) + 1
    lobby.seeks[index] = Seek(player, terms, "m" in other)
    player.queue(f"Your seek has been posted with index {index}.")
    for each in lobby.players.values():
        if each is not player and not each.game:
            each.queue(f'{player.name} ({player.shown}) seeking {advert(terms)} ("play {index}" to respond)')


def advert(terms):
    color = "" if terms.color is None else " [white]" if terms.color else " [black]"
    return f"{terms.minutes} {terms.increment} {terms.rated_word} {terms.kind}{color}"


def sought(lobby, player, _):
    for index, ad in lobby.seeks.items():
        flags = "0-9999 m" if ad.manual else "0-9999"
        terms = ad.terms
        name = f"{ad.player.name}{'(C)' if ad.player.computer else ''}"
        player.queue(
            f"{index:3} {ad.player.shown:>4} {name:<17} {terms.minutes:3} {terms.increment:3} "
            f"{terms.rated_word:<7} {terms.kind:<10} {flags}"
        )
    count = len(lobby.seeks)
    player.queue(f"{count} ad{'' if count == 1 else 's'} displayed.")


def play(lobby, player, words):
    ad = lobby.seeks.get(int(words[0])) if words and words[0].isdigit() else None
    if ad is None or ad.player is player:
        player.queue("That seek is not available.")
    elif ad.terms.rated and not player.registered:
        player.queue("Unregistered players cannot play rated games.")
    elif player.game or ad.player.game:
        player.queue("That seek is not available.")
    elif ad.manual:
        color = None if ad.terms.color is None else not ad.terms.color
        propose(lobby, Challenge(player, ad.player, replace(ad.terms, color=color)))
    else:
        ad.player.queue(f"{player.name} accepts your seek.")
        begin(lobby, ad.player, player, ad.terms)


def unseek(lobby, player, _):
    lobby.seeks = {index: ad for index, ad in lobby.seeks.items() if ad.player is not player}
    player.queue("Your seeks have been removed.")


def find(lobby, player, name):
    """The player of that name, ignoring case; notifies the caller if there is none."""
    for each in lobby.players.values():
        if each.name.lower() == name.lower():
            return each
    player.queue(f"{name} is not logged in.")
    return None
