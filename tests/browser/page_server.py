"""A Farboard server whose pages a browser opens."""

import subprocess
from contextlib import contextmanager

from paths import SERVER
from process import running
from server import ADDRESS, without_runtime_folder


@contextmanager
def page_server(out, *flags):
    """Yields the address of the pages of a running server, which must exit cleanly when terminated."""
    command = [SERVER, "serve", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--table", "64", *flags]
    with open(out / "server.log", "w") as log:
        with running(command, **pipes(log)) as child:
            yield page_address(child.stdout)
            child.terminate()
            code = child.wait(10)
    assert code == 0, f"the server's exit code is {code}, see {out / 'server.log'}"


def mortal_page(servers, out, address="http://127.0.0.1:0", *flags):
    """Starts a server that the test will kill; returns it with the address of its pages. Without an address the
    flags say where they are.
    """
    http = ("--http", address.removeprefix("http://")) if address else ()
    command = [SERVER, "serve", "--listen", "127.0.0.1:0", *http, "--table", "64", "--state-key", out / "state-key", *flags]
    with open(out / "server.log", "a") as log:
        server = servers.enter_context(running(command, **pipes(log)))
    return server, page_address(server.stdout)


def pipes(log):
    environment = without_runtime_folder(None)
    return {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": log, "text": True, "env": environment}


def page_address(lines):
    """The address of the pages, which the server prints in its banner."""
    for line in lines:
        if (found := ADDRESS.search(line)) and "http" in line:
            return f"http://{found.group()}"
    raise AssertionError("the server ended without printing the address of its pages")
