"""Where things are."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "target" / os.environ.get("FARBOARD_BUILD", "release")
SERVER = BUILD / "farboard"
SHIM = BUILD / "farboard-connect"
OUT = ROOT / "tests/out"

# Debian keeps games, xboard among them, where root's PATH does not lead.
PATH = os.environ.get("PATH", "") + ":/usr/games"
