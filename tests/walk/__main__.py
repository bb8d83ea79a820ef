"""Types the commands of docs/three-servers.md and checks the output that the page shows.

    python3 tests/walk            the walk
    python3 tests/walk missing    prints the tools that this machine lacks; fails if there are none

Five machines are containers of systemd-nspawn with Debian's own systemd, in a network of their own, on overlays that are removed at
the end. Needs root, debootstrap, systemd-container, iproute2, and the packages of deploy/package in target/debian/ or in the folder
FARBOARD_PACKAGES. The empty Debian is created once, in tests/out/walk/.

A paragraph of the page controls the code block below it: "On **one**, **two**:" types it there, "stays open" leaves it running,
"Type there" and "Type the next" type into that terminal. Any other block has lines that the output must contain in that order ("…" stands
for anything) on each machine, on "One of them", or "Within a minute", for which the commands are repeated.
"""

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

from administrator import Administrator
from control_groups import control_groups, hierarchies, mount_unified
from debian import empty_debian, mirror
from machine import Machine
from page import blocks, named_machines
from paths import OUT, PACKAGES, PAGE, RULES, built_packages
from process import UNSHARE, run

FOLDER = str(Path(__file__).resolve().parent)
TOOLS = ["debootstrap", "systemd-nspawn", "unshare", "nsenter", "ip", "mount"]
# `maxconn` of deploy/haproxy.cfg.
CONNECTIONS = 20000


def missing():
    """The requirements that this machine lacks, or nothing."""
    if os.geteuid() != 0:
        return "root"
    for tool in TOOLS:
        if not shutil.which(tool):
            return f"{tool} (tests/install)"
    if subprocess.run([*UNSHARE, "true"], capture_output=True).returncode != 0:
        return "the right to have namespaces"
    if len(built_packages()) != 2:
        return f"the two packages in {PACKAGES} (cargo-deb)"
    if not hierarchies():
        return "control groups to write to"
    if not mirror():
        return "a mirror of Debian in its sources of packages"
    return None


def fit_descriptors(server):
    """Lowers `maxconn` in the package's haproxy.cfg if this machine allows too few descriptors: HAProxy needs two for
    each connection.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < 2 * CONNECTIONS + 100:
        file = "/usr/share/doc/farboard/deploy/haproxy.cfg"
        server.answer(f"sed -i 's/maxconn {CONNECTIONS}/maxconn {(most - 100) // 2}/' {file}")


def keep_journals(machines):
    for machine in machines.values():
        (OUT / f"{machine.name}.journal").write_text(machine.answer("journalctl --no-pager"))


def check_end(machines):
    """Checks that all rules of deploy/ are loaded and healthy."""
    rules = RULES.read_text().count("- alert:")
    answer = machines["balancer"].answer("curl -s http://127.0.0.1:9090/api/v1/rules")
    assert answer.count('"health":"ok"') == answer.count('"type":"alerting"') == rules, answer


def walk(base, groups):
    """Runs the walk inside the namespaces, which end with this process."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    began = time.monotonic()
    run("ip", "link", "add", "walk", "type", "bridge")
    run("ip", "link", "set", "walk", "up")
    with ExitStack() as stack:
        scratch = OUT / "machines"
        scratch.mkdir(exist_ok=True)
        run("mount", "-t", "tmpfs", "tmpfs", scratch)
        machines = {
            name: Machine(stack, scratch, base, name, address, groups[name]) for name, address in named_machines().items()
        }
        for package in built_packages():
            shutil.copy(package, machines["one"].home)
        for machine in machines.values():
            machine.has_booted()
        print(f"{time.monotonic() - began:5.1f} s  {', '.join(machines)} have booted", flush=True)
        stack.callback(keep_journals, machines)
        administrator = Administrator(machines)
        for block in blocks():
            first = block.text.splitlines()[0]
            print(f"{time.monotonic() - began:5.1f} s  {PAGE.name}:{block.line} {first[:80]}", flush=True)
            if "haproxy.cfg" in block.text:
                fit_descriptors(machines["one"])
            administrator.follow(block)
        check_end(machines)
        print(f"{time.monotonic() - began:5.1f} s  the page's output was confirmed {administrator.shown} times", flush=True)


def main():
    if sys.argv[1:] == ["missing"]:
        lacking = missing()
        if lacking:
            print(lacking)
        sys.exit(0 if lacking else 1)
    if sys.argv[1:2] == ["inside"]:
        groups = dict(zip(named_machines(), (text.split(":") for text in sys.argv[3:])))
        return walk(Path(sys.argv[2]), groups)
    if lacking := missing():
        sys.exit(f"tests/walk: this machine lacks {lacking}")
    if sys.argv[1:] != ["begin"]:
        # Keeps all further mounts private.
        os.execvp("unshare", ["unshare", "--mount", sys.executable, FOLDER, "begin"])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    mount_unified()
    base = empty_debian()
    with control_groups(named_machines()) as groups:
        inside = [*UNSHARE, sys.executable, FOLDER, "inside", str(base)]
        inside += [":".join(map(str, folders)) for folders in groups.values()]
        child = subprocess.Popen(inside)
        try:
            code = child.wait()
        finally:
            # Child processes end with this one.
            child.kill()
            child.wait()
    sys.exit(code)


if __name__ == "__main__":
    main()
