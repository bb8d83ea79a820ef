"""xboard in Zippy mode: draws, resignations, lost time and connections, and talk."""

import chess

from ics.server import Account, chess_server
from ics.visitor import visitor
from server import farboard
from zippy import FAST, check_saved
from zippy_xboard import zippy

ACCOUNTS = {"Zippy": Account("secret", 1600, computer=True), "Ann": Account("sesame", 1500)}
WHISPERS = "farboard MoveOverhead=1500 Book=none Kibitz=whisper"
KIBITZES = "farboard MoveOverhead=1500 Book=none Kibitz=kibitz"


def shuffles(board):
    """A safe rook move; without a rook, a king move."""
    moves = [move for move in board.legal_moves if not board.is_capture(move)]
    quiet = [move for move in moves if not board.attackers(not board.turn, move.to_square)]
    rooks = [move for move in quiet or moves if board.piece_type_at(move.from_square) == chess.ROOK]
    return max(rooks or quiet or moves, key=chess.Move.uci)


def zippy_judges_draws(out):
    """xboard -zp: draws offered, declined in the opening, accepted in a dead endgame, claimed by the 50-move rule"""
    with (
        farboard(out) as address,
        chess_server(out, **ACCOUNTS) as port,
        zippy(out, port, address, "Zippy", words=FAST) as player,
        visitor(port, "Ann", "sesame") as ann,
    ):
        dialogue = player.dialogue
        ann.send("match Zippy 0 1 white")
        ann.plays(lambda _: chess.Move.from_uci("e2e4"), moves=1)
        ann.is_on_move()
        ann.send("draw")
        dialogue.expect(">draw")
        # Neither accepted at once nor with the next move.
        ann.send("d2d4")
        ann.is_on_move()
        ann.send("resign")
        ann.game_ends("Ann resigns", "0-1")
        player.finishes(r"0-1 \{Ann resigns\}")

        ann.send("match Zippy 0 1 unrated white endings rooks")
        dialogue.expect(">force", ">setboard 8/5pk1/4r1p1/7p/7P/4R1P1/5PK1/8 w .*", ">playother")
        ann.plays(lambda _: chess.Move.from_uci("e3a3"), moves=1)

        def offers(board):
            ann.send("draw")
            return shuffles(board)

        assert ann.plays(offers, moves=20) == ("Game drawn by mutual agreement", "1/2-1/2")
        player.finishes(r"1/2-1/2 \{Game drawn by mutual agreement\}")

        ann.send("match Zippy 0 1 unrated white endings rook")
        dialogue.expect(r">setboard 8/8/4k3/8/8/8/1R6/K7 w - - 98 1")
        ann.plays(lambda _: chess.Move.from_uci("b2b4"), moves=1)
        dialogue.expect(r"<offer draw", r"<move .*", r"<1/2-1/2 \{.*\}")
        ann.game_ends("Game drawn by the 50 move rule", "1/2-1/2")
        player.finishes(r"1/2-1/2 \{Game drawn by the 50 move rule\}")
    check_saved(
        player,
        ("Ann", "Zippy", "0-1", "Ann resigns"),
        ("Ann", "Zippy", "1/2-1/2", "Game drawn by mutual agreement"),
        ("Ann", "Zippy", "1/2-1/2", "Game drawn by the 50 move rule"),
    )


def zippy_games_end_early(out):
    """xboard -zp: games aborted, lost on time, lost by disconnection, adjourned and resumed"""
    with (
        farboard(out) as address,
        chess_server(out, **ACCOUNTS) as port,
        zippy(out, port, address, "Zippy", words=FAST) as player,
    ):
        dialogue = player.dialogue
        with visitor(port, "Ann", "sesame") as ann:
            ann.send("match Zippy 0 1 rated black")
            ann.is_on_move()
            ann.send("abort")
            ann.game_ends("Game aborted on move 1", "*")
            player.finishes(r"\* \{Game aborted on move 1\}")

            ann.send("match Zippy 0 1 unrated black")
            ann.plays(first_legal, moves=1)
            # The opponent's clock runs, and xboard watches it.
            ann.game_ends("Ann forfeits on time", "1-0")
            player.finishes(r"1-0 \{Ann forfeits on time\}")

            ann.send("match Zippy 0 1 rated white")
            ann.plays(first_legal, moves=2)
            ann.is_on_move()
            ann.leaves()
        player.finishes(r"\* \{Ann lost connection; game adjourned\}")
        dialogue.silent(r"<(move|\s*\d).*", seconds=1)

        with visitor(port, "Ann", "sesame") as ann:
            ann.send("match Zippy")
            dialogue.expect(">level 0 0 1", ">name Ann", ">rating 1600 1500", ">force")
            dialogue.expect(*[">usermove .*"] * 4, ">time .*", ">otim .*", ">playother")
            ann.plays(first_legal, moves=1)
            ann.is_on_move()
            ann.send("resign")
            ann.expect(r"^Lightning rating adjustment: 1500 --> 1488$")
            player.finishes(r"0-1 \{Ann resigns\}")

        with visitor(port, "Guesty") as guest:
            guest.send("match Zippy 0 1 black")
            guest.is_on_move()
            guest.leaves()
        player.finishes(r"1-0 \{Guesty forfeits by disconnection\}")
    check_saved(
        player,
        ("Zippy", "Ann", "*", "Game aborted on move 1"),
        ("Zippy", "Ann", "1-0", "Ann forfeits on time"),
        ("Ann", "Zippy", "*", "Ann lost connection; game adjourned"),
        ("Ann", "Zippy", "0-1", "Ann resigns"),
        ("Zippy", "Guesty", "1-0", "Guesty forfeits by disconnection"),
    )


def first_legal(board):
    return min(board.legal_moves, key=chess.Move.uci)


def zippy_talks(out):
    """xboard -zp: the engine greets its opponent and whispers its thinking to observers; a partner's words reach it"""
    with (
        # Set on the server, as xboard 4.9.1 overruns a buffer when it sets a text option by itself.
        farboard(out, "--option", "Greeting=Good luck!") as address,
        chess_server(out, **ACCOUNTS) as port,
        zippy(out, port, address, "Zippy", "-zippyBughouse", "2", words=WHISPERS) as player,
        visitor(port, "Ann", "sesame") as ann,
        visitor(port, "Guesty") as guest,
    ):
        dialogue = player.dialogue
        ann.send("match Zippy 0 1 white")
        ann.is_on_move()
        guest.send("observe 1")
        guest.expect("^<12> ")
        ann.send("e2e4")
        board = ann.is_on_move()
        ann.expect(r"^Zippy\(C\)\[1\] says: Good luck!$")
        thought = r"depth \d+ score [+-]\d+\.\d\d line .*$"
        guest.expect(rf"^Zippy\(C\)\(1600\)\[1\] whispers: {thought}")
        ann.send(first_legal(board).uci())
        guest.expect(rf"^Zippy\(C\)\(1600\)\[1\] whispers: {thought}")
        ann.is_on_move()
        ann.send("resign")
        player.finishes(r"0-1 \{Ann resigns\}")
        assert not ann.has_received("whispers"), "the opponent received a whisper"

        ann.send("partner Zippy")
        dialogue.expect(">partner Ann")
        ann.expect("^Zippy agrees to be your partner")
        ann.send("ptell sit, please")
        dialogue.expect(">ptell sit, please")
        ann.send("partner")
        dialogue.expect(">partner")
    check_saved(player, ("Ann", "Zippy", "0-1", "Ann resigns"))


def zippy_kibitzes(out):
    """xboard -zp: the engine's thinking is sent to all, its opponent included"""
    with (
        farboard(out) as address,
        chess_server(out, **ACCOUNTS) as port,
        zippy(out, port, address, "Zippy", words=KIBITZES) as player,
        visitor(port, "Guesty") as guest,
    ):
        guest.send("match Zippy 0 1 white")
        guest.plays(first_legal, moves=2)
        guest.expect(r"^Zippy\(C\)\(1600\)\[1\] kibitzes: depth \d+ score \S+ line \S+")
        guest.send("resign")
        player.finishes(r"0-1 \{Guesty resigns\}")


def zippy_plays_fischerandom(out):
    """xboard -zp: Fischerandom, named by a flag of xboard"""
    variants = ["-zippyVariants", "normal,fischerandom"]
    with (
        farboard(out) as address,
        chess_server(out, **ACCOUNTS) as port,
        zippy(out, port, address, "Zippy", *variants, words=FAST) as player,
        visitor(port, "Ann", "sesame") as ann,
    ):
        dialogue = player.dialogue
        ann.send("match Zippy 0 1 white wild fr")
        dialogue.expect(">variant fischerandom", r">setboard rqbbnkrn/p{8}/8/8/8/8/P{8}/RQBBNKRN w \S+ - 0 1", ">playother")
        ann.is_on_move()
        ann.send("o-o")
        dialogue.expect(">usermove O-O", "<move .*")
        board = ann.is_on_move()
        assert board.piece_at(chess.G1) == chess.Piece.from_symbol("K"), board.fen()
        ann.send(first_legal(board).uci())
        ann.is_on_move()
        ann.send("resign")
        player.finishes(r"0-1 \{Ann resigns\}")
    check_saved(player, ("Ann", "Zippy", "0-1", "Ann resigns"))


SCENARIOS = [
    zippy_judges_draws,
    zippy_games_end_early,
    zippy_talks,
    zippy_kibitzes,
    zippy_plays_fischerandom,
]
