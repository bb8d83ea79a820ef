"""External engines hosted by a server: Debian's Stockfish over UCI, and fairymax over xboard's protocol. Clients
of either protocol play and analyse with both. Rules, clocks and the protocol are Farboard's.
"""

import asyncio
import logging
import re
import shutil
from contextlib import asynccontextmanager, contextmanager, nullcontext

import chess
import chess.engine
import chess.variant
from chess.engine import Limit

import netcat
from debug_file import check
from display import display
from engine_session import EngineOutput, play_with_clocks
from paths import PATH, SHIM
from rsh import CLIENTS, HOST
from server import farboard
from uci_session import TEST_TIMEOUT, Complaints, Socket
from xboard import play_match
from xboard_match import judge


def configuration(*listeners):
    """A server with a profile for each of these engines."""
    engines = [("stockfish", "uci", "Hash = 16"), ("fairymax", "xboard", ""), ("fairy-stockfish", "uci", "Hash = 16")]
    text = "\n".join(listeners)
    for name, protocol, options in engines:
        program = shutil.which(name, path=PATH)
        assert program, f"{name} is not installed: tests/install"
        text += f"""
[engine.{name}]
command = ["{program}"]
protocol = "{protocol}"
options = {{ {options} }}
processes = 4

[profile.{name}]
engine = "{name}"
options = {{ Book = "none" }}
"""
    return text


TCP = """
[[listen]]
address = "127.0.0.1:0"
"""

REMOTE_SHELL = f"""
[[listen]]
kind = "rsh"
address = "{HOST}:514"
allow = ["127.0.0.0/8"]
status_byte = true
"""


@contextmanager
def hosting(out, *listeners):
    """Yields the address of a server with external engines, none of which may fail."""
    path = out / "farboard.toml"
    path.write_text(configuration(TCP, *listeners))
    with farboard(out, "--workers", "2", listen=("--config", path)) as address:
        yield address
    log = (out / "server.log").read_text()
    failures = [line for line in log.splitlines() if "[engine." in line and "failed" in line]
    assert not failures, failures


def hosted(out, *engines):
    """Checks by the reported names that these engines were used."""
    log = (out / "server.log").read_text()
    names = dict(re.findall(r"\[engine\.([\w-]+)\] is (.*)", log))
    assert set(engines) <= names.keys(), f"{engines} should have searched, but only {names} did"
    print(names)


def xboard_plays_with_hosted_engines(out):
    """xboard: a match of Stockfish against fairymax, both hosted by one server, 3 s + 0.05 s"""
    profiles = ["-firstOptions", "Profile=stockfish", "-secondOptions", "Profile=fairymax"]
    with hosting(out) as address, display(out) as screen:
        engine = f"{SHIM} {address}"
        terms = {"games": 2, "clock": ("0:03", "0.05"), "limit": 200}
        score = play_match(out, screen, engine, engine, options=profiles, **terms)
    hosted(out, "stockfish", "fairymax")
    judge(out, 2, engines=["first", "second"])
    won, lost, drawn = map(int, score.rsplit(" ", 1)[-1].split("-"))
    assert won == 2, f"Stockfish has won {won}, lost {lost}, drawn {drawn}"


def hosted_through_rsh(out):
    """rsh: -fcp stockfish and -fcp fairymax name profiles, for genuine clients and for xboard, 2 s + 0.05 s"""
    remote = ["-firstHost", HOST, "-secondHost", HOST, "-remoteShell", "netkit-rsh"]
    with hosting(out, REMOTE_SHELL), display(out) as screen:
        for client in CLIENTS:
            for engine in ("stockfish", "fairymax"):
                lines = netcat.answers([client, HOST, engine])
                netcat.check(lines)
                print(client, engine, lines[-1])
        terms = {"games": 2, "clock": ("0:02", "0.05"), "limit": 200}
        print(play_match(out, screen, "stockfish", "fairymax", options=remote, **terms))
        check(out / "xboard.debug", ["first", "second"])
    hosted(out, "stockfish", "fairymax")


class XboardSocket(Socket):
    """The same connection, with xboard's protocol."""

    def __init__(self):
        self.engine = chess.engine.XBoardProtocol()


@asynccontextmanager
async def session(address, kind, profile):
    """An engine over a plain TCP connection. The scenario's log has all lines."""
    logging.getLogger("chess.engine").setLevel(logging.DEBUG)
    host, port = address.rsplit(":", 1)
    _, socket = await asyncio.get_running_loop().create_connection(kind, host, int(port))
    engine = socket.engine
    await asyncio.wait_for(engine.initialize(), TEST_TIMEOUT)
    try:
        await engine.configure({"Profile": profile})
        yield engine
        await asyncio.wait_for(engine.quit(), TEST_TIMEOUT)
    finally:
        engine.transport.close()


def over_tcp(profiles, kinds=(Socket, XboardSocket)):
    """Runs a coroutine with each of these profiles, over UCI and over xboard's protocol, without the shim.
    python-chess warns of some xboard features; over UCI no warning is allowed.
    """

    def scenario(body):
        def run(out):
            async def one(address, kind, profile):
                with Complaints() if kind is Socket else nullcontext():
                    async with session(address, kind, profile) as engine:
                        await body(engine)

            with hosting(out) as address:
                for kind in kinds:
                    for profile in profiles:
                        print(f"{profile} by {kind.__name__}", flush=True)
                        asyncio.run(one(address, kind, profile))
            hosted(out, *profiles)

        run.__name__, run.__doc__ = body.__name__, body.__doc__
        return run

    return scenario


@over_tcp(["stockfish", "fairymax"])
async def hosted_engines_play_with_clocks(engine):
    """python-chess, both protocols over TCP: games with hosted engines, 3 s + 0.02 s, and pondering"""
    await play_with_clocks(engine, 3.0, 80)
    board = chess.Board()
    for turn in range(4):
        result = await engine.play(board, Limit(white_clock=4, black_clock=4), game="pondering", ponder=True)
        board.push(result.move)
        expected = result.ponder if result.ponder in board.legal_moves else None
        others = [move for move in board.legal_moves if move != expected]
        board.push(expected if expected and turn % 2 else others[turn])


@over_tcp(["stockfish", "fairymax"])
async def hosted_engines_analyse(engine):
    """python-chess, both protocols over TCP: analyses by hosted engines to increasing depth; a mate; a fixed depth"""
    board = chess.Board()
    for move in ("e2e4", "c7c5", "g1f3"):
        board.push_uci(move)
        depths = [0]
        with await engine.analysis(board) as analysis:
            async for info in analysis:
                if "pv" in info and "depth" in info:
                    depths.append(info["depth"])
                    assert info["pv"][0] in board.legal_moves, info
                if depths[-1] >= 5:
                    break
        assert depths == sorted(depths), f"depths went back: {depths}"
    mate = chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    result = await engine.play(mate, Limit(time=1))
    assert result.move == chess.Move.from_uci("a1a8"), result.move
    await engine.play(board, Limit(depth=5))


@over_tcp(["stockfish"], kinds=[Socket])
async def hosted_stockfish_shows_several_lines(engine):
    """python-chess, UCI over TCP: three lines of a hosted Stockfish, each with another first move"""
    infos = await engine.analyse(chess.Board(), Limit(depth=8), multipv=3)
    firsts = {info["pv"][0] for info in infos}
    assert len(firsts) == 3, infos


@over_tcp(["fairy-stockfish"])
async def hosted_fairy_stockfish_plays_variants(engine):
    """python-chess, both protocols over TCP: variants by UCI_Variant and Chess960, played by a hosted Fairy-Stockfish"""
    boards = [
        chess.variant.ThreeCheckBoard(),
        chess.variant.KingOfTheHillBoard(),
        chess.variant.RacingKingsBoard(),
        chess.variant.HordeBoard(),
        chess.Board.from_chess960_pos(279),
    ]
    for board in boards:
        with EngineOutput() as output:
            while not board.is_variant_end() and any(board.legal_moves) and board.ply() < 16:
                result = await engine.play(board, Limit(time=0.05), game=board)
                assert result.move in board.legal_moves, f"{result.move} in {board.fen()}"
                board.push(result.move)
        replaced = [line for line in output.lines if "engine plays instead" in line]
        assert not replaced, replaced


SCENARIOS = [
    hosted_engines_play_with_clocks,
    hosted_engines_analyse,
    hosted_stockfish_shows_several_lines,
    hosted_fairy_stockfish_plays_variants,
    xboard_plays_with_hosted_engines,
    hosted_through_rsh,
]
