"""Scid analyses with Farboard while a user with a mouse enters a game."""

import re
import shutil
import subprocess

import chess

from dialogue import until
from display import display
from paths import PATH, SHIM
from process import running
from server import farboard
from uci_lines import check_variations

# Scid's list of engines. In an empty layout the first one runs beside the board.
ENGINES = """engine {{
  Name {{Farboard}}
  Cmd  {{{shim}}}
  Args {{{address}}}
  Dir  {{.}}
  UCI 1
  UCIoptions {{{{MultiPV 1}}}}
}}
"""

# Suppresses the tip, which would cover the board.
OPTIONS = "set startup(tip) 0\n"

# The centre of a1 in Scid's first window, and the size of a square, in pixels.
LEFT, BOTTOM, SQUARE = 41, 422, 45.2

GAME = ["e2e4", "c7c5", "g1f3", "d7d6", "d2d4"]


class User:
    def __init__(self, log, environment):
        self._log, self._environment = log, environment
        self._read = 0

    def expect(self, form):
        """Waits for the next line of this form in Scid's engine log; returns the lines before it."""
        start = self._read

        def found():
            lines = self.lines()
            for index in range(self._read, len(lines)):
                if re.fullmatch(form, lines[index]):
                    self._read = index + 1
                    return True
            return False

        until(found, lambda: f"nothing like {form!r}, see {self._log}; the last lines: {self.lines()[-5:]}")
        return self.lines()[start : self._read - 1]

    def lines(self):
        return self._log.read_text(errors="replace").splitlines() if self._log.exists() else []

    def looks_at_the_board(self):
        """Gives the board the focus, which without a window manager needs a command."""
        board = self._xdotool("search", "--sync", "--onlyvisible", "--name", "^Scid - ").split()[0]
        self._xdotool("windowfocus", "--sync", board)

    def presses(self, key):
        self._xdotool("key", key)

    def drags(self, move):
        self._goes_to(move.from_square)
        self._xdotool("mousedown", "1")
        self._goes_to(move.to_square)
        self._xdotool("mouseup", "1")

    def _goes_to(self, square):
        left, down = LEFT + SQUARE * chess.square_file(square), BOTTOM - SQUARE * chess.square_rank(square)
        self._xdotool("mousemove", "--sync", str(round(left)), str(round(down)))

    def _xdotool(self, *words):
        done = subprocess.run(["xdotool", *words], env=self._environment, check=True, capture_output=True, text=True)
        return done.stdout


def scid_analyses(out):
    """Scid: analyses each position of a game that a user enters with a mouse"""
    config = out / ".scid4.7/config"
    shutil.rmtree(config.parent, ignore_errors=True)
    config.mkdir(parents=True)
    with farboard(out) as address, display(out) as screen, open(out / "scid.log", "w") as log:
        (config / "engines.dat").write_text(ENGINES.format(shim=SHIM, address=address))
        (config / "options.dat").write_text(OPTIONS)
        environment = {"PATH": PATH, "HOME": str(out), "DISPLAY": screen, "LC_ALL": "C.UTF-8"}
        with running(["scid"], cwd=out, env=environment, stdout=log, stderr=log):
            user = User(config.parent / "log/engine1.log", environment)
            user.expect("Engine: readyok")
            user.looks_at_the_board()
            user.presses("F4")
            user.expect("Scid  : go infinite")
            board = chess.Board()
            for text in GAME:
                analysed(user, board)
                board.push_uci(text)
                user.drags(board.peek())
                user.expect(f"Scid  : position startpos moves {' '.join(move.uci() for move in board.move_stack)}")
                user.expect("Scid  : go infinite")
            analysed(user, board)
            user.presses("F4")
            user.expect("Scid  : stop")
            user.expect("Engine: bestmove .*")


def analysed(user, board):
    """Waits for a variation, and checks that all so far are legal in this position."""
    lines = user.expect("Engine: info depth ([6-9]|1.) .* pv .*")
    check_variations(board, [line.removeprefix("Engine: ") for line in lines])


SCENARIOS = [scid_analyses]
