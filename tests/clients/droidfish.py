"""The lines that DroidFish sends to a network engine: plain TCP from a phone, without login or arguments."""

import chess

from server import farboard
from uci_lines import over_socket, value

# Set before any search, whether or not the engine has such an option.
PATHS = ["setoption name SyzygyPath value <empty>", "setoption name GaviotaTbPath value <empty>"]


class DroidFish:
    """DroidFish's state machine: while a `bestmove` or `readyok` is due, it sends only `stop` and `ponderhit`."""

    def __init__(self, lines):
        self.lines = lines
        lines.send("uci")
        _, declared = lines.until("uciok")
        self.options = [line.split(" type ")[0].removeprefix("option name ") for line in declared if " type " in line]
        lines.send("setoption name Hash value 64", *PATHS, "setoption name Move Overhead value 200", "ucinewgame")
        self.is_ready()

    def is_ready(self):
        self.lines.send("isready")
        self.lines.until("readyok")


def position(board):
    """The command for a game: the position after the last capture or pawn move, and the moves since."""
    root, moves = board.copy(), []
    while root.move_stack:
        move = root.pop()
        if root.is_zeroing(move):
            root.push(move)
            break
        moves.insert(0, move.uci())
    return " ".join([f"position fen {root.fen(en_passant='fen')}", *(["moves", *moves] if moves else [])])


def searches(fish, board, clocks, ponder=None):
    """A search for a move, or of the position after the expected move."""
    after = board.copy()
    if ponder:
        after.push(ponder)
    white, black = clocks
    fish.lines.send("setoption name UCI_LimitStrength value false")
    fish.lines.send("setoption name Ponder value true", "setoption name UCI_AnalyseMode value false", position(after))
    fish.lines.send(f"go wtime {white} btime {black} winc 100 binc 100 movestogo 20" + (" ponder" if ponder else ""))


def analyses(fish, board, only=()):
    """An endless analysis. The mode is set between the position and the search."""
    fish.lines.send(position(board), "setoption name UCI_AnalyseMode value true")
    fish.lines.send("go infinite" + "".join([" searchmoves", *(f" {move}" for move in only)] if only else ""))


def stops(fish, board):
    """Stops any search; the answer does not belong to the game."""
    fish.lines.send("stop")
    move, _ = fish.lines.moves(board)
    fish.is_ready()
    return move


def droidfish_plays(out):
    """DroidFish's network engine: a game with ponder hits and misses, in the form in which it sends positions"""
    board, hits = chess.Board(), 0
    with farboard(out) as address, over_socket(out, address) as lines:
        fish = DroidFish(lines)
        for turn in range(8):
            searches(fish, board, (20_000, 20_000))
            move, expected = lines.moves(board)
            assert move in board.legal_moves, move
            board.push(move)
            others = [reply for reply in board.legal_moves if reply != expected]
            if expected:
                searches(fish, board, (20_000, 20_000), ponder=expected)
                after = board.copy()
                after.push(expected)
                if turn % 2:
                    board.push(expected)
                    lines.send("ponderhit")
                    move, _ = lines.moves(board)
                    board.push(move)
                    others = list(board.legal_moves)
                    hits += 1
                else:
                    stops(fish, after)
            if board.is_game_over():
                break
            # There may be only one reply.
            replies = others or [expected]
            board.push(replies[turn % len(replies)])
            if board.is_game_over():
                break
        lines.send("quit")
        lines.ends()
    assert hits, "no reply was ever expected"
    print(f"{hits} replies were expected: {board.move_stack}")


def droidfish_analyses(out):
    """DroidFish's network engine: analyses a game forwards, with several lines and some first moves, and plays in between"""
    board = chess.Board()
    with farboard(out) as address, over_socket(out, address) as lines:
        fish = DroidFish(lines)
        for count, reply in enumerate(["e2e4", "e7e5", "g1f3", "b8c6", "f1c4"], start=1):
            lines.send("setoption name UCI_LimitStrength value false", f"setoption name MultiPV value {count}")
            analyses(fish, board)
            # Variations of the latest position, each depth with all its lines.
            seen = []
            while not seen or value(seen[-1], "depth") < 6 or value(seen[-1], "multipv") < count:
                found, _ = lines.until(r"info .* multipv .* pv .*")
                seen.append(found[0])
            places = [value(line, "multipv") for line in seen]
            assert places == [1 + index % count for index in range(len(places))], places
            assert stops(fish, board) in board.legal_moves
            board.push_uci(reply)
        lines.send("setoption name MultiPV value 1")
        only = [chess.Move.from_uci(move) for move in ("a7a6", "h7h6")]
        analyses(fish, board, only)
        lines.until(r"info .* pv .*")
        assert stops(fish, board) in only
        searches(fish, board, (1000, 1000))
        assert lines.moves(board)[0] in board.legal_moves
        # The application is closed during a search.
        analyses(fish, board)
        lines.send("quit")
        lines.ends()


SCENARIOS = [droidfish_plays, droidfish_analyses]
