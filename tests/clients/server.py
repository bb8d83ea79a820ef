"""A Farboard server on a free port."""

import re
import subprocess
from contextlib import contextmanager

from paths import SERVER
from process import running

ADDRESS = re.compile(r"127\.0\.0\.1:([1-9]\d*)")


@contextmanager
def farboard(out, *flags):
    """Yields the address of a server that listens; it must exit cleanly when asked to."""
    command = [SERVER, "serve", "--listen", "127.0.0.1:0", "--table", "64", *flags]
    with open(out / "server.log", "w") as log:
        with running(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True) as child:
            yield printed_address(child.stdout)
            child.terminate()
            code = child.wait(10)
    assert code == 0, f"the server's exit code is {code}, see {out / 'server.log'}"


def printed_address(lines):
    """The first address a server prints, which is the one it listens on."""
    for line in lines:
        if found := ADDRESS.search(line):
            return found.group()
    raise AssertionError("the server ended without printing its address")
