"""Child processes that end with their block."""

import os
import signal
import subprocess
from contextlib import contextmanager
from pathlib import Path

TEST_TIMEOUT = 10


@contextmanager
def running(command, **options):
    """A process and its descendants in a group of their own, killed at the end of the block."""
    child = subprocess.Popen(command, start_new_session=True, **options)
    try:
        yield child
    finally:
        stop(child)


def stop(child):
    """Terminates the group politely, then kills the rest."""
    if child.poll() is None:
        child.terminate()
        try:
            child.wait(TEST_TIMEOUT)
        except subprocess.TimeoutExpired:
            pass
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    child.wait()


def children(process):
    """The command lines of a process's running children, as lists of words."""
    numbers = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    lines = [Path(f"/proc/{number}/cmdline").read_bytes() for number in numbers]
    return [line.decode().split("\0")[:-1] for line in lines if line]
