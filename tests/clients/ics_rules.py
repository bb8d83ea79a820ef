"""The chess server of these tests by itself: what it refuses, grants and decides."""

from ics.server import Account, chess_server
from ics.visitor import visitor

ACCOUNTS = {"Ann": Account("sesame", 1500), "Bob": Account("secret", 1600)}

BACK_AND_FORTH = ["g1f3", "g8f6", "f3g1", "f6g8"]


def meet(white, black, terms):
    white.says(f"match {black.name} {terms}")
    black.hears(f"^Challenge: {white.name} .*$")
    black.says(f"accept {white.name}")


def play(white, black, *moves):
    for player, move in zip((white, black) * len(moves), moves):
        player.is_on_move()
        player.says(move)


def chess_server_keeps_the_rules(out):
    """the tests' chess server: illegal moves, requests, every kind of draw, adjourned games, who may play rated"""
    with (
        chess_server(out, **ACCOUNTS) as port,
        visitor(port, "Ann", "sesame") as ann,
        visitor(port, "Bob", "secret") as bob,
    ):
        meet(ann, bob, "3 2 white")
        ann.hears(r"^\{Game 1 \(Ann vs\. Bob\) Creating rated blitz match\.\}$")
        ann.is_on_move()
        ann.says("e2e5")
        ann.hears(r"^fics% Illegal move \(e2e5\)\.$")
        bob.says("e7e5")
        bob.hears("It is not your move")
        ann.says("e2e4")
        ann.says("takeback")
        bob.hears("^Ann would like to take back 1 half move")
        bob.says("accept")
        assert ann.is_on_move().fullmove_number == 1
        ann.says("d2d4")
        ann.says("draw")
        bob.hears(r"^Ann offers you a draw\.$")
        bob.says("d7d5")
        ann.hears(r"^Bob declines the draw request\.$")
        ann.says("flag")
        ann.hears("not out of time")
        for player in (ann, bob):
            player.says("adjourn")
        ann.game_ends("Game adjourned by mutual agreement", "*")

        ann.says("match Bob")
        bob.hears(r"^Challenge: Ann \(1500\) \[white\] Bob \(1600\) rated blitz 3 2 \(adjourned\)\.$")
        bob.says("accept")
        play(ann, bob, *BACK_AND_FORTH * 2)
        ann.is_on_move()
        ann.says("draw")
        ann.game_ends("Game drawn by repetition", "1/2-1/2")
        ann.hears(r"^Blitz rating adjustment: 1500 --> 1504$")

        decided = {
            "queen": ("g5g6", "Game drawn by stalemate"),
            "kings": ("a1b2", "Neither player has mating material"),
        }
        for board, (move, reason) in decided.items():
            meet(ann, bob, f"3 0 white endings {board}")
            play(ann, bob, move)
            bob.game_ends(reason, "1/2-1/2")
            bob.hears(r"^No ratings adjustment done\.$")

        meet(ann, bob, "3 0 black")
        play(bob, ann, "f2f3", "e7e5", "g2g4", "d8h4")
        bob.game_ends("Bob checkmated", "0-1")

        with visitor(port, "Guesty") as guest:
            guest.says("match Ann 3 0 rated")
            guest.hears(r"^fics% Unregistered players cannot play rated games\.$")
            ann.says("match Guesty 3 0")
            guest.hears(r"^Challenge: Ann \(\d+\) Guesty \(\+\+\+\+\) unrated blitz 3 0\.$")
            guest.says("decline")
            ann.hears(r"^Guesty declines the match offer\.$")


SCENARIOS = [chess_server_keeps_the_rules]
