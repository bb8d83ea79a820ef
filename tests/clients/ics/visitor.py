"""A scripted player on the chess server."""

import re
import socket
import time
from contextlib import contextmanager

from .style12 import read_board, read_holdings
from .variants import verdict

TEST_TIMEOUT = 30

# In bughouse both boards may wait for each other; after these seconds a player resigns.
SITTING = 10

# Whole lines: received data may end anywhere.
BOARD = re.compile(r"^<12> .*$(?=\n)", re.MULTILINE)
HOLDINGS = re.compile(r"^<b1> .*$(?=\n)", re.MULTILINE)
START = re.compile(r"^\{Game \d+ \(\S+ vs\. \S+\) (?:Creating|Continuing) \w+ (\S+) match\.\}", re.MULTILINE)
END = re.compile(r"^\{Game (\d+) \((\S+) vs\. (\S+)\) ([^}]*)\} (1-0|0-1|1/2-1/2|\*)$(?=\n)", re.MULTILINE)


@contextmanager
def visitor(port, name, password=None):
    """A logged-in player, or a guest if there is no password, who leaves at the end."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        player = Visitor(connection, name)
        player.expect("login: ")
        player.send(name)
        player.expect("password: " if password else "Press return")
        player.send(password or "")
        player.expect("Starting session")
        player.send("style 12")
        yield player


class Visitor:
    def __init__(self, connection, name):
        self.name = name
        self._connection = connection
        self._text = ""
        self._next = 0

    def send(self, line):
        self._connection.sendall(f"{line}\n".encode())

    def leaves(self):
        """Disconnects without a command."""
        self._connection.shutdown(socket.SHUT_RDWR)

    def expect(self, form, patience=TEST_TIMEOUT):
        """Waits for a text after the last match; returns the match."""
        pattern = re.compile(form, re.MULTILINE) if isinstance(form, str) else form
        found = self._awaits(pattern, patience)
        assert found, f"{self.name} did not receive {pattern.pattern!r}, but {self._text[self._next :][-600:]!r}"
        return found

    def _awaits(self, pattern, patience):
        """Returns the match, or None at the deadline."""
        deadline = time.monotonic() + patience
        while not (found := pattern.search(self._text, self._next)):
            self._connection.settimeout(max(0.01, deadline - time.monotonic()))
            try:
                data = self._connection.recv(4096)
            except TimeoutError:
                data = b""
            if not data:
                return None
            self._text += data.decode("latin-1").replace("\r", "")
        self._next = found.end()
        return found

    def has_received(self, form):
        """Returns True if this text has been received at any time."""
        return re.search(form, self._text[: self._next], re.MULTILINE)

    def is_on_move(self):
        """Waits for a position with this player to move."""
        while True:
            board, relation = self._reads(self.expect(BOARD).group())
            if relation == 1:
                return board

    def _reads(self, line):
        """Parses a position with its hands, and its relation: 1 means this player's turn."""
        kinds = START.findall(self._text, 0, self._next)
        board, relation, _ = read_board(line, kinds[-1] if kinds else None)
        if hasattr(board, "pockets"):
            read_holdings(self.expect(HOLDINGS).group(), board)
        return board, relation

    def plays(self, chooses, moves=None):
        """Makes the moves that `chooses` returns, for a number of moves or to the end of the game, which is returned."""
        event = re.compile("|".join(each.pattern for each in (END, BOARD, HOLDINGS)), re.MULTILINE)
        made, due = 0, None
        while moves is None or made < moves:
            found = self._awaits(event, SITTING) if due else self.expect(event)
            if not found:
                self.send("resign")
                due = None
                continue
            if found[5]:
                return found[4], found[5]
            if found.group().startswith("<12>"):
                board, relation = self._reads(found.group())
                # A game's final position is sent, too.
                due = board if relation == 1 and verdict(board) is None else None
            elif due:
                read_holdings(found.group(), due)
            # In bughouse, there may be no move until the partner sends a piece.
            if due and any(due.legal_moves):
                self.send(chooses(due).uci())
                made, due = made + 1, None
        return None

    def game_ends(self, reason, result):
        found = self.expect(END)
        assert (found[4], found[5]) == (reason, result), f"{found.group()}, not {reason} {result}"
