"""An idle connection stays open."""

import os
import socket
import subprocess

from dialogue import until
from server import farboard
from sessions import sessions

HOURS = 2
# Factor by which the server's time is accelerated.
SPEED = 1000


def fast_time():
    """An environment with accelerated time, as faketime would set for a program."""
    printed = subprocess.run(["faketime", "-f", f"+0 x{SPEED}", "env"], capture_output=True, text=True, check=True)
    variables = dict(line.split("=", 1) for line in printed.stdout.splitlines() if "=" in line)
    return {**os.environ, "LD_PRELOAD": variables["LD_PRELOAD"], "FAKETIME": variables["FAKETIME"]}


def idle_time(control):
    """The first session's seconds, by the server's clock, or 0 where that clock ran out for the command."""
    try:
        return sessions(control)[0]["seconds"]
    except (IndexError, subprocess.CalledProcessError):
        return 0


def idle_for_two_hours(out):
    """idle: two hours without a command, by the server's clock, and the next one is answered"""
    control = out / "control"
    with farboard(out, "--control", control, environment=fast_time()) as address:
        host, port = address.split(":")
        with socket.create_connection((host, int(port)), timeout=60) as client:
            answers = client.makefile()
            client.sendall(b"xboard\nnew\nping 1\n")
            assert answers.readline() == "pong 1\n"
            until(lambda: idle_time(control) >= HOURS * 3600, lambda: f"idle for {idle_time(control)} s only")
            client.sendall(b"ping 2\nusermove e2e4\n")
            assert answers.readline() == "pong 2\n"
            assert answers.readline().startswith("move ")


SCENARIOS = [idle_for_two_hours]
