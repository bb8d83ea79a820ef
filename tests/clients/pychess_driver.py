"""Runs PyChess's own games and analyses with a UCI engine, without its windows: a program of its own, for Debian's python3.

    pychess_driver.py WHAT VARIANT SECONDS GAIN LEVEL COMMAND WORD...
    pychess_driver.py discovery COMMAND

WHAT is `game` or `analysis`. It prints one JSON object: the moves and how the game ended, or the lines of the last analysis; or
the protocol and the options that the dialog for engines finds for a path.
"""

import asyncio
import builtins
import json
import sys

# PyChess translates its output.
builtins._ = lambda text: text

import gi  # noqa: E402

gi.require_version("Gtk", "3.0")

from pychess.Players.engineNest import discoverer, is_uci  # noqa: E402
from pychess.System import conf  # noqa: E402
from pychess.Utils import const  # noqa: E402
from pychess.Utils.GameModel import GameModel  # noqa: E402
from pychess.Utils.Move import parseAny, toAN  # noqa: E402
from pychess.Utils.TimeModel import TimeModel  # noqa: E402
from pychess.Variants import variants  # noqa: E402

LONGEST = 300

KINDS = ("WON_", "DRAW_", "UNKNOWN_REASON", "WHITE_ENGINE", "BLACK_ENGINE")
REASONS = [name for name in dir(const) if name.startswith(KINDS)]


def variant_named(name):
    return next(board for board in variants.values() if board.cecp_name == name)


def model_of(variant, seconds, gain):
    return GameModel(TimeModel(seconds, gain), variant) if seconds else GameModel(variant=variant)


async def plays(engine, variant, seconds, gain, level):
    """PyChess's model of a game between two engines, each on a connection of its own."""
    model = model_of(variant, seconds, gain)
    clock = {"secs": seconds, "incr": gain}
    players = [
        await discoverer.initPlayerEngine(engine, color, level, variant, **clock) for color in (const.WHITE, const.BLACK)
    ]
    ended = asyncio.get_event_loop().create_future()

    def end(_, reason):
        if not ended.done():
            ended.set_result(reason)

    def moved(_, ply):
        if ply >= LONGEST:
            end(None, const.UNKNOWN_REASON)

    model.connect("game_ended", end)
    model.connect("game_changed", moved)
    for player in players:
        player.setOptionInitialBoard(model)
    model.setPlayers(players)
    model.start()
    reason = await ended
    castling = const.CASTLE_KR if variant.variant == const.FISCHERRANDOMCHESS else const.CASTLE_KK

    def text(board, move):
        return toAN(board, move, short=True, castleNotation=castling)

    for player in players:
        player.kill(const.UNKNOWN_REASON)
    return {
        "start": model.boards[0].asFen(),
        "moves": [text(board, move) for board, move in zip(model.boards, model.moves)],
        "result": const.reprResult[model.status],
        "reason": next(name for name in REASONS if getattr(const, name) == reason),
        "names": [player.name for player in players],
    }


async def analyses(engine, variant, lines):
    """Analyses a game while moves are added, then requests more lines."""
    model = GameModel(variant=variant)
    analyzer = await discoverer.initAnalyzerEngine(engine, const.ANALYZING, variant)
    analyzer.setOptionInitialBoard(model)
    model.spectators[const.HINT] = analyzer
    received = asyncio.Queue()
    analyzer.connect("analyze", lambda _, analysis: received.put_nowait(list(analysis)))
    event, is_dead = asyncio.Event(), set()
    analyzer.start(event, is_dead)
    await event.wait()
    assert not is_dead, "PyChess reports the engine as dead"
    found = []

    async def deep(count):
        """Waits until all lines of the current position are deep enough."""
        while True:
            analysis = await received.get()
            if len(analysis) != count or not all(analysis):
                continue
            if {line[0] for line in analysis} != {model.boards[-1].ply}:
                continue
            # The engine's output may still be about the previous position.
            is_new = all(is_legal(model.boards[-1], line[1]) for line in analysis)
            if is_new and min(int(line[3]) for line in analysis) >= 5:
                found.append([[line[1], line[2], line[3]] for line in analysis])
                return

    await deep(1)
    for move in ("e2e4", "e7e5", "g1f3"):
        put(model, analyzer, move)
        await deep(1)
    analyzer.requestMultiPV(lines)
    await deep(lines)
    put(model, analyzer, "b8c6")
    await deep(lines)
    analyzer.pause()
    analyzer.resume()
    await deep(lines)
    analyzer.kill(const.UNKNOWN_REASON)
    return {"analyses": found, "name": analyzer.name}


async def discovers(command):
    """Adds an engine by its path, as the dialog for engines does."""
    assert is_uci([command]), "PyChess does not recognise a UCI engine"
    discoverer.engines.clear()
    discoverer.addEngine("Farboard", command, "uci", None, None)
    found = asyncio.get_event_loop().create_future()

    def discovered(_, name, engine):
        # PyChess also discovers engines installed on this machine.
        if name == "Farboard":
            found.set_result(engine)

    def failed(_, name, engine):
        if name == "Farboard":
            found.set_exception(RuntimeError("no engine found"))

    discoverer.connect("engine_discovered", discovered)
    discoverer.connect("engine_failed", failed)
    discoverer.discover()
    engine = await found
    return {"protocol": engine["protocol"], "options": [option["name"] for option in engine["options"]]}


def put(model, analyzer, text):
    before = model.boards[-1]
    move = parseAny(before, text)
    after = before.move(move)
    model.boards.append(after)
    model.moves.append(move)
    analyzer.putMove(after, move, before)


def is_legal(board, moves):
    try:
        for text in moves:
            board = board.move(parseAny(board, text))
    except Exception:
        return False
    return bool(moves)


def main():
    conf.set("book_depth_max", 0)
    conf.set("infinite_analysis", True)
    loop = asyncio.SelectorEventLoop()
    asyncio.set_event_loop(loop)
    if sys.argv[1] == "discovery":
        print(json.dumps(loop.run_until_complete(discovers(sys.argv[2]))))
        return
    what, variant, seconds, gain, level, command, *words = sys.argv[1:]
    engine = {"name": "Farboard", "protocol": "uci", "command": command, "args": words, "md5": "0"}
    if what == "game":
        work = plays(engine, variant_named(variant), int(seconds), float(gain), int(level))
    else:
        work = analyses(engine, variant_named(variant), 3)
    found = loop.run_until_complete(work)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
