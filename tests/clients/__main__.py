"""Runs real clients against the release build: `tests/run clients [NAME...]`.

Each scenario has a folder below tests/out/ with its logs. The last line of the output counts the scenarios.
"""

import contextlib
import logging
import os
import signal
import sys
import time
import traceback
from pathlib import Path

# The scenarios with a browser are modules of their own folder.
sys.path.append(str(Path(__file__).resolve().parents[1] / "browser"))

import accessibility
import archive
import browser_games
import droidfish
import fleet
import gnome_chess
import hosted
import ics_rules
import ics_variants
import idle
import keys
import lichess
import netcat
import pychess_games
import python_chess
import python_chess_limits
import python_chess_manners
import python_chess_uci
import python_chess_uci_analysis
import python_chess_uci_variants
import python_chess_variants
import rsh
import scid
import top
import uci_manners
import vanished_peer
import xboard_analysis
import xboard_clocks
import xboard_match
import xboard_outage
import xboard_polyglot
import xboard_pondering
import xboard_positions
import xboard_protocol_1
import xboard_remote_shell
import xboard_user
import xboard_variants
import zippy
import zippy_bughouse
import zippy_manners
import zippy_outage
import zippy_variants
from paths import OUT

# Cheap scenarios come first. Each has a limit in seconds that only a hang reaches.
QUICK = [
    netcat,
    ics_rules,
    ics_variants,
    idle,
    vanished_peer,
    keys,
    archive,
    python_chess,
    python_chess_limits,
    python_chess_manners,
    python_chess_variants,
    python_chess_uci,
    python_chess_uci_analysis,
    python_chess_uci_variants,
    uci_manners,
    droidfish,
    lichess,
    rsh,
    top,
]
LONG = [
    xboard_user,
    xboard_analysis,
    xboard_positions,
    xboard_pondering,
    xboard_clocks,
    xboard_polyglot,
    hosted,
    pychess_games,
    browser_games,
    accessibility,
    gnome_chess,
    scid,
    xboard_protocol_1,
    xboard_match,
    xboard_variants,
    xboard_remote_shell,
    xboard_outage,
    fleet,
    zippy,
    zippy_manners,
    zippy_outage,
    zippy_variants,
    zippy_bughouse,
]
LIMITS = {**dict.fromkeys(QUICK, 90), **dict.fromkeys(LONG, 450), fleet: 1500}
SCENARIOS = {scenario: limit for module, limit in LIMITS.items() for scenario in module.SCENARIOS}


def main(names):
    # The servers of these tests have no secret, whatever the user's shim is given.
    os.environ.pop("FARBOARD_SECRET", None)
    signal.signal(signal.SIGALRM, out_of_time)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    wanted = [scenario for scenario in SCENARIOS if not names or scenario.__name__ in names]
    if unknown := set(names) - {scenario.__name__ for scenario in SCENARIOS}:
        sys.exit(f"no such scenario: {', '.join(sorted(unknown))}")
    failed = sum(not passes(scenario, SCENARIOS[scenario]) for scenario in wanted)
    print(f"{len(wanted) - failed} passed, {failed} failed")
    return 1 if failed else 0


def passes(scenario, limit):
    """Runs one scenario with its output in its folder."""
    out = OUT / scenario.__name__
    out.mkdir(parents=True, exist_ok=True)
    for old in out.iterdir():
        if old.is_file():
            old.unlink()
    started = time.monotonic()
    with open(out / "scenario.log", "w") as log, contextlib.redirect_stdout(log):
        # python-chess warns here of unexpected lines.
        logging.basicConfig(stream=log, force=True)
        signal.alarm(limit)
        try:
            scenario(out)
            failure = None
        except Exception as error:
            traceback.print_exc(file=log)
            frame = traceback.extract_tb(error.__traceback__)[-1]
            failure = f"{type(error).__name__}: {error}\n       {Path(frame.filename).name}:{frame.lineno}: {frame.line}"
        finally:
            signal.alarm(0)
            logging.root.handlers.clear()
    verdict = "FAILED" if failure else "ok    "
    print(f"{verdict} {scenario.__doc__} [{scenario.__name__}, {time.monotonic() - started:.1f} s]", flush=True)
    if failure:
        print(f"       {failure}\n       logs: {out}", flush=True)
    return failure is None


def out_of_time(*_):
    raise TimeoutError("the scenario has timed out")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
