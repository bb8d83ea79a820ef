"""Judges finished games by the rules alone."""

import re

import chess.pgn

UNSPORTING = re.compile(r"forfeit|illegal|time|exit|resign|crash|abort", re.IGNORECASE)


def games(path):
    """All games of a PGN file."""
    with open(path) as text:
        while game := chess.pgn.read_game(text):
            yield game


def verdict(game):
    """The ending of a game; raises an exception unless it ended by the rules or by agreement."""
    where = f"round {game.headers.get('Round')}"
    assert not game.errors, f"{where}: {game.errors}"
    last = game.end()
    board = last.board()
    assert not UNSPORTING.search(last.comment), f"{where}: {last.comment}"
    rule, result = ending(board)
    if not rule and "Draw agreed" in last.comment:
        rule, result = "agreement", "1/2-1/2"
    assert rule, f"{where}: no rule ends the game at {board.fen()}: {last.comment}"
    claimed = game.headers["Result"]
    assert claimed == result, f"{where}: {claimed} claimed, {rule} means {result}"
    return rule, result, board.ply(), last.comment


def ending(board):
    """The rule that ends the game in this position, and its result."""
    if board.is_checkmate():
        return "checkmate", "0-1" if board.turn == chess.WHITE else "1-0"
    draws = {
        "stalemate": board.is_stalemate(),
        "insufficient material": board.is_insufficient_material(),
        "repetition": board.is_repetition(3),
        "fifty moves": board.is_fifty_moves(),
    }
    rules = [rule for rule, holds in draws.items() if holds]
    return (rules[0], "1/2-1/2") if rules else (None, "*")
