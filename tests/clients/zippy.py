"""xboard in Zippy mode plays the engine on a chess server: games to their end."""

import random

import chess

from ics.server import Account, chess_server
from ics.visitor import visitor
from referee import games
from server import farboard
from zippy_xboard import zippy

# On a short clock, a large reserve makes the engine move fast.
FAST = "farboard MoveOverhead=1500"


def obliging(board):
    """A move that allows the opponent to mate at once, if there is one; Black tries harder."""
    for move in board.legal_moves:
        board.push(move)
        mates = any(is_mate(board, reply) for reply in board.legal_moves)
        board.pop()
        if mates:
            return move
    for hasty in ("f7f6", "g7g5"):
        if chess.Move.from_uci(hasty) in board.legal_moves:
            return chess.Move.from_uci(hasty)
    return random.Random(board.fen()).choice(list(board.legal_moves))


def is_mate(board, move):
    board.push(move)
    mate = board.is_checkmate()
    board.pop()
    return mate


def check_saved(player, *expected):
    """Checks that xboard has saved these games, each given as its players, result and reason."""
    saved = [*games(player.out / "game.pgn")]
    assert len(saved) == len(expected), f"{len(saved)} games of {len(expected)}, see {player.out / 'game.pgn'}"
    for game, (white, black, result, reason) in zip(saved, expected):
        headers = game.headers
        print(f"{headers['White']} - {headers['Black']}: {game.mainline_moves()} {game.end().comment}")
        assert not game.errors, f"{game.errors}, see {player.out / 'game.pgn'}"
        assert headers["Site"] == "127.0.0.1" and headers["Event"].startswith("ICS "), headers
        assert (headers["White"], headers["Black"], headers["Result"]) == (white, black, result), headers
        assert game.end().comment.endswith(reason), f"{game.end().comment} is not {reason}"


def zippy_plays_rated_games(out):
    """xboard -zp: rated games with both colours, by challenge and by seek, played to mate"""
    accounts = {"Zippy": Account("secret", 1600, computer=True), "Robot": Account("sesame", 1500, computer=True)}
    with (
        farboard(out) as address,
        chess_server(out, **accounts) as port,
        zippy(out, port, address, "Zippy", "-zippyGameEnd", "seek 0 1 white m", words=FAST) as player,
        visitor(port, "Robot", "sesame") as robot,
    ):
        dialogue = player.dialogue
        robot.send("match Zippy 0 1 rated white")
        robot.expect(r"^Creating: Robot \(1500\) Zippy \(1600\) rated lightning 0 1$")
        dialogue.expect(">level 0 0 1", ">computer", ">name Robot", ">rating 1600 1500")
        assert robot.plays(obliging) == ("Robot checkmated", "0-1")
        player.finishes(r"0-1 \{Robot checkmated\}")
        robot.expect(r"^Lightning rating adjustment: 1500 --> 1488$")

        # xboard sends its configured commands at the end of a game, and may also decline replies to its seek.
        robot.expect(r"^Zippy \(1612\) seeking 0 1 rated lightning \[white\] \(\"play 1\" to respond\)$")
        robot.send("play 1")
        robot.expect(r"^Zippy accepts your challenge\.$")
        dialogue.expect(">name Robot", ">rating 1612 1488", ">go")
        assert robot.plays(obliging) == ("Robot checkmated", "1-0")
        player.finishes(r"1-0 \{Robot checkmated\}")

        player.types("seek 3 0 unrated black")
        robot.expect(r"\(\"play 2\" to respond\)$")
        robot.send("play 2")
        robot.is_on_move()
        robot.send("resign")
        robot.game_ends("Robot resigns", "0-1")
        player.finishes(r"0-1 \{Robot resigns\}")
    check_saved(
        player,
        ("Robot", "Zippy", "0-1", "Robot checkmated"),
        ("Zippy", "Robot", "1-0", "Robot checkmated"),
    )


def zippies_play_each_other(out):
    """xboard -zp: two of them play each other, and the weaker resigns or is mated"""
    accounts = {name: Account("secret", 1600, computer=True) for name in ("Castor", "Pollux")}
    weak = ["-firstOptions", "Limit Strength=1,Elo=400,Resign=1,Score To Resign=300"]
    with (
        farboard(out) as address,
        chess_server(out, **accounts) as port,
        zippy(out, port, address, "Castor", words=FAST) as castor,
        zippy(out, port, address, "Pollux", *weak) as pollux,
    ):
        for challenger, opponent in ((castor, "Pollux"), (pollux, "Castor")):
            challenger.types(f"match {opponent} 0 1 white")
            for player in (castor, pollux):
                player.finishes(r".*", patience=200)
    for player in (castor, pollux):
        check_saved(player, ("Castor", "Pollux", "1-0", ""), ("Pollux", "Castor", "0-1", ""))


SCENARIOS = [zippy_plays_rated_games, zippies_play_each_other]
