"""Two xboards in Zippy mode play bughouse as partners."""

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from ics.server import Account, chess_server
from ics.visitor import visitor
from ics_variants import team_up
from server import farboard
from zippy_variants import SHALLOW, any_move
from zippy_xboard import zippy

BUGHOUSE = ["-zippyVariants", "normal,crazyhouse,bughouse", "-zippyBughouse", "2"]
ACCOUNTS = {
    **{name: Account("secret", 1600, computer=True) for name in ("Castor", "Pollux")},
    **{name: Account("sesame", 1500) for name in ("Ann", "Bob")},
}

# Messages to a partner after the first move, and while it sits.
CLOCKS = r">ptell my clock \d+:\d\d, opponent \d+:\d\d"
SITS = r"I sit and wait for a piece\. Tell me go, and I move\."


def are_partners(zippies, visitors):
    castor, pollux = zippies
    castor.types("partner Pollux")
    castor.dialogue.expect(">partner Pollux")
    pollux.dialogue.expect(">partner Castor")
    team_up(*visitors)


@contextmanager
def two_teams(out):
    """A team of two Zippies, and a team of two visitors."""
    with (
        farboard(out) as address,
        chess_server(out, **ACCOUNTS) as port,
        zippy(out, port, address, "Castor", *SHALLOW, *BUGHOUSE) as castor,
        zippy(out, port, address, "Pollux", *SHALLOW, *BUGHOUSE) as pollux,
        visitor(port, "Ann", "sesame") as ann,
        visitor(port, "Bob", "sesame") as bob,
    ):
        are_partners((castor, pollux), (ann, bob))
        yield castor, pollux, ann, bob


def zippies_play_bughouse(out):
    """xboard -zp: two are partners in rated bughouse, sit, talk and pass on what they capture until the end"""
    with two_teams(out) as (castor, pollux, ann, bob):
        for color in ("white", "black"):
            ann.send(f"match Castor 0 1 rated {color} bughouse")
            with ThreadPoolExecutor(2) as pool:
                ends = list(pool.map(lambda visitor: visitor.plays(any_move), (ann, bob)))
            print(ends)
            for visitor_, (reason, result), player in zip((ann, bob), ends, (castor, pollux)):
                player.dialogue.expect(">variant bughouse", r">holding \[\w*\] \[\w*\] [WB][PNBRQ]")
                player.finishes(re.escape(f"{result} {{{reason}}}"))
                visitor_.expect(r"^Bughouse rating adjustment: \d+ --> \d+$")
        for player in (castor, pollux):
            clocks = [line for line in player.dialogue.since(0) if re.fullmatch(CLOCKS, line)]
            assert clocks, f"the partner received no clocks, see {player.dialogue.path}"


def zippies_sit(out):
    """xboard -zp: a Zippy asked by its partner to sit holds its move back, reports it, and moves when asked to"""
    with two_teams(out) as (castor, pollux, ann, bob):
        # Ann never moves, so Castor sends nothing by itself.
        ann.send("match Castor 5 1 rated white bughouse")
        asked, asks = pollux.dialogue, castor.dialogue
        asked.expect(">variant bughouse", "<move .*")
        bob.plays(any_move, moves=1)
        asked.expect("<move .*")
        asks.expect(CLOCKS)

        # The partner's opponent has less time, so there is time to sit.
        for wish in ("otim 1000", "sit"):
            castor.types(f"ptell {wish}")
            asked.expect(f">ptell {wish}")
        bob.plays(any_move, moves=1)
        asked.expect(f"<tellics ptell {SITS}")
        asks.expect(f">ptell {SITS}")
        castor.types("ptell go")
        asked.expect(">ptell go", "<move .*", r"<tellics ptell I move again\.")
        ann.send("resign")
        for player in (castor, pollux):
            player.finishes(r".*")


SCENARIOS = [zippies_play_bughouse, zippies_sit]
