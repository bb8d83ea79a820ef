"""Paths of the tests."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "target" / os.environ.get("FARBOARD_BUILD", "release")
SERVER = BUILD / "farboard"
SHIM = BUILD / "farboard-connect"
OUT = ROOT / "tests/out"

# Debian installs games, xboard among them, outside root's PATH.
PATH = os.environ.get("PATH", "") + ":/usr/games"
