"""Programs on this machine, and waiting for their effects."""

import subprocess
import time
from pathlib import Path

# Anything slower hangs.
TEST_TIMEOUT = 180
# For an empty Debian, which is downloaded from a mirror.
MIRROR_TIMEOUT = 900
# Namespaces that end with the program.
UNSHARE = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
# root's login environment.
LOGIN = ["env", "-i", "HOME=/root", "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"]
LOGIN += ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]


def run(*command, **more):
    """Runs a command and returns its output; shows its error output if it fails."""
    command = [str(word) for word in command]
    done = subprocess.run(command, capture_output=True, text=True, timeout=MIRROR_TIMEOUT, **more)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def works(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, timeout=TEST_TIMEOUT).returncode == 0


def process_name(pid):
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return None


def until(what, attempt, patience=TEST_TIMEOUT):
    """The first result of `attempt` that is neither None nor empty."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        if result := attempt():
            return result
        time.sleep(0.2)
    raise AssertionError(f"in vain: {what}")
