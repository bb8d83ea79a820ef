"""Genuine rsh clients, alone and as the remote shell of xboard."""

import os
import subprocess
from contextlib import contextmanager

import netcat
from debug_file import check
from display import display
from server import farboard
from xboard import play_match

# These clients connect only to port 514, so each run of the tests has a loopback address of its own.
HOST = f"127.51.{os.getpid() // 254 % 256}.{1 + os.getpid() % 254}"

CONFIGURATION = f"""
[[listen]]
kind = "xboard"
address = "127.0.0.1:0"

[[listen]]
kind = "rsh"
address = "{HOST}:514"
allow = ["127.0.0.0/8"]
status_byte = true

[profile.club]
options = {{ LimitStrength = true, Elo = 1600 }}
"""

# Debian has two independent clients.
CLIENTS = ["netkit-rsh", "rsh-redone-rsh"]


@contextmanager
def remote_shell(out):
    """Yields a server on the port of genuine clients."""
    path = out / "farboard.toml"
    path.write_text(CONFIGURATION)
    with farboard(out, listen=("--config", path)):
        yield


def genuine_clients(out):
    """rsh: a script through both of Debian's clients, and their output for an unknown profile"""
    with remote_shell(out):
        for client in CLIENTS:
            lines = netcat.answers([client, HOST, "farboard", "MultiPV=2"])
            netcat.check(lines)
            print(client, f"{len(lines)} lines, the last: {lines[-1]}")
            refused = subprocess.run([client, HOST, "gnuchess"], capture_output=True, timeout=60, stdin=subprocess.DEVNULL)
            lines = refused.stdout.decode("ascii").splitlines()
            print(client, lines)
            assert len(lines) == 2 and 'there is no profile "gnuchess" here' in lines[0], lines


def xboard_through_rsh(out):
    """xboard: a match of two profiles with rsh as its remote shell, 2 s + 0.05 s"""
    remote = ["-firstHost", HOST, "-secondHost", HOST, "-remoteShell", "netkit-rsh"]
    with remote_shell(out), display(out) as screen:
        score = play_match(out, screen, "farboard", "club", games=2, clock=("0:02", "0.05"), options=remote, limit=200)
        print(score)
        check(out / "xboard.debug", ["first", "second"])


SCENARIOS = [genuine_clients, xboard_through_rsh]
