"""The chess server of these tests by itself: variants and pieces in hand."""

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from ics.server import Account, chess_server
from ics.visitor import visitor
from ics_rules import ACCOUNTS, meet, play
from zippy_variants import any_move



def chess_server_referees_variants(out):
    """the tests' chess server: compulsion, explosions, hands, and kings that castle from the d-file"""
    with (
        chess_server(out, **ACCOUNTS) as port,
        visitor(port, "Ann", "sesame") as ann,
        visitor(port, "Bob", "secret") as bob,
    ):
        meet(ann, bob, "3 0 white suicide")
        play(ann, bob, "e2e3", "b7b5")
        is_refused(ann, "f1e2", "b2b3")
        ann.send("f1b5")
        ends(ann, bob)

        meet(ann, bob, "3 0 white losers")
        play(ann, bob, "e2e4", "d7d5")
        is_refused(ann, "d2d4", "e1e2")
        ann.send("e4d5")
        ends(ann, bob)

        meet(ann, bob, "3 0 white atomic")
        play(ann, bob, "g1f3", "a7a6", "f3e5", "a6a5", "e5f7")
        bob.game_ends("Bob's king exploded", "1-0")

        meet(ann, bob, "3 0 white crazyhouse")
        play(ann, bob, "e2e4", "d7d5")
        is_refused(ann, "P@e5")
        ann.send("e4d5")
        ann.expect(r"<b1> game 1 white \[P\] black \[\] <- WP$")
        board = bob.is_on_move()
        assert str(board.pockets[True]) == "p", board.fen()
        bob.send("d8d5")
        ann.is_on_move()
        is_refused(ann, "P@e8", "P@d5", "Q@e5")
        ann.send("P@e5")
        bob.expect(r"^<12> .* P/@@-e5 \S+ P@e5 ")
        bob.expect(r"^<b1> game 1 white \[\] black \[P\]$")
        ends(ann, bob)

        meet(ann, bob, "3 0 white wild 1")
        play(ann, bob, "b1c3", "g8f6", "d2d3", "g7g6", "c1d2", "f8g7", "o-o")
        bob.expect(r"^<12> (\S+ ){7}-KR-QBNR B .* o-o \S+ O-O ")
        # The queen is in the way on the other side.
        is_refused(bob, "o-o", "o-o-o")
        ends(ann, bob)


def is_refused(player, *moves):
    for move in moves:
        player.send(move)
        player.expect(rf"Illegal move \({move}\)\.$")


def ends(ann, bob):
    bob.send("resign")
    bob.game_ends("Bob resigns", "1-0")
    ann.game_ends("Bob resigns", "1-0")


def chess_server_has_two_boards(out):
    """the tests' chess server: bughouse of four players, to the end"""
    names = ["Ann", "Bob", "Carol", "Dave"]
    accounts = {name: Account("sesame") for name in names}
    with ExitStack() as stack, chess_server(out, **accounts) as port:
        ann, bob, carol, dave = players = [stack.enter_context(visitor(port, name, "sesame")) for name in names]
        ann.send("match Carol 3 0 bughouse")
        ann.expect("You have no partner for bughouse")
        team_up(ann, bob)
        team_up(carol, dave)
        meet(ann, carol, "3 0 white rated bughouse")
        with ThreadPoolExecutor(len(players)) as pool:
            ends = list(pool.map(lambda player: player.plays(any_move), players))
        print(ends)
        (first, result), (second, opposite) = ends[0], ends[1]
        assert ends[2:] == ends[:2] and {result, opposite} == {"1-0", "0-1"}, ends
        lost, won = sorted((first, second), key=lambda reason: reason.endswith("'s partner won"))
        assert won.endswith("'s partner won") and re.search(r" (checkmated|resigns)$", lost), ends
        expected = [
            (ann, r"^Your partner is playing game 2 \(Dave vs\. Bob\)\.$"),
            (bob, r"^\{Game 2 \(Dave vs\. Bob\) Creating rated bughouse match\.\}$"),
            (dave, r"^<b1> game 2 white \[\] black \[\]$"),
            # Dave's captures go to Carol.
            (carol, r"^<b1> game 1 white \[\w*\] black \[\w*\] <- B"),
        ]
        for player, form in expected:
            assert player.has_received(form), f"{player.name} has not received {form}, see {out / 'ics.log'}"


def team_up(one, other):
    one.send(f"partner {other.name}")
    other.expect(rf"^{one.name} offers to be your bughouse partner")
    other.send(f"partner {one.name}")
    one.expect(rf"^{other.name} agrees to be your partner\.$")


SCENARIOS = [chess_server_referees_variants, chess_server_has_two_boards]
