"""xboard in Zippy mode: on a chess server, the engine plays instead of the user."""

import re
import subprocess
from contextlib import contextmanager

from debug_file import check, conversation
from dialogue import TEST_TIMEOUT, until
from display import display
from paths import SHIM
from process import running
from user import User
from xboard import environment, unattended

# Messages when xboard cannot parse the chess server's output, or the server xboard's commands.
PUZZLED = re.compile(
    r"Failed to parse board|from ICS '|Couldn't parse|Error gathering|rejected by ICS"
    r"|Illegal move \(|This computer can|not your move|Command not found|Internal error"
)

CLAIM = re.compile(r"(1-0|0-1|1/2-1/2) \{")

# On a chess server the engine also sends messages to players.
ON_A_SERVER = [
    r"tell(opponent|others|all) .+",
    r"tellics ptell .+",
    r"resign",
    r"result \* \{\w+ lost connection; game adjourned\}",
]


@contextmanager
def zippy(out, port, address, name, *options, password="secret", words=""):
    """A Zippy that is logged in, with its engine ready, on a display of its own; `words` set options."""
    folder = out / name
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    logon = folder / "logon"
    logon.write_text(f"{name}\n{password}\n")
    command = ["xboard", *unattended(folder), "-animateMoving", "true", "-sgf", folder / "game.pgn", "-zp", "-ics"]
    command += ["-icshost", "127.0.0.1", "-icsport", str(port), "-icslogon", logon, "-fcp", f"{SHIM} {address} {words}".strip()]
    command += ["-zippyGameEnd", "", "-autoCallFlag", "true", *options]
    with display(folder) as screen, open(folder / "xboard.log", "w") as log:
        env = environment(folder, screen)
        with running(command, cwd=folder, env=env, stdin=subprocess.PIPE, stdout=log, stderr=log) as child:
            player = Zippy(folder, env, child)
            player.dialogue.expect(">ics 127.0.0.1", ">ping 1", "<pong 1")
            player.sees("Style set.")
            yield player
            player.quits()
    printed = [line for line in player.log.read_text().splitlines() if line.startswith("xboard: ")]
    assert not printed, f"xboard printed {printed}, see {player.log}"
    debug = folder / "xboard.debug"
    puzzled = [line for line in debug.read_text(errors="replace").splitlines() if PUZZLED.search(line)]
    assert not puzzled, f"{puzzled}, see {debug}"
    check(debug, engines=["first"], expected=ON_A_SERVER)
    check_claims(debug)


def check_claims(path):
    """Checks that each game ended as the engine claimed, if it claimed anything. Until it answers the first ping
    after the end, it may not know of the end.
    """
    claimed = ended = pong = None
    for direction, _, line in conversation(path):
        if direction == "<" and (claim := CLAIM.match(line)):
            claimed = claim[1]
        elif direction == ">" and line.startswith("result "):
            ended, pong = line.split()[1], None
        elif direction == ">" and line.startswith("ping ") and ended and not pong:
            pong = line.replace("ping", "pong")
        elif direction == "<" and line == pong:
            claimed = ended = pong = None
        assert not claimed or ended in (None, claimed), f"{claimed} was claimed, the result is {ended}, see {path}"


class Zippy(User):
    def __init__(self, out, env, child):
        super().__init__(out, env, child)
        self.out = out
        self._keyboard = child.stdin

    def types(self, command):
        """Types a command for the chess server at xboard's terminal."""
        self._keyboard.write(f"{command}\n".encode())
        self._keyboard.flush()

    def sees(self, text):
        """Waits for the chess server's output."""
        until(lambda: text in self.log.read_text(errors="replace"), lambda: f"no {text!r}, see {self.log}")

    def finishes(self, result, patience=TEST_TIMEOUT):
        """Waits until the engine knows the end of the game and is ready for the next."""
        self.dialogue.expect(rf">result {result}", patience=patience)
        self.dialogue.expect(">force", r">ping \d+", ">new", ">ics 127.0.0.1")
        number = self.dialogue.expect(r">ping (\d+)")[1]
        self.dialogue.expect(f"<pong {number}")
