"""lichess's external engine: a stand-in for lichess and its broker, and a provider with Farboard as its engine.

The provider is `lichess_provider.py`, which sends the same lines as lichess's example provider. The example itself
is not included because of its licence; `LICHESS_PROVIDER="python3 example-provider.py"` runs it, which needs the
package `requests`.
"""

import json
import os
import queue
import shlex
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import chess
import chess.variant

from paths import SERVER, SHIM
from process import running
from server import farboard
from uci_lines import check_variations, value

# A busy machine may be slow; only a hang takes this long.
TEST_TIMEOUT = 30

MODEL = [sys.executable, Path(__file__).with_name("lichess_provider.py")]
PROVIDER = shlex.split(os.environ.get("LICHESS_PROVIDER", "")) or MODEL

# lichess writes hands after a ninth slash, and given checks at the end.
STARTS = {
    "chess": chess.STARTING_FEN,
    "crazyhouse": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w KQkq - 0 1",
    "3check": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 +0+0",
    "antichess": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    "atomic": chess.STARTING_FEN,
    "horde": chess.variant.HordeBoard.starting_fen,
    "kingofthehill": chess.STARTING_FEN,
    "racingkings": chess.variant.RacingKingsBoard.starting_fen,
}


class Quiet(ThreadingHTTPServer):
    def handle_error(self, _, client):
        """Ignores errors: a stopped provider reads no answer."""
        print("lichess:", client, repr(sys.exc_info()[1]))


class StandIn:
    """Hands out jobs, and receives the provider's results."""

    def __init__(self):
        self._jobs = queue.Queue()
        self._found = queue.Queue()
        self.registered = None
        stand_in = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                self._answer(200, [])

            def do_POST(self):
                if self.path == "/api/external-engine":
                    stand_in.registered = self._body()
                    self._answer(201, stand_in.registered)
                elif self.path == "/api/external-engine/work":
                    assert self._body()["providerSecret"] == stand_in.registered["providerSecret"]
                    stand_in._give_out(self)
                else:
                    stand_in._receive(self)

            def _body(self):
                return json.loads(self.rfile.read(int(self.headers["Content-Length"])))

            def _answer(self, status, what=None):
                body = b"" if what is None else json.dumps(what).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, form, *words):
                print("lichess:", form % words)

        self._server = Quiet(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    @contextmanager
    def serving(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()

    def asks(self, work, enough=None):
        """Hands out a job and returns the lines of its result; cancels the job after `enough` lines."""
        number = f"job{id(work)}"
        self._jobs.put((number, work, enough))
        try:
            return self._found.get(timeout=TEST_TIMEOUT)
        except queue.Empty:
            raise AssertionError(f"no result in {TEST_TIMEOUT} s for {work}") from None

    def _give_out(self, handler):
        try:
            number, work, self._enough = self._jobs.get(timeout=1)
        except queue.Empty:
            return handler._answer(204)
        handler._answer(200, {"id": number, "work": work, "engine": self.registered})

    def _receive(self, handler):
        """Reads lines as chunks of a body, until the search ends or this side closes the connection."""
        lines = []
        while (size := int(handler.rfile.readline().strip() or b"0", 16)) and len(lines) != self._enough:
            lines.append(handler.rfile.read(size).decode().strip())
            handler.rfile.readline()
        if len(lines) == self._enough:
            handler.close_connection = True
        else:
            handler.rfile.readline()
            handler._answer(200)
        self._found.put(lines)


def job(variant, moves="", lines=1, session="one", **limit):
    """A browser's request. Castling is king takes rook."""
    return {
        "sessionId": session,
        "threads": 1,
        "hash": 16,
        "multiPv": lines,
        "variant": variant,
        "initialFen": STARTS[variant],
        "moves": moves.split(),
        **limit,
    }


def checked(work, lines):
    """Returns the variations, checked to be legal and ordered within each depth."""
    board = chess.variant.find_variant(work["variant"])(chess960=True)
    for move in work["moves"]:
        board.push_uci(move)
    assert lines and all(line.startswith("info ") for line in lines), f"{lines} for {work}"
    variations = [line for line in lines if " pv " in line]
    check_variations(board, variations)
    places = [value(line, "multipv") for line in variations]
    assert places == [1 + index % work["multiPv"] for index in range(len(places))], places
    return variations


def analyses(out, engine):
    """Runs a provider, which registers, and gives it all kinds of jobs."""
    stand_in = StandIn()
    command = [*PROVIDER, "--lichess", stand_in.url, "--broker", stand_in.url]
    command += ["--token", "lip_x", "--engine", engine, "--log-level", "debug"]
    with open(out / "provider.log", "a") as log, stand_in.serving():
        with running(command, stdout=log, stderr=log):
            work = job("chess", lines=3, movetime=300)
            checked(work, stand_in.asks(work))
            variants = set(stand_in.registered["variants"])
            assert variants == set(STARTS), f"{variants} were registered"
            opening = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5"
            work = job("chess", opening, depth=8)
            assert value(checked(work, stand_in.asks(work))[-1], "depth") == 8
            work = job("chess", f"{opening} e1h1", nodes=20_000)
            assert value(checked(work, stand_in.asks(work))[-1], "nodes") <= 20_000
            # A user steps through positions without waiting for searches to end.
            for count in range(5):
                work = job("chess", " ".join(opening.split()[:count]), lines=2, session="two", movetime=600_000)
                checked(work, stand_in.asks(work, enough=4))
            for variant in STARTS:
                work = job(variant, lines=2, session=variant, nodes=5_000)
                checked(work, stand_in.asks(work))
            work = job("chess", session="last", depth=5)
            checked(work, stand_in.asks(work))


def lichess_asks(out):
    """lichess's external engine: analyses of all its variants, limits, changing positions, with the shim and with stdio"""
    with farboard(out) as address:
        analyses(out, f"{SHIM} {address}")
    analyses(out, f"{SERVER} stdio --table 64")


SCENARIOS = [lichess_asks]
