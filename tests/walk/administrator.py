"""The administrator, following the page."""

import re
import subprocess
import threading
import time
from queue import Empty, Queue

from page import matches, shows
from process import TEST_TIMEOUT

# The steps about Prometheus take a minute, more on a busy machine.
PATIENCE = 120


class Window:
    """A terminal with a command that keeps running."""

    def __init__(self, command):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        self._child = subprocess.Popen(command, text=True, bufsize=1, **pipes)
        self._lines = Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self._child.stdout:
            self._lines.put(line.rstrip("\n"))

    def type(self, text):
        self._child.stdin.write(text + "\n")

    def show(self, wanted):
        """Reads until all these lines have appeared in order."""
        seen = []
        for line in wanted.splitlines():
            while not seen or not matches(line, seen[-1]):
                try:
                    seen.append(self._lines.get(timeout=TEST_TIMEOUT))
                except Empty:
                    raise AssertionError(f"no line {line!r} in the terminal, only {seen}") from None
                complaint = re.match("Error|Illegal|tellusererror|resign", seen[-1])
                assert not complaint, f"the terminal shows {seen[-1]!r}"
        return seen


class Administrator:
    """Executes the blocks from the first to the last and checks their results."""

    def __init__(self, machines):
        self._machines = machines
        self._window = self._in_window = self._typed = None
        self._chosen = set()
        self.shown = 0

    def follow(self, block):
        if block.language == "sh":
            self._type(block)
        elif re.search(r"Type there|Type the next", block.paragraph):
            self._window.type(block.text)
            self._in_window = True
        elif self._in_window:
            self.shown += 1
            self._window.show(block.text)
        else:
            self.shown += 1
            self._see(block)

    def _where(self, paragraph):
        """The machines in the last sentence that begins with "On"."""
        names = re.findall(r"\*\*([a-z ]+)\*\*", paragraph[paragraph.rindex("On **") :])
        everywhere = {"one", "two", "three"}
        if names == ["the server that has the game"] or names == ["the server that has stopped"]:
            names = sorted(self._chosen)
            assert len(names) == 1, f"the game is on {names}"
        elif names == ["the others"]:
            names = sorted(everywhere - self._chosen)
        return [self._machines[name] for name in names]

    def _type(self, block):
        self._in_window = False
        machines = self._where(block.paragraph)
        if "stays open" in block.paragraph:
            [machine] = machines
            self._window, self._typed = Window(machine.command(block.text)), None
            return
        self._typed = block.text, machines
        self._outputs = self._output()

    def _output(self):
        """The output of each machine."""
        text, machines = self._typed
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        children = [subprocess.Popen(machine.command(text), text=True, **pipes) for machine in machines]
        outputs = {}
        for machine, child in zip(machines, children):
            outputs[machine.name] = child.communicate(timeout=TEST_TIMEOUT)[0]
            assert child.returncode == 0, f"on {machine.name} this fails:\n{text}\n\n{outputs[machine.name]}"
        return outputs

    def _see(self, block):
        if "Within a minute" in block.paragraph:
            deadline = time.monotonic() + PATIENCE
            while not self._are_seen(block) and time.monotonic() < deadline:
                time.sleep(1)
                self._outputs = self._output()
        assert self._are_seen(block), f"expected:\n{block.text}\n\nfound:\n{self._outputs}"

    def _are_seen(self, block):
        found = {name for name, output in self._outputs.items() if shows(block.text, output)}
        if "One of them" in block.paragraph:
            self._chosen = self._chosen or found
            return len(found) == 1
        return found == set(self._outputs)
