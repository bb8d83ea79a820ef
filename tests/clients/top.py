"""`farboard top` on a terminal."""

import fcntl
import os
import pty
import select
import signal
import socket
import struct
import subprocess
import termios
import time

from paths import SERVER
from server import farboard
from sessions import TEST_TIMEOUT


def watches_a_server(out):
    """farboard top: a user watches the sessions, sorts them, and finds the terminal restored at the end"""
    control = out / "control"
    with farboard(out, "--control", str(control)) as address:
        host, port = address.split(":")
        with socket.create_connection((host, int(port))) as client:
            client.sendall(b"xboard\nname Somebody\nanalyze\n")
            with Screen(control, out) as screen:
                screen.until("Somebody", "analysing", " token")
                screen.press(b"s")
                screen.until("all by speed")
                screen.press(b"b")
                screen.until("busy ones by speed, 1 of 1")
                client.sendall(b"exit\n")
                screen.until("by speed, 0 of 0")
                screen.press(b"?")
                screen.until("page up, page down", "q quit   ? keys", "memory ", "load of the machine")
                screen.press(b"q")
                screen.ended()
        with Screen(control, out) as screen:
            screen.until("by number, 0 of 0")
            screen.program.send_signal(signal.SIGTERM)
            screen.ended()


def ends_with_its_terminal(out):
    """farboard top: it ends when its terminal's window is closed, even without SIGHUP"""
    control = out / "control"
    with farboard(out, "--control", str(control)):
        for start in [None, lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)]:
            with Screen(control, out, start) as screen:
                screen.until("by number, 0 of 0")
                screen.close()
                code = screen.program.wait(TEST_TIMEOUT)
                assert code == 0, f"the exit code is {code}"


class Screen:
    """The program on a terminal of its own."""

    def __init__(self, control, out, start=None):
        self.terminal, self.program_end = pty.openpty()
        fcntl.ioctl(self.program_end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 160, 0, 0))
        self.before = termios.tcgetattr(self.program_end)
        command = [SERVER, "top", "--control", control, "--interval", "0.2"]
        terminal = {"stdin": self.program_end, "stdout": self.program_end, "stderr": self.program_end}
        self.program = subprocess.Popen(command, **terminal, env={**os.environ, "TERM": "xterm"}, preexec_fn=start)
        self.out = out
        self.seen = ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.program.kill()
        self.program.wait()
        self.close()

    def close(self):
        """Closes the window."""
        for descriptor in [self.terminal, self.program_end]:
            if descriptor is not None:
                os.close(descriptor)
        self.terminal = self.program_end = None

    def until(self, *words):
        """Waits until all these words were drawn since the last call."""
        deadline = time.monotonic() + TEST_TIMEOUT
        while not all(word in self.seen for word in words):
            assert time.monotonic() < deadline, f"no {words} in {self.seen[-2000:]!r}"
            self.read(1)
        self.seen = ""

    def read(self, seconds):
        if select.select([self.terminal], [], [], seconds)[0]:
            text = os.read(self.terminal, 65536).decode()
            self.seen += text
            with open(self.out / "screen", "a") as log:
                log.write(text)

    def press(self, key):
        os.write(self.terminal, key)

    def ended(self):
        """Checks that the program exits successfully and has restored the terminal."""
        deadline = time.monotonic() + TEST_TIMEOUT
        while self.program.poll() is None:
            assert time.monotonic() < deadline, "it does not exit"
            self.read(0.1)
        assert self.program.returncode == 0, self.program.returncode
        while "\x1b[?1049l" not in self.seen:
            assert time.monotonic() < deadline, f"it stays on the alternate screen: {self.seen[-500:]!r}"
            self.read(0.1)
        assert termios.tcgetattr(self.program_end) == self.before, "the terminal's settings have changed"


SCENARIOS = [watches_a_server, ends_with_its_terminal]
