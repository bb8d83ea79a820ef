"""Control groups (cgroups), one set per machine."""

import os
import time
from contextlib import contextmanager
from pathlib import Path

from paths import OUT
from process import run


def unified():
    """The mount point of version 2, if any."""
    for line in Path("/proc/self/mounts").read_text().splitlines():
        _, folder, kind, *_ = line.split()
        if kind == "cgroup2":
            return Path(folder)
    return None


def mount_unified():
    """Mounts version 2 if this machine has not: a container's systemd would mount it and see all other groups."""
    if not unified():
        folder = OUT / "cgroup2"
        folder.mkdir(parents=True, exist_ok=True)
        run("mount", "-t", "cgroup2", "cgroup2", folder)


def hierarchies():
    """The folders of this process in the writable hierarchies of control groups."""
    found = []
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        top = Path("/sys/fs/cgroup") / controllers.removeprefix("name=") if controllers else unified()
        if top and (top / "cgroup.procs").exists():
            folder = top / path.lstrip("/")
            if os.access(folder, os.W_OK):
                found.append(folder)
    return found


@contextmanager
def control_groups(names):
    """Yields a group for each machine in each hierarchy; otherwise all machines would share one."""
    groups = {name: [folder / f"walk-{os.getpid()}-{name}" for folder in hierarchies()] for name in names}
    made = [group for folders in groups.values() for group in folders]
    try:
        for group in made:
            group.mkdir()
            # Version 1's cpuset accepts no processes before these are set.
            for setting in ("cpuset.cpus", "cpuset.mems"):
                if (group / setting).exists() and (group.parent / setting).exists():
                    (group / setting).write_text((group.parent / setting).read_text())
        yield groups
    finally:
        for group in made:
            for folder, _, _ in os.walk(group, topdown=False):
                remove_group(Path(folder))


def remove_group(folder):
    """Removes a group, whose last processes may still be exiting."""
    deadline = time.monotonic() + 10
    while True:
        try:
            return folder.rmdir()
        except OSError:
            if time.monotonic() > deadline:
                return print(f"{folder} is left", flush=True)
            time.sleep(0.1)
