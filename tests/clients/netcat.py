"""A script piped through netcat gets all its answers."""

import re
import subprocess

from paths import SHIM
from server import farboard

# The input ends while a move is due, which must still come.
SCRIPT = """xboard
protover 2
new
level 0 1 0
sd 5
nopost
easy
usermove e2e4
ping 7
""".splitlines()

SECOND_MOVE = ["new", "force", "usermove d2d4", "sd 5", "go"]


def answers(command, end="\n"):
    """The command's output for the scripts, as lines."""
    lines = [*SCRIPT, *SECOND_MOVE]
    text = "".join(line + end for line in lines)
    done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=60, check=True)
    return done.stdout.decode("ascii").splitlines()


def check(lines):
    """Checks all answers: features, one pong, and the move due at the end of input."""
    assert lines[0].startswith("feature "), lines[:1]
    assert any(line.endswith("done=1") for line in lines), lines
    assert lines.count("pong 7") == 1, lines
    # `new` may cut the first search short; the end of input may not cut the second one.
    assert re.fullmatch(r"move [a-h][1-8][a-h][1-8]", lines[-1]), lines
    complaints = [line for line in lines if re.match("Error|Illegal|tellusererror", line)]
    assert not complaints, complaints


def over_netcats(out):
    """netcats: the same script through ncat, OpenBSD nc and the shim, with LF and CRLF"""
    with farboard(out) as address:
        host, port = address.split(":")
        for command in (["ncat", host, port], ["nc.openbsd", "-N", host, port], [SHIM, address]):
            for end in ("\n", "\r\n"):
                lines = answers(command, end)
                check(lines)
                print(command[0], repr(end), f"{len(lines)} lines, the last: {lines[-1]}")


SCENARIOS = [over_netcats]
