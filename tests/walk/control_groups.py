"""Groups of processes (cgroups), of which each machine has its own."""

import os
import time
from contextlib import contextmanager
from pathlib import Path


def hierarchies():
    """The folders of this process in the hierarchies of control groups that can be written to."""
    found = []
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        top = Path("/sys/fs/cgroup") / controllers.removeprefix("name=")
        folder = top / path.lstrip("/")
        if (top / "cgroup.procs").exists() and os.access(folder, os.W_OK):
            found.append(folder)
    return found


@contextmanager
def control_groups(names):
    """A group for each machine in each hierarchy: without, all machines would have the same."""
    groups = {name: [folder / f"walk-{os.getpid()}-{name}" for folder in hierarchies()] for name in names}
    made = [group for folders in groups.values() for group in folders]
    for group in made:
        group.mkdir()
        # Those of version 1 take nobody before that.
        for setting in ("cpuset.cpus", "cpuset.mems"):
            if (group / setting).exists() and (group.parent / setting).exists():
                (group / setting).write_text((group.parent / setting).read_text())
    try:
        yield groups
    finally:
        for group in made:
            for folder, _, _ in os.walk(group, topdown=False):
                remove_group(Path(folder))


def remove_group(folder):
    """Its last processes may still be on their way out."""
    deadline = time.monotonic() + 10
    while True:
        try:
            return folder.rmdir()
        except OSError:
            if time.monotonic() > deadline:
                return print(f"{folder} is left", flush=True)
            time.sleep(0.1)
