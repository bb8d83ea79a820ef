"""Where things are."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SERVER = ROOT / "target/release/farboard"
SHIM = ROOT / "target/release/farboard-connect"
OUT = ROOT / "tests/out"

# Debian keeps games, xboard among them, where root's PATH does not lead.
PATH = os.environ.get("PATH", "") + ":/usr/games"
