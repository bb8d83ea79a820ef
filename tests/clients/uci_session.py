"""An engine driven by python-chess over UCI, by each way to reach a server."""

import asyncio
import logging
import re
from contextlib import asynccontextmanager

import chess
import chess.engine

from engine_session import EngineOutput
from paths import SERVER, SHIM
from server import farboard

# A busy machine may be slow; only a hang takes this long.
TEST_TIMEOUT = 30

# The shim, a plain socket, and `farboard stdio`.
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
    """(transport, engine) of a new session; the flags are for `stdio`."""
    if way == "tcp":
        host, port = address.rsplit(":", 1)
        _, socket = await asyncio.get_running_loop().create_connection(Socket, host, int(port))
        await asyncio.wait_for(socket.engine.initialize(), TEST_TIMEOUT)
        return socket.engine.transport, socket.engine
    command = [SHIM, address] if way == "shim" else [SERVER, "stdio", "--table", "64", *flags]
    return await chess.engine.popen_uci([str(word) for word in command], stderr=None)


@asynccontextmanager
async def opened(address, way="shim"):
    """An engine in a new session, dismissed at the end. The scenario's log has all lines."""
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


class AwaitedOutput(EngineOutput):
    """Collects the engine's output while this context is active, and waits for lines."""

    def __init__(self):
        super().__init__()
        self._received = asyncio.Event()

    def emit(self, record):
        super().emit(record)
        self._received.set()

    async def expect(self, form):
        """Waits for a matching line, which may already have been collected."""

        async def found():
            while not (match := next(filter(None, (re.fullmatch(form, line) for line in self.lines)), None)):
                self._received.clear()
                await self._received.wait()
            return match

        try:
            return await asyncio.wait_for(found(), TEST_TIMEOUT)
        except TimeoutError:
            raise AssertionError(f"nothing like {form!r}; the last lines: {self.lines[-5:]}") from None


def scenario(body=None, *, ways=WAYS, complaint=None):
    """Runs a coroutine with an engine, by each of these ways, on a server of its own. `complaint` is the only warning
    that python-chess may log.
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
