"""Machines: containers that boot an empty Debian."""

import os
import subprocess
from pathlib import Path

from paths import OUT
from process import LOGIN, TEST_TIMEOUT, process_name, run, until, works

NETWORKS = ["10.0.0.0/24", "192.168.0.0/16"]


class Machine:
    """A container that boots an empty Debian."""

    def __init__(self, stack, scratch, base, name, address, groups):
        self.name = name
        own = scratch / name
        for part in ("upper", "work", "root"):
            (own / part).mkdir(parents=True)
        layers = f"lowerdir={base},upperdir={own / 'upper'},workdir={own / 'work'}"
        run("mount", "-t", "overlay", "overlay", "-o", layers, own / "root")
        self.home = own / "root/root"
        boot = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--network-bridge=walk", "--console=pipe"]
        boot += [f"--machine={name}", "-D", str(own / "root"), "--boot"]
        enter = 'for group in $GROUPS_OF_IT; do echo 0 > "$group/cgroup.procs" || exit 1; done; exec "$@"'
        surroundings = {**os.environ, "GROUPS_OF_IT": " ".join(map(str, groups))}
        log = stack.enter_context((OUT / f"{name}.log").open("w"))
        pipes = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log}
        self._nspawn = subprocess.Popen(["sh", "-c", enter, "sh", *boot], env=surroundings, **pipes)
        self._address = address

    def has_booted(self):
        self._leader = until(f"{self.name} boots, see {OUT}/{self.name}.log", self._child)[0]
        inside = ["nsenter", "--target", self._leader, "--net"]
        until(f"{self.name} has an interface", lambda: works(*inside, "ip", "link", "set", "host0", "up"))
        run(*inside, "ip", "address", "add", f"{self._address}/32", "dev", "host0")
        for network in NETWORKS:
            run(*inside, "ip", "route", "add", network, "dev", "host0")
        state = until(f"{self.name} runs, see {OUT}/{self.name}.log", self._state)
        assert state == "running", f"{self.name} is {state}: {self.answer('systemctl --failed; journalctl -p warning --no-pager')}"

    def _child(self):
        if self._nspawn.poll() is not None:
            raise AssertionError(f"{self.name} does not boot: {(OUT / f'{self.name}.log').read_text()}")
        pid = self._nspawn.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        # Other children prepare the container.
        return [child for child in children if process_name(child) == "systemd"]

    def _state(self):
        """The system's state, once it has started."""
        state = self.answer("systemctl is-system-running --wait").strip()
        return state if state in ("running", "degraded", "maintenance") else None

    def answer(self, text):
        return subprocess.run(self.command(text), capture_output=True, text=True, timeout=TEST_TIMEOUT).stdout

    def command(self, text):
        """A command line that runs these words on the machine."""
        inside = ["nsenter", "--target", self._leader, "--all", "--"]
        return [*inside, *LOGIN, "bash", "-e", "-o", "pipefail", "-c", f"cd\n{text}"]
