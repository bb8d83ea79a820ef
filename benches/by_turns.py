"""Runs `farboard load` alternately with and without something, and prints medians as a Markdown table."""

import contextlib
import json
import os
import re
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FARBOARD = os.path.join(ROOT, "target", "release", "farboard")
# Timeout of a run, in seconds.
LIMIT = 600


@contextlib.contextmanager
def server(*flags):
    """Starts a Farboard server; yields its control socket and its addresses, the players' first."""
    control = f"/tmp/farboard-{os.getpid()}"
    command = [FARBOARD, "serve", "--listen", "127.0.0.1:0", *flags, "--control", control]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as child:
        try:
            found = []
            while len(found) < 1 + flags.count("127.0.0.1:0"):
                line = child.stderr.readline()
                if not line:
                    sys.exit("the server has not started")
                found += re.findall(r"127\.0\.0\.1:\d+", line)
            # The rest of its output is not read, which does not block the server.
            yield control, *found
        finally:
            child.terminate()
            child.stderr.close()


def resident(address):
    """Resident memory in bytes of the server that listens here."""
    port = address.rpartition(":")[2]
    found = subprocess.run(["ss", "-Hltnp", f"sport = :{port}"], capture_output=True, text=True, check=True).stdout
    process = re.search(r"pid=(\d+)", found)[1]
    with open(f"/proc/{process}/status") as status:
        return int(re.search(r"RssAnon:\s+(\d+) kB", status.read())[1]) * 1024


def report(command):
    """The report of one run of `farboard load --json`."""
    run = subprocess.run(command, stdout=subprocess.PIPE, check=False, timeout=LIMIT)
    if not run.stdout:
        sys.exit(f"{' '.join(command)} ended with {run.returncode}")
    return json.loads(run.stdout)


def table(runs):
    """A table with a column for each list of reports; a cell is the median, with the range of several runs."""
    lines = [["figure", *runs], ["---"] + ["---:"] * len(runs)]
    for figure in next(iter(runs.values()))[0]["figures"]:
        name, unit = figure["name"], figure["unit"]
        cells = [shown(values(reports, name)) for reports in runs.values()]
        lines.append([f"{name}, {unit}" if unit else name, *cells])
    problems = [sum(len(one["problems"]) for one in reports) for reports in runs.values()]
    lines.append(["problems", *map(str, problems)])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def values(reports, name):
    figures = [figure for one in reports for figure in one["figures"] if figure["name"] == name]
    return [figure["value"] for figure in figures if figure["value"] is not None]


def shown(found):
    if not found:
        return "n/a"
    median = readable(statistics.median(found))
    if min(found) == max(found):
        return median
    return f"{median} ({readable(min(found))} to {readable(max(found))})"


def readable(value):
    return f"{value:,.0f}" if value == int(value) or abs(value) >= 100 else f"{value:.3g}"
