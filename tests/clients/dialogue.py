"""Waits for lines between xboard and its first engine."""

import re
import time

# A busy machine may be slow; only a hang takes this long.
TEST_TIMEOUT = 30

# Output from before a command may arrive this much later on a busy machine.
UNDER_WAY = 2

# xboard writes the word and the move separately.
IN_PIECES = re.compile(r"usermove \d+ >\w+\s*: ")

# Lines that record telnet's output at a login have no line break either.
TELNET = re.compile(r"^<\w+ ECHO >\w+ ECHO ")


def until(condition, failure, patience=TEST_TIMEOUT):
    """Polls until the condition is true; `failure` is a function that describes the condition."""
    end = time.monotonic() + patience
    while not (found := condition()):
        assert time.monotonic() < end, failure()
        time.sleep(0.02)
    return found


class Dialogue:
    """The lines of the debug file in order: each is searched for after the one found before."""

    LINE = re.compile(r"^(\d+) ([<>])first\s*: (.*)$")

    def __init__(self, path):
        self.path = path
        self.lines = []
        self.next = 0
        self._read = 0
        self._rest = ""

    def expect(self, *forms, patience=TEST_TIMEOUT):
        """Waits for lines that match the forms, one after the other, with others between; returns the last
        match. A form begins with the direction: `<` from the engine, `>` to it.
        """
        for form in forms:
            found = until(
                lambda: self._find(form),
                lambda: f"nothing like {form!r} within {patience} s, see {self.path}; the last lines:\n"
                + "\n".join(line for _, line in self._all()[-12:]),
                patience,
            )
        return found

    def silent(self, form, seconds):
        """Checks that no line of this form comes for some time, except lines already under way."""
        time.sleep(UNDER_WAY)
        mark = self.skip()
        try:
            self.expect(form, patience=seconds)
        except AssertionError:
            self.next = mark
        else:
            raise AssertionError(f"{form!r} was sent within {seconds} s, see {self.path}")

    def since(self, mark):
        """The lines after a mark, an earlier value of `next`."""
        return [line for _, line in self._all()[mark:]]

    @property
    def time(self):
        """When the last line found was written, in seconds."""
        return self._all()[self.next - 1][0] / 1000

    def skip(self):
        """Skips all existing lines; returns the mark."""
        self.next = len(self._all())
        return self.next

    def _find(self, form):
        lines = self._all()
        for index in range(self.next, len(lines)):
            if found := re.fullmatch(form, lines[index][1]):
                self.next = index + 1
                return found
        return None

    def _all(self):
        if self.path.exists():
            with open(self.path, errors="replace") as file:
                file.seek(self._read)
                text = self._rest + file.read()
                self._read = file.tell()
            *whole, self._rest = text.split("\n")
            for line in whole:
                if found := self.LINE.match(IN_PIECES.sub("usermove ", TELNET.sub("", line))):
                    self.lines.append((int(found[1]), found[2] + found[3]))
        return self.lines
