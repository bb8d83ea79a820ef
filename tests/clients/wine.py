"""farboard-connect.exe under Wine: `tests/windows`.

python-chess plays through it against a server of this machine, which is killed and restarted in the middle.
It checks every move, and requires pongs in order.
"""

import asyncio
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import chess
import chess.engine

from engine_session import self_play
from paths import OUT
from referee import ending
from server import kill, mortal_farboard

# Seconds that Wine's first start may take on a slow machine.
STARTUP = 240
QUICKLY = chess.engine.Limit(time=0.05)
PLIES = 120


def environment(out):
    """An environment in which Wine has a prefix of its own and prints no messages."""
    return {
        **os.environ,
        "WINEPREFIX": str(out / "prefix"),
        "WINEDEBUG": "-all",
        "WINEDLLOVERRIDES": "mscoree,mshtml=",
        "PATH": os.environ["PATH"] + ":/usr/lib/wine",
    }


async def play(program, out):
    with ExitStack() as servers:
        server, address = mortal_farboard(servers, out)
        transport, engine = await chess.engine.popen_xboard(
            ["wine", str(program), address], stderr=None, env=environment(out)
        )
        try:
            board = chess.Board()
            await self_play(engine, board, 10, QUICKLY)
            kill(server)
            mortal_farboard(servers, out, address)
            await self_play(engine, board, PLIES, QUICKLY)
            info = await engine.analyse(chess.Board(), chess.engine.Limit(depth=6))
            assert info["pv"], info
            print(f"{board.ply()} plies over two servers, {ending(board)}; {engine.id.get('name')}")
            await engine.quit()
        finally:
            transport.close()


def main():
    program = Path(sys.argv[1]).resolve()
    out = OUT / "wine"
    out.mkdir(parents=True, exist_ok=True)
    (out / "server.log").unlink(missing_ok=True)
    # The first start creates the prefix, which takes longer than any client waits.
    version = subprocess.run(
        ["wine", str(program), "--version"], env=environment(out), timeout=STARTUP, check=True, capture_output=True
    )
    print(version.stdout.decode().strip())
    asyncio.run(asyncio.wait_for(play(program, out), 900))
    print("1 passed, 0 failed")


if __name__ == "__main__":
    main()
