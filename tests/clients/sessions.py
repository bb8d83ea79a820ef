"""A server's sessions."""

import json
import subprocess
import time

from paths import SERVER

# Generous: a busy machine must not fail a scenario.
TEST_TIMEOUT = 60


def sessions(control):
    """The rows printed by `farboard sessions --json`."""
    command = [SERVER, "sessions", "--control", control, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TEST_TIMEOUT, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def until(control, condition):
    """Waits until the list of sessions satisfies the condition, and returns it."""
    deadline = time.monotonic() + TEST_TIMEOUT
    while not condition(rows := sessions(control)):
        assert time.monotonic() < deadline, f"after {TEST_TIMEOUT} s: {rows}"
        time.sleep(0.1)
    return rows
