"""An engine driven by python-chess through UCI, over each way a GUI has to reach a server."""

import asyncio
import logging
import re
from contextlib import asynccontextmanager

import chess
import chess.engine

from engine_session import Heard
from paths import SERVER, SHIM
from server import farboard

# A busy machine may be slow; only a hang takes this long.
TEST_TIMEOUT = 30

# The shim, a plain socket, and the program that needs no server.
WAYS = ["shim", "tcp", "stdio"]


class Pipes:
    """A TCP connection in the form of python-chess's engine process."""

    def __init__(self, connection):
        self._connection = connection

    def get_pipe_transport(self, _):
        return self._connection

    def get_returncode(self):
        return 0

    def get_pid(self):
        return "tcp"

    def close(self):
        self._connection.close()


class Socket(asyncio.Protocol):
    """Passes the bytes of a connection to python-chess's engine."""

    def __init__(self):
        self.engine = chess.engine.UciProtocol()

    def connection_made(self, transport):
        self.engine.connection_made(Pipes(transport))

    def data_received(self, data):
        self.engine.pipe_data_received(1, data)

    def connection_lost(self, error):
        self.engine.process_exited()
        self.engine.connection_lost(error)


async def connected(address, way, *flags):
    """(transport, engine) of a new session; flags are for `stdio`, which has no server to ask."""
    if way == "tcp":
        host, port = address.rsplit(":", 1)
        _, socket = await asyncio.get_running_loop().create_connection(Socket, host, int(port))
        await asyncio.wait_for(socket.engine.initialize(), TEST_TIMEOUT)
        return socket.engine.transport, socket.engine
    command = [SHIM, address] if way == "shim" else [SERVER, "stdio", "--table", "64", *flags]
    return await chess.engine.popen_uci([str(word) for word in command], stderr=None)


@asynccontextmanager
async def opened(address, way="shim"):
    """An engine in a new session, dismissed at the end. All that is said is in the scenario's log."""
    logging.getLogger("chess.engine").setLevel(logging.DEBUG)
    transport, engine = await connected(address, way)
    try:
        yield engine
        await asyncio.wait_for(engine.quit(), TEST_TIMEOUT)
        assert engine.returncode.result() == 0, f"the exit code is {engine.returncode.result()}"
    finally:
        transport.close()


class Complaints(logging.Handler):
    """Collects python-chess's warnings: invalid numbers and moves, and unexpected lines."""

    def __init__(self, expected=None):
        super().__init__(logging.WARNING)
        self._expected = expected
        self.lines = []

    def __enter__(self):
        logging.getLogger("chess.engine").addHandler(self)
        return self

    def __exit__(self, kind, *_):
        logging.getLogger("chess.engine").removeHandler(self)
        assert kind or not self.lines, f"python-chess complains: {self.lines[:3]}"

    def emit(self, record):
        line = record.getMessage()
        if not (self._expected and re.search(self._expected, line)):
            self.lines.append(line)


class Heeded(Heard):
    """Collects the engine's lines while this is the context, and waits for one of some form."""

    def __init__(self):
        super().__init__()
        self._news = asyncio.Event()

    def emit(self, record):
        super().emit(record)
        self._news.set()

    async def expect(self, form):
        """Waits for a line that matches, among those from the beginning."""

        async def found():
            while not (match := next(filter(None, (re.fullmatch(form, line) for line in self.lines)), None)):
                self._news.clear()
                await self._news.wait()
            return match

        try:
            return await asyncio.wait_for(found(), TEST_TIMEOUT)
        except TimeoutError:
            raise AssertionError(f"nothing like {form!r}; the last lines: {self.lines[-5:]}") from None


def scenario(body=None, *, ways=WAYS, complaint=None):
    """Runs a coroutine with an engine, by each of these ways, on a server of its own. python-chess may warn
    of nothing but `complaint`.
    """
    if body is None:
        return lambda body: scenario(body, ways=ways, complaint=complaint)

    def run(out):
        async def session(address, way):
            with Complaints(complaint):
                async with opened(address, way) as engine:
                    await body(engine)

        with farboard(out) as address:
            for way in ways:
                print(f"by {way}", flush=True)
                asyncio.run(session(address, way))

    run.__name__, run.__doc__ = body.__name__, body.__doc__
    return run
