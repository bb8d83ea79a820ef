"""Three servers behind HAProxy with the configuration of deploy/: games and analyses outlive every server, and
spread evenly. Half of the clients use TLS, which ends at the balancer.

FARBOARD_FLEET_GAMES and FARBOARD_FLEET_ANALYSES set the numbers of games and analyses, 100 each by default.
"""

import csv
import io
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
from contextlib import ExitStack

import chess

from keys import make_keys
from paths import PATH, ROOT, SERVER, SHIM
from process import running
from server import without_runtime_folder

GAMES = int(os.environ.get("FARBOARD_FLEET_GAMES", "100"))
ANALYSES = int(os.environ.get("FARBOARD_FLEET_ANALYSES", "100"))
NAMES = ("one", "two", "three")
# Generous: a busy machine must not fail the scenario. A fleet evens out in a minute and a half, as analyses
# move after a minute.
TEST_TIMEOUT = 240
# Tolerated deviation of a server from its share of all sessions.
TOLERANCE = 0.15
# Plies after which a game starts anew.
MAX_PLIES = 60
# Maximum thinking time of a player in seconds. All games together need the same part of the machine, however
# many there are.
LONGEST_THOUGHT = GAMES / 10


def free_ports(count):
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


class Server:
    """One server of the fleet, which starts and stops on fixed ports."""

    def __init__(self, stack, out, name, port, agent):
        self.name, self.port, self.agent = name, port, agent
        self._stack, self._out, self._process = stack, out, None
        self._config = out / f"{name}.toml"
        self._config.write_text(
            f"""table = 16
workers = 1
drain_seconds = 3
[[listen]]
address = {port}
proxy = ["127.0.0.1"]
[[listen]]
address = {agent}
transport = "agent"
"""
        )

    def start(self):
        with open(self._out / f"{self.name}.log", "a") as log:
            command = [SERVER, "serve", "--config", self._config]
            pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": log}
            pipes["env"] = without_runtime_folder(None)
            self._process = self._stack.enter_context(running(command, **pipes))

    def kill(self):
        """Kills the server as the out-of-memory killer does."""
        self._process.kill()
        self._process.wait()

    def drain(self):
        self._process.send_signal(signal.SIGTERM)
        assert self._process.wait(TEST_TIMEOUT) == 0, f"{self.name} ends badly, see {self._out}"

    def agent_line(self):
        with socket.create_connection(("127.0.0.1", self.agent), timeout=TEST_TIMEOUT) as agent:
            return agent.makefile().read()


class Balancer:
    """HAProxy with the configuration of deploy/, on other addresses."""

    def __init__(self, stack, out, port, tls_port, servers):
        self.address, self.tls_address = f"127.0.0.1:{port}", f"127.0.0.1:{tls_port}"
        self._socket = str(out / "haproxy.sock")
        _, key, self.trust = make_keys(out)
        text = (ROOT / "deploy/haproxy.cfg").read_text()
        text, lines = re.subn(r"(?m)^    (user|group) .*\n", "", text)
        text, logs = re.subn(r"(?m)^    log /dev/log .*", f"    log stderr format raw local0\n    stats socket {self._socket}", text)
        text, binds = re.subn(r"(?m)^    bind :5254$", f"    bind {self.address}", text)
        tls = f"    bind {self.tls_address} ssl crt {key}"
        text, tls_binds = re.subn(r"(?m)^    # bind :5254 ssl crt /etc/haproxy/farboard.pem$", tls, text)
        text, limits = re.subn(r"maxconn 20000", "maxconn 2000", text)
        found = 0
        for server in servers:
            replaced = rf"    server {server.name} 127.0.0.1:{server.port} agent-port {server.agent} weight"
            text, count = re.subn(rf"(?m)^    server {server.name} \S+ weight", replaced, text)
            found += count
        assert (lines, logs, binds, tls_binds, limits, found) == (2, 1, 1, 1, 1, 3), "deploy/haproxy.cfg has changed"
        config = out / "haproxy.cfg"
        config.write_text(text)
        program = shutil.which("haproxy", path=PATH + ":/usr/sbin")
        with open(out / "haproxy.log", "w") as log:
            stack.enter_context(running([program, "-db", "-f", config], stdout=log, stderr=log))

    def way_of(self, number):
        """A shim's arguments for the balancer: every second one uses TLS."""
        return ["--tls", self.trust, self.tls_address] if number % 2 else [self.address]

    def rows(self):
        """HAProxy's statistics of the servers, by name."""
        with socket.socket(socket.AF_UNIX) as control:
            control.settimeout(TEST_TIMEOUT)
            control.connect(self._socket)
            control.sendall(b"show stat\n")
            text = control.makefile().read()
        rows = csv.DictReader(io.StringIO(text.removeprefix("# ")))
        return {row["svname"]: row for row in rows if row["pxname"] == "farboard" and row["svname"] in NAMES}

    def until(self, condition, what):
        """Waits until the condition holds for the servers."""
        deadline = time.monotonic() + TEST_TIMEOUT
        while True:
            try:
                rows = self.rows()
            except (ConnectionError, FileNotFoundError):
                rows = {}
            if rows and condition(rows):
                return rows
            shown = {name: (row["status"], row["scur"], row["weight"]) for name, row in rows.items()}
            assert time.monotonic() < deadline, f"not {what} after {TEST_TIMEOUT} s: {shown}"
            time.sleep(0.2)


class Client(threading.Thread):
    """A GUI in a thread of its own, with a shim as its engine. Errors are kept for the end."""

    def __init__(self, out, kind, number, way):
        super().__init__(name=f"{kind} {number}", daemon=True)
        self.failure, self.done, self.slowest, self.ends = None, 0, 0, threading.Event()
        self._shim = None
        self._random = random.Random(number)
        self._path = out / f"{kind}-{number}.record"
        self._command = [SHIM, "--record", self._path, *way]

    def run(self):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        try:
            with running(self._command, **pipes, text=True, bufsize=1) as shim:
                self._shim = shim
                self.begin()
                while not self.ends.is_set():
                    self.turn()
                self.send("quit")
                assert shim.wait(TEST_TIMEOUT) == 0
        except Exception as error:
            self.failure = f"{self.name}: {type(error).__name__}: {error}"

    def finish(self, deadline):
        """Waits for the client's end; kills a shim that does not exit."""
        self.join(max(0, deadline - time.monotonic()))
        if self.is_alive() and self._shim:
            self._shim.kill()
            self.join(TEST_TIMEOUT)

    def send(self, line):
        self._shim.stdin.write(line + "\n")

    def expect(self, word):
        """The next line that begins with this word, and the number of lines before it. The scenario's limit
        is the deadline.
        """
        began = time.monotonic()
        for others, line in enumerate(self._shim.stdout):
            words = line.split()
            assert not re.match("Error|Illegal|tellusererror|resign|# farboard:", line), line
            assert "farboard: another server" not in line, line
            if words and words[0] == word:
                self.slowest = max(self.slowest, time.monotonic() - began)
                return words, others
            assert not words or words[0] not in ("move", "bestmove"), f"{line} instead of {word}"
        raise AssertionError(f"the shim has ended before {word}")


class Game(Client):
    """Plays random moves against the engine, and tracks the position itself."""

    def begin(self):
        self.send("xboard\nprotover 2")
        while "done=1" not in self.expect("feature")[0]:
            pass
        self.anew()

    def anew(self):
        self._board = chess.Board()
        self.send("new\nst 0.1\neasy\nnopost")

    def turn(self):
        board = self._board
        if board.is_game_over(claim_draw=True) or board.ply() >= MAX_PLIES:
            # The engine's result at the end of a game is not checked.
            self.send(f"force\nping {self.done}")
            self.expect("pong")
            return self.anew()
        self.ends.wait(self._random.random() * LONGEST_THOUGHT)
        move = self._random.choice(list(board.legal_moves))
        board.push(move)
        if board.is_game_over(claim_draw=True):
            return
        self.send(f"usermove {move.uci()}")
        board.push_uci(self.expect("move")[0][1])
        self.done += 1


class Analysis(Client):
    """Analyses a position for a while, then another one."""

    def begin(self):
        self.send("uci\nisready")
        self.expect("readyok")

    def turn(self):
        board = chess.Board()
        for _ in range(self._random.randrange(20)):
            board.push(self._random.choice(list(board.legal_moves)))
            if board.is_game_over():
                board.pop()
                break
        moves = " ".join(move.uci() for move in board.move_stack)
        self.send(f"position startpos moves {moves}" if moves else "position startpos")
        self.send("go infinite")
        self.expect("info")
        # The longer ones give the session time to move to another server.
        self.ends.wait(self._random.choice([1, 5, 20, 75]))
        self.send("stop")
        best = self.expect("bestmove")[0][1]
        assert chess.Move.from_uci(best) in board.legal_moves, f"{best} in {board.fen()}"
        self.done += 1


def are_up(rows):
    return all(row["status"].startswith("UP") for row in rows.values())


def is_even(rows):
    """Returns True if all servers are up and each has its share of all sessions, as far as whole numbers allow."""
    sessions = [int(row["scur"]) for row in rows.values()]
    part = (GAMES + ANALYSES) / len(NAMES)
    most = max(1.0, TOLERANCE * part)
    return are_up(rows) and all(abs(count - part) <= most for count in sessions)


def shown(rows):
    return " ".join(f"{name}:{row['scur']}/{row['weight']}" for name, row in rows.items())


def fleet_behind_haproxy(out):
    """HAProxy: games and analyses outlive each of three servers, killed, drained, replaced and added, and even out"""
    with ExitStack() as stack:
        ports = free_ports(2 * len(NAMES) + 2)
        servers = [Server(stack, out, name, *ports[2 * i : 2 * i + 2]) for i, name in enumerate(NAMES)]
        for server in servers[:2]:
            server.start()
        balancer = Balancer(stack, out, *ports[-2:], servers)
        balancer.until(lambda rows: all(rows[name]["status"].startswith("UP") for name in NAMES[:2]), "up")
        clients = [Game(out, "game", number, balancer.way_of(number)) for number in range(GAMES)]
        clients += [Analysis(out, "analysis", number, balancer.way_of(number)) for number in range(ANALYSES)]
        for client in clients:
            client.start()
        try:
            outlive(servers, balancer, clients)
        finally:
            for client in clients:
                client.ends.set()
            deadline = time.monotonic() + TEST_TIMEOUT
            for client in clients:
                client.finish(deadline)
        for client in clients:
            print(client.name, client.done, f"slowest {client.slowest:.1f} s", client.failure or "")
        failures = [client.failure for client in clients if client.failure]
        assert not failures, f"{len(failures)} of {len(clients)}: {failures[0]}"
        assert all(client.done for client in clients), "a client has made no progress"


def outlive(servers, balancer, clients):
    began = time.monotonic()

    def note(what, rows):
        print(f"{time.monotonic() - began:5.1f} s {what}: {shown(rows)}", flush=True)
        failures = [client.failure for client in clients if client.failure]
        assert not failures, failures[0]

    all_connected = lambda rows: sum(int(row["scur"]) for row in rows.values()) >= len(clients)
    note("begun", balancer.until(all_connected, "begun"))
    one, two, three = servers
    assert re.fullmatch(r"up ready \d+%\n", one.agent_line())
    three.start()
    note("one is added", balancer.until(is_even, "even"))
    one.kill()
    gone = lambda rows: rows["one"]["status"].startswith("DOWN") and all_connected(rows)
    note("one is killed", balancer.until(gone, "resumed elsewhere"))
    one.start()
    note("one is back", balancer.until(is_even, "even"))
    for server in servers:
        server.drain()
        server.start()
        note(f"{server.name} is replaced", balancer.until(lambda rows: are_up(rows) and all_connected(rows), "up"))
    note("all are replaced", balancer.until(is_even, "even"))


SCENARIOS = [fleet_behind_haproxy]
