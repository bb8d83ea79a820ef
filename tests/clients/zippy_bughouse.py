"""xboard as Zippy plays bughouse: two of them are partners."""

import re
from concurrent.futures import ThreadPoolExecutor

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


def are_partners(zippies, visitors):
    castor, pollux = zippies
    castor.types("partner Pollux")
    castor.dialogue.expect(">partner Pollux")
    pollux.dialogue.expect(">partner Castor")
    team_up(*visitors)


def zippies_play_bughouse(out):
    """xboard -zp: two are partners in rated bughouse, sit, talk and pass on what they capture until the end"""
    with (
        farboard(out) as address,
        chess_server(out, **ACCOUNTS) as port,
        zippy(out, port, address, "Castor", *SHALLOW, *BUGHOUSE) as castor,
        zippy(out, port, address, "Pollux", *SHALLOW, *BUGHOUSE) as pollux,
        visitor(port, "Ann", "sesame") as ann,
        visitor(port, "Bob", "sesame") as bob,
    ):
        are_partners((castor, pollux), (ann, bob))
        for color in ("white", "black"):
            ann.says(f"match Castor 0 1 rated {color} bughouse")
            with ThreadPoolExecutor(2) as pool:
                ends = list(pool.map(lambda visitor: visitor.plays(any_move), (ann, bob)))
            print(ends)
            for visitor_, (reason, result), player in zip((ann, bob), ends, (castor, pollux)):
                player.dialogue.expect(">variant bughouse", r">holding \[\w*\] \[\w*\] [WB][PNBRQ]")
                player.finishes(re.escape(f"{result} {{{reason}}}"))
                visitor_.hears(r"^Bughouse rating adjustment: \d+ --> \d+$")


SCENARIOS = [zippies_play_bughouse]
