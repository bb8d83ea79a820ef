"""UCI lines over a socket or to a program, for models of clients that do not run here."""

import queue
import re
import socket
import subprocess
import threading
from contextlib import contextmanager, suppress

from process import running

# A busy machine may be slow; only a hang takes this long.
TEST_TIMEOUT = 30

MOVE = r"bestmove (\S+)(?: ponder (\S+))?"


class Lines:
    """The peer's output in order; a thread reads it without pause."""

    def __init__(self, reader, writer, log):
        self._writer, self._log = writer, log
        self._heard = queue.Queue()
        threading.Thread(target=self._listen, args=[reader], daemon=True).start()

    def send(self, *lines):
        """Sends lines, each in its own write."""
        for line in lines:
            self._log.write(f"> {line}\n")
            self._writer.write(f"{line}\n".encode())
            self._writer.flush()

    def until(self, form):
        """Returns (match, lines before it) for the next line that matches; any lines may come before it."""
        lines = []
        while True:
            try:
                line = self._heard.get(timeout=TEST_TIMEOUT)
            except queue.Empty:
                raise AssertionError(f"nothing like {form!r} in {TEST_TIMEOUT} s; the last lines: {lines[-5:]}") from None
            assert line is not None, f"end of output instead of {form!r}; the last lines: {lines[-5:]}"
            if found := re.fullmatch(form, line):
                return found, lines
            lines.append(line)

    def moves(self, board):
        """The move and the expected reply from the answer to `go`, both legal, or None."""
        found, lines = self.until(MOVE)
        move = None if found[1] == "(none)" else board.parse_uci(found[1])
        check_variations(board, lines)
        if move and found[2]:
            after = board.copy()
            after.push(move)
            return move, after.parse_uci(found[2])
        return move, None

    def ends(self):
        """Waits for the peer to close."""
        while True:
            try:
                if self._heard.get(timeout=TEST_TIMEOUT) is None:
                    return
            except queue.Empty:
                raise AssertionError(f"the peer has not closed in {TEST_TIMEOUT} s") from None

    def _listen(self, reader):
        with reader:
            for line in reader:
                line = line.decode().rstrip("\r\n")
                self._log.write(f"< {line}\n")
                self._log.flush()
                self._heard.put(line)
        self._heard.put(None)


def check_variations(board, lines):
    """Checks that all variations among the lines are legal from this position."""
    for line in lines:
        if line.startswith("info ") and " pv " in line:
            after = board.copy()
            for move in line.split(" pv ")[1].split():
                after.push(after.parse_uci(move))


def value(line, name):
    """The number after a word of an `info` line."""
    words = line.split()
    return int(words[words.index(name) + 1])


@contextmanager
def over_socket(out, address):
    """A plain connection like a phone's, with TCP_NODELAY."""
    host, port = address.rsplit(":", 1)
    with socket.create_connection((host, int(port)), TEST_TIMEOUT) as connection, open(out / "uci.log", "a") as log:
        connection.settimeout(None)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            yield Lines(connection.makefile("rb"), connection.makefile("wb"), log)
        finally:
            # The server may have closed already.
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def to_program(out, *command):
    """An engine as a program of its own."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with open(out / "uci.log", "a") as log, running(list(command), **pipes) as child:
        yield Lines(child.stdout, child.stdin, log)
