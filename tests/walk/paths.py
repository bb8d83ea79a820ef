"""Paths of the walk."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/three-servers.md"
RULES = ROOT / "deploy/prometheus/farboard.rules.yml"
OUT = ROOT / "tests/out/walk"
PACKAGES = Path(os.environ.get("FARBOARD_PACKAGES", ROOT / "target/debian"))


def built_packages():
    """The server's and the shim's packages."""
    return sorted(PACKAGES.glob("farboard*.deb"))
