"""A game between two players: moves, requests, and endings. Bughouse consists of two."""

from dataclasses import dataclass

import chess

from . import ratings
from .clock import Clock
from .player import PROMPT
from .style12 import holdings, read_move, short, style12, verbose
from .variants import can_win, verdict

# The opponent's notice of each request.
REQUESTS = {
    "draw": " offers you a draw.",
    "abort": ' would like to abort the game; type "abort" to accept.',
    "adjourn": ' would like to adjourn the game; type "adjourn" to accept.',
    "takeback": " would like to take back 1 half move(s).",
}


@dataclass
class Entry:
    """A move made."""

    verbose: str
    san: str
    took: int
    double: bool


class Game:
    """`twin` is the partners' game in bughouse."""

    def __init__(self, number, white, black, terms):
        self.number = number
        self.players = white, black
        self.terms = terms
        self.board = terms.position
        self.clock = Clock(terms.minutes, terms.increment)
        self.record = []
        self.observers = []
        self.result = None
        self.adjourned = False
        self.twin = None
        self._requests = {}

    def side(self, player):
        """The colour of a player; None for an observer."""
        return {self.players[0]: chess.WHITE, self.players[1]: chess.BLACK}.get(player)

    def opponent(self, player):
        return self.players[self.side(player)]

    @property
    def viewers(self):
        return (*self.players, *self.observers)

    @property
    def heading(self):
        white, black = self.players
        return f"Game {self.number} ({white.name} vs. {black.name})"

    def begins(self, now):
        """Notifies the players, also when an adjourned game is resumed."""
        white, black = self.players
        self.adjourned = False
        if len(self.record) >= 2:
            self.clock.go_on(now)
        word = "Continuing" if self.record else "Creating"
        terms = self.terms
        for player in self.players:
            player.game = player.last_game = self
            player.queue(
                "",
                f"Creating: {white.name} ({white.shown}) {black.name} ({black.shown}) "
                f"{terms.rated_word} {terms.kind} {terms.minutes} {terms.increment}",
                f"{{{self.heading} {word} {terms.rated_word} {terms.kind} match.}}",
                "",
            )
        self.show(now)

    def show(self, now):
        for viewer in self.viewers:
            viewer.queue(style12(self, viewer, now, viewer.milliseconds))
            if self.has_hands:
                viewer.queue(holdings(self))

    @property
    def has_hands(self):
        return isinstance(self.board, chess.variant.CrazyhouseBoard)

    def moves(self, player, word, now):
        """Makes a player's move, or reports why it is refused."""
        side = self.side(player)
        if side != self.board.turn:
            player.queue("It is not your move.")
            return
        move = read_move(self.board, word)
        if move is None:
            player.queue(f"Illegal move ({word}).")
            return
        for request, asked_by in list(self._requests.items()):
            if asked_by is not player:
                self.declines(player, request)
        entry = Entry(verbose(self.board, move), short(self.board, move), 0, self._is_double(move))
        captured = self._captured(move)
        self.board.push(move)
        entry.took = self.clock.moved(side, len(self.record) + 1, now)
        self.record.append(entry)
        if captured and self.twin:
            self.twin.board.pockets[not side].add(captured)
            self.twin.received(captured, not side)
        elif captured:
            self.received(captured, side)
        self.show(now)
        if judged := verdict(self.board):
            self._is_judged(*judged)

    def _captured(self, move):
        """The piece that this move puts into a hand, or None."""
        board = self.board
        if not self.has_hands or not board.is_capture(move):
            return None
        passing = board.is_en_passant(move) or board.promoted & chess.BB_SQUARES[move.to_square]
        return chess.PAWN if passing else board.piece_type_at(move.to_square)

    def received(self, man, side):
        """Adds a piece to a side's hand and sends the hands at once; after a capture a board follows."""
        gained = "BW"[side] + chess.piece_symbol(man).upper()
        for viewer in self.viewers:
            viewer.queue(holdings(self, gained), PROMPT)

    def _is_judged(self, winner, reason):
        if winner is None:
            self.ends(reason, "1/2-1/2")
            return
        names = [player.name for player in self.players]
        reason = reason.format(winner=names[not winner], loser=names[winner])
        self.ends(reason, "1-0" if winner else "0-1")

    def _is_double(self, move):
        pawn = self.board.piece_type_at(move.from_square) == chess.PAWN
        return pawn and not move.drop and abs(move.from_square - move.to_square) == 16

    def requests(self, player, request, now):
        """Handles a player's request, or the agreement to the opponent's."""
        if request == "draw" and not self.twin and self._claims_draw():
            return
        if self.twin and request in ("adjourn", "takeback"):
            player.queue(f"Bughouse games know no {request}.")
            return
        if request == "abort" and len(self.record) < 2:
            self.ends(f"Game aborted on move {self.board.fullmove_number}", "*")
        elif self._requests.get(request) is self.opponent(player):
            self._grants(request, now)
        else:
            self._requests[request] = player
            self.opponent(player).queue(player.name + REQUESTS[request])
            player.queue(f"{request.capitalize()} request sent.")

    def _claims_draw(self):
        if self.board.halfmove_clock >= 100:
            self.ends("Game drawn by the 50 move rule", "1/2-1/2")
        elif self.board.is_repetition(3):
            self.ends("Game drawn by repetition", "1/2-1/2")
        return self.result is not None

    def _grants(self, request, now):
        del self._requests[request]
        if request == "draw":
            self.ends("Game drawn by mutual agreement", "1/2-1/2")
        elif request == "abort":
            self.ends("Game aborted by mutual agreement", "*")
        elif request == "adjourn":
            self.adjourns("Game adjourned by mutual agreement", now)
        elif self.record:
            self.board.pop()
            self.record.pop()
            self.show(now)

    def accepts(self, player, now):
        """Handles `accept` without a name: the opponent's only request."""
        waiting = [request for request, asked_by in self._requests.items() if asked_by is not player]
        for request in waiting:
            self.requests(player, request, now)
        return bool(waiting)

    def declines(self, player, request=None):
        """Declines one or all requests of the opponent."""
        declined = [
            each for each, by in self._requests.items() if by is not player and request in (None, each)
        ]
        for each in declined:
            del self._requests[each]
            player.queue(f"You decline the {each} request from {self.opponent(player).name}.")
            self.opponent(player).queue(f"{player.name} declines the {each} request.")
        return bool(declined)

    def flags(self, player, now):
        """Handles a claim that the opponent has run out of time."""
        side = self.side(player)
        mine, other = (self.clock.left(each, self.board.turn, now) for each in (side, not side))
        if other > 0:
            player.queue("Opponent is not out of time.")
        elif mine <= 0:
            self.ends("Game drawn because both players ran out of time", "1/2-1/2")
        elif not can_win(self.board, side):
            late = self.opponent(player).name
            self.ends(f"{late} ran out of time and {player.name} has no material to mate", "1/2-1/2")
        else:
            self.lost(self.opponent(player), "forfeits on time")

    def leaves(self, player, now):
        """Handles a player's lost connection."""
        if all(each.registered for each in self.players) and not self.twin:
            self.adjourns(f"{player.name} lost connection; game adjourned", now)
        else:
            self.lost(player, "forfeits by disconnection")

    def adjourns(self, reason, now):
        self.clock.stop(self.board.turn, now)
        self.adjourned = True
        self.ends(reason, "*")
        self.result = None

    def lost(self, loser, reason):
        self.ends(f"{loser.name} {reason}", "0-1" if self.side(loser) == chess.WHITE else "1-0")

    def ends(self, reason, result):
        self.result = result
        self._requests.clear()
        adjustments = ratings.adjust(self, result)
        for viewer in self.viewers:
            viewer.queue("", f"{{{self.heading} {reason}}} {result}", "", adjustments.get(viewer))
            viewer.game = None
        self.observers.clear()
        if self.twin and not self.twin.result:
            self.twin.ends_with(self, reason)

    def ends_with(self, twin, reason):
        """Ends this game with the partners' game, whose winner has the other colour here."""
        result = {"1-0": "0-1", "0-1": "1-0"}.get(twin.result, twin.result)
        if result in ("1-0", "0-1"):
            winner = self.players[result == "0-1"]
            reason = f"{winner.name}'s partner won"
        self.ends(reason, result)
