"""The chess server of these tests by itself: refusals, requests and verdicts."""

from ics.server import Account, chess_server
from ics.visitor import visitor

ACCOUNTS = {"Ann": Account("sesame", 1500), "Bob": Account("secret", 1600)}

BACK_AND_FORTH = ["g1f3", "g8f6", "f3g1", "f6g8"]


def meet(white, black, terms):
    white.send(f"match {black.name} {terms}")
    black.expect(f"^Challenge: {white.name} .*$")
    black.send(f"accept {white.name}")


def play(white, black, *moves):
    for player, move in zip((white, black) * len(moves), moves):
        player.is_on_move()
        player.send(move)


def chess_server_keeps_the_rules(out):
    """the tests' chess server: illegal moves, requests, every kind of draw, adjourned games, and guests play unrated"""
    with (
        chess_server(out, **ACCOUNTS) as port,
        visitor(port, "Ann", "sesame") as ann,
        visitor(port, "Bob", "secret") as bob,
    ):
        meet(ann, bob, "3 2 white")
        ann.expect(r"^\{Game 1 \(Ann vs\. Bob\) Creating rated blitz match\.\}$")
        ann.is_on_move()
        ann.send("e2e5")
        ann.expect(r"^fics% Illegal move \(e2e5\)\.$")
        bob.send("e7e5")
        bob.expect("It is not your move")
        ann.send("e2e4")
        ann.send("takeback")
        bob.expect("^Ann would like to take back 1 half move")
        bob.send("accept")
        assert ann.is_on_move().fullmove_number == 1
        ann.send("d2d4")
        ann.send("draw")
        bob.expect(r"^Ann offers you a draw\.$")
        bob.send("d7d5")
        ann.expect(r"^Bob declines the draw request\.$")
        ann.send("flag")
        ann.expect("not out of time")
        for player in (ann, bob):
            player.send("adjourn")
        ann.game_ends("Game adjourned by mutual agreement", "*")

        ann.send("match Bob")
        bob.expect(r"^Challenge: Ann \(1500\) \[white\] Bob \(1600\) rated blitz 3 2 \(adjourned\)\.$")
        bob.send("accept")
        play(ann, bob, *BACK_AND_FORTH * 2)
        ann.is_on_move()
        ann.send("draw")
        ann.game_ends("Game drawn by repetition", "1/2-1/2")
        ann.expect(r"^Blitz rating adjustment: 1500 --> 1504$")

        decided = {
            "queen": ("g5g6", "Game drawn by stalemate"),
            "kings": ("a1b2", "Neither player has mating material"),
        }
        for board, (move, reason) in decided.items():
            meet(ann, bob, f"3 0 white endings {board}")
            play(ann, bob, move)
            bob.game_ends(reason, "1/2-1/2")
            bob.expect(r"^No ratings adjustment done\.$")

        meet(ann, bob, "3 0 black")
        play(bob, ann, "f2f3", "e7e5", "g2g4", "d8h4")
        bob.game_ends("Bob checkmated", "0-1")

        with visitor(port, "Guesty") as guest:
            guest.send("match Ann 3 0 rated")
            guest.expect(r"^fics% Unregistered players cannot play rated games\.$")
            ann.send("match Guesty 3 0")
            guest.expect(r"^Challenge: Ann \(\d+\) Guesty \(\+\+\+\+\) unrated blitz 3 0\.$")
            guest.send("decline")
            ann.expect(r"^Guesty declines the match offer\.$")


SCENARIOS = [chess_server_keeps_the_rules]
