"""A Farboard server on a free port."""

import os
import re
import subprocess
from contextlib import contextmanager

from paths import SERVER
from process import running

ADDRESS = re.compile(r"127\.0\.0\.1:([1-9]\d*)")


def without_runtime_folder(environment):
    """The environment without the runtime folder, which has the control socket of the user's own server."""
    environment = dict(os.environ if environment is None else environment)
    environment.pop("XDG_RUNTIME_DIR", None)
    return environment


@contextmanager
def farboard(out, *flags, listen=("--listen", "127.0.0.1:0"), environment=None):
    """Yields the address of a running server, which must exit cleanly when terminated."""
    command = [SERVER, "serve", *listen, "--table", "64", *flags]
    with open(out / "server.log", "w") as log:
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": log}
        with running(command, **pipes, text=True, env=without_runtime_folder(environment)) as child:
            yield printed_address(child.stdout)
            child.terminate()
            code = child.wait(10)
    assert code == 0, f"the server's exit code is {code}, see {out / 'server.log'}"


def mortal_farboard(servers, out, listen="127.0.0.1:0", *flags):
    """Starts a server that the test will kill; returns it with its address. `servers` cleans up. All share a log."""
    command = [SERVER, "serve", "--listen", listen, "--table", "64", "--state-key", out / "state-key", *flags]
    with open(out / "server.log", "a") as log:
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": log, "text": True}
        options["env"] = without_runtime_folder(None)
        server = servers.enter_context(running(command, **options))
    return server, printed_address(server.stdout)


def kill(server):
    """Kills the server as the out-of-memory killer does: it sends nothing more."""
    server.kill()
    server.wait()


def printed_address(lines):
    """The first address that a server prints: the one it listens on."""
    for line in lines:
        if found := ADDRESS.search(line):
            return found.group()
    raise AssertionError("the server ended without printing its address")
