"""xboard with the shim as its remote shell: its command line, and a game."""

import chess

from debug_file import check
from display import display
from paths import SHIM
from server import farboard
from sessions import until
from user import user_of_xboard
from xboard_user import NO_PONDERING, answer

CONFIGURATION = """
[[listen]]
kind = "xboard"
address = "127.0.0.1:0"

[profile.club]
options = { LimitStrength = true, Elo = 1600 }
"""


def plays_through_its_remote_shell(out):
    """xboard -fh HOST -rsh farboard-connect: arguments passed unchanged, port, user, profile, options; a game"""
    path, control = out / "farboard.toml", out / "control"
    path.write_text(CONFIGURATION)
    with farboard(out, "--control", control, listen=("--config", path)) as address, display(out) as screen:
        port = address.split(":")[1]
        cases = [
            # Trailing blanks and empty quotes are words as well.
            (
                ["-firstHost", address, "-remoteShell", SHIM],
                "club MultiPV=2 '' ",
                [SHIM, address, "club", "MultiPV=2", "", ""],
                [r"myname=\"Farboard [0-9.]+ club\" .*", "option=\"Limit Strength -check 1\"", "option=\"MultiPV -spin 2 .*"],
            ),
            (
                ["-fh", "127.0.0.1", "-rsh", f"{SHIM} --port {port}", "-remoteUser", "bob"],
                "farboard   -x 'a b' \"MultiPV=3\"",
                [SHIM, "--port", port, "127.0.0.1", "-l", "bob", "farboard", "-x", "a b", "MultiPV=3", ""],
                [r"myname=\"Farboard [0-9.]+\" .*", "option=\"Limit Strength -check 0\"", "option=\"MultiPV -spin 3 .*"],
            ),
        ]
        for number, (remote, command, words, features) in enumerate(cases, 1):
            folder = out / f"{number}"
            folder.mkdir(exist_ok=True)
            for old in folder.iterdir():
                old.unlink()
            plays(folder, screen, remote, command, [str(word) for word in words], features)
            # xboard terminates the shim, long before the server could have detected a lost client.
            until(control, lambda rows: not rows)


def plays(out, screen, remote, command, words, features):
    board = chess.Board()
    options = [*remote, NO_PONDERING, "-st", "0:01"]
    with user_of_xboard(out, screen, command, *options) as user:
        print(*user.engines())
        assert user.engines() == [words], f"{user.engines()} instead of {words}, see {user.log}"
        user.dialogue.expect(*[f"<feature {feature}" for feature in features])
        for move in ("e2e4", "d2d3"):
            answer(user, board, move)
    check(out / "xboard.debug", engines=["first"])


SCENARIOS = [plays_through_its_remote_shell]
