"""What is agreed before a game: time, colours, rating, the position it starts from."""

from dataclasses import dataclass

import chess

# Positions that players may ask for, in a folder as on the real servers.
BOARDS = {
    "endings/rooks": "8/5pk1/4r1p1/7p/7P/4R1P1/5PK1/8 w - - 0 1",
    "endings/rook": "8/8/4k3/8/8/8/1R6/K7 w - - 98 1",
    "endings/queen": "7k/8/8/6Q1/8/8/8/K7 w - - 0 1",
    "endings/kings": "8/8/8/8/2k5/8/1q6/K7 w - - 0 1",
    # Fischerandom; real servers draw lots.
    "wild/fr": "rqbbnkrn/pppppppp/8/8/8/8/PPPPPPPP/RQBBNKRN w GAga - 0 1",
}
FOLDERS = {board.partition("/")[0] for board in BOARDS}

COLORS = {"white": chess.WHITE, "black": chess.BLACK}


@dataclass(frozen=True)
class Terms:
    """`color` is that of the player who proposes, if it matters to him."""

    minutes: int
    increment: int
    rated: bool
    color: bool | None = None
    board: str | None = None

    @property
    def kind(self):
        """Games are rated apart by the time that forty moves take."""
        if self.board:
            return self.board if self.board.startswith("wild") else "nonstandard"
        seconds = self.minutes * 60 + self.increment * 40
        return "lightning" if seconds < 180 else "blitz" if seconds < 900 else "standard"

    @property
    def rated_word(self):
        return "rated" if self.rated else "unrated"

    @property
    def position(self):
        return chess.Board(BOARDS[self.board], chess960=self.board == "wild/fr") if self.board else chess.Board()

    def __str__(self):
        loaded = f" Loaded from {self.board}" if self.board else ""
        return f"{self.rated_word} {self.kind} {self.minutes} {self.increment}{loaded}"


def read(words, rated):
    """The terms that these words of a command ask for; a ValueError says what is wrong with them.

    Words that are nobody's are returned, too.
    """
    numbers, color, folder, board, other = [], None, None, None, []
    for word in words:
        if word.isdigit():
            numbers.append(int(word))
        elif folder:
            board, folder = f"{folder}/{word}", None
            if board not in BOARDS:
                raise ValueError(f"No such category/board: {board}")
        elif word in ("rated", "r", "unrated", "u"):
            rated = word[0] == "r"
        elif word in COLORS or word in ("w", "b"):
            color = word[0] == "w"
        elif word in FOLDERS:
            folder = word
        else:
            other.append(word)
    minutes, increment = (numbers + [2, 12])[:2] if not numbers else (numbers + [0])[:2]
    return Terms(minutes, increment, rated and not board, color, board), other
