"""Clients whose machine vanishes without a packet: the cable between two network namespaces is cut."""

import os
import subprocess
import sys
from contextlib import contextmanager

from paths import SERVER
from process import running
from sessions import until

# Documentation addresses, used only inside the namespaces.
HERE, THERE, PORT = "192.0.2.1", "192.0.2.2", "5254"

# Sends commands and reads nothing, with a tiny receive buffer.
CLIENT = f"""
import socket, sys
client = socket.socket()
client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
client.connect(({HERE!r}, {PORT}))
for line in sys.stdin.buffer:
    client.sendall(line)
"""


def ip(*words):
    subprocess.run(["ip", *words], check=True, timeout=30)


@contextmanager
def two_machines():
    """Two network namespaces, of the server and of its clients, joined by a cable; yields their names."""
    near, far = f"farboard-near-{os.getpid()}", f"farboard-far-{os.getpid()}"
    added = subprocess.run(["ip", "netns", "add", near], capture_output=True, text=True, timeout=30)
    if added.returncode != 0:
        yield None
        print(f"SKIPPED: network namespaces are refused here: {added.stderr.strip()}", file=sys.stderr, flush=True)
        return
    try:
        ip("netns", "add", far)
        ip("-n", near, "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", far)
        for machine, address in ((near, HERE), (far, THERE)):
            ip("-n", machine, "addr", "add", f"{address}/24", "dev", "cable")
            ip("-n", machine, "link", "set", "cable", "up")
            ip("-n", machine, "link", "set", "lo", "up")
        yield near, far
    finally:
        for machine in (near, far):
            subprocess.run(["ip", "netns", "del", machine], check=False, timeout=30)


@contextmanager
def client(machine, name):
    """A client on that machine that has sent its name."""
    command = ["ip", "netns", "exec", machine, sys.executable, "-c", CLIENT]
    with running(command, stdin=subprocess.PIPE) as child:
        send(child, f"xboard\nname {name}\n")
        yield child


def send(child, text):
    child.stdin.write(text.encode())
    child.stdin.flush()


def named(rows, name):
    return next((row for row in rows if row["opponent"] == name), None)


def vanished_peers(out):
    """vanished peers: idle, analysing, and one that read nothing; their sessions end, and no other"""
    with two_machines() as machines:
        if machines:
            notices(out, *machines)


def notices(out, near, far):
    control = out / "control"
    flags = ["--listen", f"{HERE}:{PORT}", "--allow", "192.0.2.0/24", "--table", "16", "--keepalive", "1"]
    server = ["ip", "netns", "exec", near, SERVER, "serve", *flags, "--control", control]
    with open(out / "server.log", "w") as log, running(
        server, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log
    ) as running_server:
        # The server prints a line when it listens.
        assert running_server.stdout.readline()
        with client(near, "neighbour"), client(far, "idle"), client(far, "analysing") as analysing, client(
            far, "deaf"
        ) as deaf:
            send(analysing, "post\nanalyze\n")
            send(deaf, "analyze\n")
            until(control, lambda rows: len(rows) == 4 and all(row["opponent"] for row in rows))
            until(control, lambda rows: named(rows, "analysing")["depth"])
            until(control, lambda rows: flooded(deaf, named(rows, "deaf")))
            print("before:", *until(control, len), sep="\n  ")
            ip("-n", far, "link", "set", "cable", "down")
            rows = until(control, lambda rows: len(rows) <= 1)
            print("after:", *rows, sep="\n  ")
            assert named(rows, "neighbour"), "a connected client was dropped"
        running_server.terminate()
        assert running_server.wait(60) == 0


def flooded(deaf, row):
    """Returns True if the client's machine accepts no more output; otherwise requests more."""
    if row["queued"] == 0:
        send(deaf, "protover 2\n" * 20)
    return row["queued"] > 0


SCENARIOS = [vanished_peers]
