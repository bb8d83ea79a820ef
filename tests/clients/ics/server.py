"""The chess server's players and games. It runs in a thread of its own."""

import asyncio
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass

from .commands import execute
from .game import Game
from .player import Player


@dataclass
class Account:
    """A registered player, known before the login."""

    password: str
    rating: int = 1500
    computer: bool = False


class Lobby:
    """The server's state, used only by its thread."""

    def __init__(self, accounts, log):
        self.accounts = accounts
        self.players = {}
        self.games = {}
        self.stored = {}
        self.seeks = {}
        self.challenges = []
        self._guests = 0
        self._log = log

    @property
    def now(self):
        return time.monotonic()

    def execute(self, player, line):
        execute(self, player, line)
        self._flush(player)

    def leaves(self, player):
        """Handles a player's lost connection."""
        if self.players.pop(player.name, None) is None:
            return
        self.seeks = {index: seek for index, seek in self.seeks.items() if seek.player is not player}
        self.challenges = [each for each in self.challenges if player not in (each.player, each.opponent)]
        if player.game and player.game.side(player) is not None:
            player.game.leaves(player, self.now)
        if player.partner:
            player.partner.queue("Your partner has disconnected.")
            player.partner.partner = None
        self._flush(None)

    def starts(self, white, black, terms):
        """Starts a new game."""
        for player in (white, black):
            player.had_white = player is white
        self.goes_on(Game(0, white, black, terms))

    def starts_two(self, white, black, terms):
        """Starts a game of bughouse: the partners play each other with reversed colours."""
        first, second = Game(0, white, black, terms), Game(0, black.partner, white.partner, terms)
        first.twin, second.twin = second, first
        for game in (first, second):
            self.goes_on(game)
        for game in (first, second):
            game.players[0].had_white, game.players[1].had_white = True, False
            for player in game.players:
                player.queue(f"Your partner is playing game {game.twin.number} ({game.twin.heading.partition('(')[2]}.")

    def goes_on(self, game):
        """Starts a new or adjourned game."""
        game.number = next(number for number in range(1, 999) if number not in self.games)
        self.games[game.number] = game
        game.begins(self.now)

    def new_guest(self):
        self._guests += 1
        return "Guest" + chr(ord("A") + self._guests)

    def logs(self, name, direction, text):
        for line in text.split("\n"):
            self._log.write(f"{time.monotonic():.3f} {direction} {name}: {line}\n")
        self._log.flush()

    def _flush(self, commander):
        for game in [game for game in self.games.values() if game.result or game.adjourned]:
            del self.games[game.number]
            if game.adjourned:
                self.stored[frozenset(player.name for player in game.players)] = game
        for player in list(self.players.values()):
            player.flush(commands=player is commander)


@contextmanager
def chess_server(out, **accounts):
    """Yields the port of a chess server with these registered players."""
    loop = asyncio.new_event_loop()
    with open(out / "ics.log", "w") as log:
        lobby = Lobby(accounts, log)
        listener = loop.run_until_complete(
            asyncio.start_server(lambda *streams: Player(lobby, *streams).stays(), "127.0.0.1", 0)
        )
        thread = threading.Thread(target=loop.run_forever)
        thread.start()
        try:
            yield listener.sockets[0].getsockname()[1]
        finally:
            asyncio.run_coroutine_threadsafe(_close(lobby, listener), loop).result(10)
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()


async def _close(lobby, listener):
    listener.close()
    for player in list(lobby.players.values()):
        player.goes()
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        await asyncio.wait([task], timeout=2)
