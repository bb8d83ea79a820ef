"""Terms of a game: time, colours, rating, the variant, the start position."""

from dataclasses import dataclass

import chess

from .variants import BOARDS as VARIANTS
from .variants import board_of

# Positions that players may request, in folders as on the real servers.
BOARDS = {
    "endings/rooks": "8/5pk1/4r1p1/7p/7P/4R1P1/5PK1/8 w - - 0 1",
    "endings/rook": "8/8/4k3/8/8/8/1R6/K7 w - - 98 1",
    "endings/queen": "7k/8/8/6Q1/8/8/8/K7 w - - 0 1",
    "endings/kings": "8/8/8/8/2k5/8/1q6/K7 w - - 0 1",
    # Real servers choose these three at random. A king on the d-file castles; in the second none does.
    "wild/1": "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w KQkq - 0 1",
    "wild/2": "rbnqknbr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKNBR w - - 0 1",
    "wild/fr": "rqbbnkrn/pppppppp/8/8/8/8/PPPPPPPP/RQBBNKRN w GAga - 0 1",
}
FOLDERS = {board.partition("/")[0] for board in BOARDS}

COLORS = {"white": chess.WHITE, "black": chess.BLACK}


@dataclass(frozen=True)
class Terms:
    """`color` is the colour that the proposer requests, if any; `variant` has a name of its own."""

    minutes: int
    increment: int
    rated: bool
    color: bool | None = None
    board: str | None = None
    variant: str | None = None

    @property
    def kind(self):
        """The rating category, by the time for forty moves."""
        if self.variant:
            return self.variant
        if self.board:
            return self.board if self.board.startswith("wild") else "nonstandard"
        seconds = self.minutes * 60 + self.increment * 40
        return "lightning" if seconds < 180 else "blitz" if seconds < 900 else "standard"

    @property
    def rated_word(self):
        return "rated" if self.rated else "unrated"

    @property
    def position(self):
        return board_of(self.kind, BOARDS.get(self.board))

    def __str__(self):
        loaded = f" Loaded from {self.board}" if self.board else ""
        return f"{self.rated_word} {self.kind} {self.minutes} {self.increment}{loaded}"


def read(words, rated):
    """Parses a command's terms and also returns unknown words; raises a ValueError with the reason."""
    numbers, color, folder, board, variant, other = [], None, None, None, None, []
    for word in words:
        if folder:
            board, folder = f"{folder}/{word}", None
            if board not in BOARDS:
                raise ValueError(f"No such category/board: {board}")
        elif word.isdigit():
            numbers.append(int(word))
        elif word in ("rated", "r", "unrated", "u"):
            rated = word[0] == "r"
        elif word in COLORS or word in ("w", "b"):
            color = word[0] == "w"
        elif word in FOLDERS:
            folder = word
        elif word in VARIANTS:
            variant = word
        else:
            other.append(word)
    minutes, increment = (numbers + [2, 12])[:2] if not numbers else (numbers + [0])[:2]
    rated = rated and not (board and board.startswith("endings"))
    return Terms(minutes, increment, rated, color, board, variant), other
