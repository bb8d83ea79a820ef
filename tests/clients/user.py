"""A user of xboard, with a keyboard and no mouse."""

import subprocess
from contextlib import contextmanager

from dialogue import TEST_TIMEOUT, Dialogue, until
from process import children, running
from xboard import environment, unattended

# Windows with xboard's errors and messages.
POPUPS = ["Error", "Fatal Error", "Exiting", "Information", "Note"]

# Book moves are not searched.
NO_BOOK = ["-firstOptions", "Book=none", "-secondOptions", "Book=none"]

# Items of xboard's menus that have no keys, down to the last one needed here. xboard appends recently used
# engines.
MENUS = {
    "Engine": [
        "Edit Engine List...",
        "Load New 1st Engine...",
        "Load New 2nd Engine...",
        "Engine #1 Settings...",
        "Engine #2 Settings...",
        "Common Settings...",
        "Hint",
        "Book",
    ],
    "Options": ["Mute all Sounds", "General..."],
}

# The underlined letters that open the menus.
MENU_KEYS = {"Engine": "alt+n", "Options": "alt+o"}

# Characters whose keys have other names.
KEYS = {"/": "slash", "!": "exclam"}


@contextmanager
def user_of_xboard(out, display, engine, *options, complaints=()):
    """Starts xboard with an engine, and quits it at the end. `complaints` has the beginnings of the errors it must
    print.
    """
    command = ["xboard", *unattended(out), "-animateMoving", "false", "-sgf", out / "game.pgn"]
    # The engine ends games before xboard can.
    command += ["-checkMates", "false", "-materialDraws", "false", "-fcp", engine, *options]
    env = environment(out, display)
    with open(out / "xboard.log", "w") as log:
        with running(command, cwd=out, env=env, stdout=log, stderr=log) as child:
            user = User(out, env, child)
            user.dialogue.expect(">xboard", ">hard")
            user.dialogue.next = 0
            yield user
            user.quits()
    printed = [line.removeprefix("xboard: ") for line in user.log.read_text().splitlines() if line.startswith("xboard: ")]
    expected = len(printed) == len(complaints) and all(map(str.startswith, printed, complaints))
    assert expected, f"xboard printed {printed} instead of {list(complaints)}, see {user.log}"


class User:
    def __init__(self, out, env, child):
        self.dialogue = Dialogue(out / "xboard.debug")
        self.log = out / "xboard.log"
        self._env = env
        self._child = child
        self._board = self._window("^xboard")

    def types(self, text):
        """Types a move or other text; the first character opens a dialog."""
        self.presses(KEYS.get(text[0], text[0]))
        dialog = self._window("^Type a move$")
        self._xdotool("windowfocus", "--sync", dialog)
        self._xdotool("type", text[1:])
        self._xdotool("key", "Return")
        self._gone("^Type a move$")

    def presses(self, *keys):
        """Presses keys with the board in front."""
        self._xdotool("windowfocus", "--sync", self._board, "key", *keys)

    def chooses(self, menu, item):
        """Chooses a menu item without a key of its own. A menu opens with its first item selected."""
        self.presses(MENU_KEYS[menu])
        self._window("^xboard$")
        self._xdotool("key", *["Down"] * MENUS[menu].index(item), "Return")

    def fills_in(self, name, *keys):
        """Fills in an open dialog from its first field, by keyboard."""
        dialog = self._window(f"^{name}$")
        self._xdotool("windowfocus", "--sync", dialog, "key", *keys)
        self._gone(f"^{name}$")

    def dismisses(self, name):
        """Waits for a popup and closes it."""
        popup = self._window(f"^{name}$")
        self._xdotool("windowfocus", "--sync", popup, "key", "Return")
        self._gone(f"^{name}$")

    def sees_no_popup(self):
        shown = [name for name in POPUPS if self._search(f"^{name}$")]
        assert not shown, f"xboard shows {shown}, see {self.log}"

    def quits(self):
        self.sees_no_popup()
        self.presses("ctrl+q")
        try:
            code = self._child.wait(TEST_TIMEOUT)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"xboard did not quit, see {self.dialogue.path}") from None
        assert code == 0, f"xboard's exit code is {code}, see {self.log}"

    def engines(self):
        """The command lines of the engines that xboard has started."""
        return children(self._child)

    def _window(self, name):
        return until(lambda: self._search(name), lambda: f"xboard shows no window {name!r}, see {self.log}")[0]

    def _gone(self, name):
        until(lambda: not self._search(name), lambda: f"xboard's window {name!r} stays, see {self.log}")

    def _search(self, name):
        command = ["xdotool", "search", "--onlyvisible", "--name", name]
        return subprocess.run(command, env=self._env, capture_output=True, text=True).stdout.split()

    def _xdotool(self, *arguments):
        subprocess.run(["xdotool", *arguments], env=self._env, check=True, stdout=subprocess.DEVNULL)
