"""Lines of UCI clients that cannot run here, taken from the programs or their sources. A GUI that knows only a
path starts a copy of the shim with an arguments file beside it.
"""

import shutil
import subprocess

import chess

from keys import HOST, make_keys
from paths import SERVER, SHIM
from server import farboard
from uci_lines import MOVE, TEST_TIMEOUT, over_socket, to_program

STDIO = [SERVER, "stdio", "--table", "64"]

# Two moves in one burst, as polyglot sends them when the opponent has not played the expected move.
BURST = ["position startpos moves e2e4 c7c5", "go infinite", "stop", "position startpos moves e2e4 e7e5", "go movetime 50"]


def each_way(out, address):
    """Commands for the shim and for `farboard stdio`."""
    yield to_program(out, SHIM, address)
    yield to_program(out, *STDIO)
    yield over_socket(out, address)


def leaves(lines):
    lines.send("quit")
    lines.ends()


def uci_is_discovered(out):
    """UCI: PyChess' search for engines, `uci` and `quit` in one piece; scripts whose input ends; with the shim and with stdio"""
    with farboard(out) as address:
        for command in ([SHIM, address], STDIO):
            for script in ("uci\nquit\n", "uci\r\nquit\r\n", "uci\n"):
                output = answered(command, script)
                assert output[-1] == "uciok", output[-3:]
            output = answered(command, "uci\nposition startpos\ngo depth 6\n")
            assert sum(line.startswith("bestmove ") for line in output) == 1, output[-3:]


def answered(command, script):
    """The output until the program exits by itself."""
    done = subprocess.run(command, input=script.encode(), capture_output=True, timeout=TEST_TIMEOUT, check=True)
    return done.stdout.decode().splitlines()


def uci_handles_bursts(out):
    """UCI: a missed ponder of polyglot in one burst; cutechess' ping before each move; a GUI that does not wait for the old move"""
    with farboard(out) as address:
        for way in each_way(out, address):
            with way as lines:
                lines.send("uci")
                lines.until("uciok")
                for _ in range(20):
                    lines.send(*BURST)
                    first, _ = lines.until(MOVE)
                    second, _ = lines.until(MOVE)
                    board = chess.Board()
                    for move in ("e2e4", "c7c5"):
                        board.push_uci(move)
                    board.parse_uci(first[1])
                    board.pop()
                    board.push_uci("e7e5")
                    board.parse_uci(second[1])
                # Every line of a game is followed by a ping, which is answered before the move.
                board = chess.Board()
                lines.send("setoption name Ponder value true", "ucinewgame")
                for _ in range(6):
                    moves = " ".join(move.uci() for move in board.move_stack)
                    lines.send(f"position startpos moves {moves}", "isready")
                    lines.until("readyok")
                    lines.send("go wtime 2000 btime 2000 winc 10 binc 10")
                    board.push(lines.moves(board)[0])
                leaves(lines)


def uci_is_short_of_time(out):
    """UCI: with an expired clock, each move still comes with a score, as fastchess' compliance test requires"""
    with farboard(out) as address:
        for way in each_way(out, address):
            with way as lines:
                lines.send("uci")
                lines.until("uciok")
                board = chess.Board()
                for count in range(30):
                    moves = " ".join(move.uci() for move in board.move_stack)
                    lines.send("ucinewgame", f"position startpos moves {moves}", f"go wtime {count} btime {count}")
                    found, before = lines.until(MOVE)
                    scores = [line for line in before if line.startswith("info ") and " score " in line]
                    assert scores and scores[-1].split(" pv ")[1].split()[0] == found[1], f"{before} before {found[0]}"
                    board.push_uci(found[1])
                    if board.is_game_over():
                        board.reset()
                leaves(lines)


def uci_starts_by_path_alone(out):
    """UCI: En Croissant and Cute Chess start a program without arguments, which reads them from the file beside it"""
    with farboard(out) as address:
        copy = out / "Club engine"
        shutil.copy(SHIM, copy)
        copy.with_name(f"{copy.name}.args").write_text(f"# our club\n{address}\n")
        try:
            with to_program(out, copy) as lines:
                lines.send("uci")
                lines.until("uciok")
                lines.send("isready")
                lines.until("readyok")
                board = chess.Board()
                for move in ("e2e4", "e7e5", "g1f3"):
                    lines.send("setoption name MultiPV value 2", f"position fen {board.fen()} moves", "go infinite")
                    lines.until(r"info .* multipv 2 .*")
                    # The GUI does not wait for the move, which precedes all output of the next search.
                    lines.send("stop")
                    lines.moves(board)
                    board.push_uci(move)
                leaves(lines)
        finally:
            copy.unlink()


def uci_behind_keys(out):
    """UCI: over TLS with a secret, through the shim; over TLS alone with `openssl s_client`"""
    secret, own, trust = make_keys(out)
    with farboard(out, "--tls", own, "--secret-file", secret) as address:
        words = ["--tls", trust, "--secret-file", secret, address]
        with to_program(out, SHIM, *words) as lines:
            analyses(lines)
    with farboard(out, "--tls", own) as address:
        client = ["openssl", "s_client", "-quiet", "-verify_return_error", "-connect", address]
        with to_program(out, *client, "-CAfile", trust, "-verify_ip", HOST) as lines:
            analyses(lines)


def analyses(lines):
    """Analyses the start position with two lines."""
    lines.send("uci")
    lines.until("uciok")
    lines.send("setoption name MultiPV value 2", "position startpos", "go infinite")
    lines.until("info .* multipv 2 .*")
    lines.send("stop")
    assert lines.moves(chess.Board())[0]
    leaves(lines)


SCENARIOS = [
    uci_is_discovered,
    uci_handles_bursts,
    uci_is_short_of_time,
    uci_starts_by_path_alone,
    uci_behind_keys,
]
