"""gnome-chess with Farboard in its list of engines; a user with a mouse plays Black."""

import re
import subprocess

import chess

from dialogue import until
from display import display
from paths import PATH, SHIM
from process import running
from server import farboard

# gnome-chess's list of engines, with the keys of its manual.
ENGINES = """[Farboard]
protocol=uci
binary={shim}
arg-easy-0={address}
arg-normal-0={address}
arg-hard-0={address}
delay-before-move=0
uci-go-option-easy-0=depth 3
"""

SETTINGS = """[org/gnome/Chess]
opponent='Farboard'
play-as='black'
difficulty='easy'
width=700
height=550
"""

# The board in a window of that size, with Black at the bottom: its upper left corner and a square, in pixels.
LEFT, TOP, SQUARE = 158, 82, 48

# gnome-chess's debug output: each line sent and read.
SENT = r"Writing line to engine: '{}'"
MOVED = r"Engine moves (\S+)"

MOVES = 8


class User:
    def __init__(self, log, environment):
        self._log, self._environment = log, environment
        self._read = 0

    def expect(self, form):
        """Waits for the next line of this form; returns the match."""
        return until(lambda: self._next(form), lambda: f"nothing like {form!r}, see {self._log}")

    def _next(self, form):
        lines = self._log.read_text(errors="replace").splitlines()
        for index in range(self._read, len(lines)):
            if found := re.search(form, lines[index]):
                self._read = index + 1
                return found
        return None

    def plays(self, move):
        for square in (move.from_square, move.to_square):
            left = LEFT + (7 - chess.square_file(square)) * SQUARE
            self.clicks(left + SQUARE // 2, TOP + chess.square_rank(square) * SQUARE + SQUARE // 2)

    def clicks(self, x, y):
        self._xdotool("mousemove", "--sync", str(x), str(y), "click", "1")

    def is_on_move(self):
        """Waits until the engine's answer is on the board."""
        search = ["xdotool", "search", "--onlyvisible", "--name", "^Black to Move$"]
        until(
            lambda: subprocess.run(search, env=self._environment, capture_output=True).stdout,
            lambda: f"gnome-chess does not show that it is the user's turn, see {self._log}",
        )

    def _xdotool(self, *words):
        subprocess.run(["xdotool", *words], env=self._environment, check=True, stdout=subprocess.DEVNULL)


def home(out, address):
    """A home with these settings."""
    config = out / "config"
    for folder in ("gnome-chess", "glib-2.0/settings"):
        (config / folder).mkdir(parents=True, exist_ok=True)
    (config / "gnome-chess/engines.conf").write_text(ENGINES.format(shim=SHIM, address=address))
    (config / "glib-2.0/settings/keyfile").write_text(SETTINGS)
    data = out / "data"
    # An unfinished game would be resumed.
    subprocess.run(["rm", "-rf", data], check=True)
    return {
        "PATH": PATH,
        "HOME": str(out),
        "XDG_CONFIG_HOME": str(config),
        "XDG_DATA_HOME": str(data),
        "XDG_RUNTIME_DIR": str(out),
        "GSETTINGS_BACKEND": "keyfile",
        "GDK_BACKEND": "x11",
        "GSK_RENDERER": "cairo",
        "GTK_A11Y": "none",
        # The portals would mount a file system in the runtime folder, and leave it there.
        "GDK_DEBUG": "no-portals",
        "G_MESSAGES_DEBUG": "gnome-chess",
        "LC_ALL": "C.UTF-8",
    }


def gnome_chess_plays(out):
    """gnome-chess: a user with a mouse plays Black"""
    board = chess.Board()
    with farboard(out) as address, display(out) as screen:
        environment = home(out, address) | {"DISPLAY": screen}
        log = out / "gnome-chess.log"
        with open(log, "w") as file:
            with running(["dbus-run-session", "gnome-chess"], env=environment, stdout=file, stderr=file):
                user = User(log, environment)
                user.expect(SENT.format("go .*depth 3"))
                board.push_uci(user.expect(MOVED)[1])
                for _ in range(MOVES):
                    answered(user, board)
        output = log.read_text(errors="replace")
    warnings = [line for line in output.splitlines() if "gnome-chess-WARNING" in line or "gnome-chess-CRITICAL" in line]
    assert not warnings, warnings
    print(board.move_stack)


def answered(user, board):
    """Plays the user's move and waits for the engine's."""
    user.is_on_move()
    move = sorted(board.legal_moves, key=chess.Move.uci)[board.ply() % board.legal_moves.count()]
    user.plays(move)
    board.push(move)
    user.expect(SENT.format(f"position startpos moves.* {move.uci()}"))
    # Fails for illegal moves.
    board.push_uci(user.expect(MOVED)[1])


SCENARIOS = [gnome_chess_plays]
