"""Boards, moves and hands in the servers' format for programs."""

import re

import chess

from .variants import board_of

VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
MOVE = re.compile(r"([a-h][1-8])-?([a-h][1-8])=?([qrbnkQRBNK])?")
DROP = re.compile(r"[PNBRQpnbrq]@@?[a-h][1-8]")
CASTLING = {"o-o": "O-O", "0-0": "O-O", "o-o-o": "O-O-O", "0-0-0": "O-O-O"}


def looks_like_a_move(word):
    return word.lower() in CASTLING or MOVE.fullmatch(word) is not None or DROP.fullmatch(word) is not None


def read_move(board, word):
    """The legal move that the word stands for, or None."""
    try:
        if castling := CASTLING.get(word.lower()):
            return board.parse_san(castling)
        if DROP.fullmatch(word):
            return board.parse_uci(f"{word[0].upper()}@{word[-2:]}")
        start, end, piece = MOVE.fullmatch(word).groups()
        pawn = board.piece_type_at(chess.parse_square(start)) == chess.PAWN
        # Promotion to a queen is the default.
        promoted = (piece or "q").lower() if pawn and end[1] in "18" else ""
        return board.parse_uci(start + end + promoted)
    except ValueError:
        return None


def verbose(board, move):
    """A move as `P/e2-e4`."""
    if board.is_castling(move):
        return "o-o" if board.is_kingside_castling(move) else "o-o-o"
    if move.drop:
        return f"{chess.piece_symbol(move.drop).upper()}/@@-{chess.square_name(move.to_square)}"
    piece = chess.piece_symbol(board.piece_type_at(move.from_square)).upper()
    promoted = f"={chess.piece_symbol(move.promotion).upper()}" if move.promotion else ""
    return f"{piece}/{chess.square_name(move.from_square)}-{chess.square_name(move.to_square)}{promoted}"


def short(board, move):
    """A move in short notation. Servers name the dropped piece, even a pawn."""
    san = board.san(move)
    if board.is_castling(move):
        return ("O-O" if board.is_kingside_castling(move) else "O-O-O") + san.lstrip("O-")
    return f"P{san}" if san.startswith("@") else san


def holdings(game, gained=""):
    """The line `<b1>`: both hands, and possibly a piece just received, such as `WP`."""
    white, black = ("".join(hand(game.board, side)) for side in (chess.WHITE, chess.BLACK))
    return f"<b1> game {game.number} white [{white}] black [{black}]{gained and ' <- '}{gained}"


def hand(board, side):
    for kind in chess.PIECE_TYPES:
        yield chess.piece_symbol(kind).upper() * board.pockets[side].count(kind)


def elapsed(milliseconds):
    minutes, rest = divmod(max(0, milliseconds), 60_000)
    return f"({minutes}:{rest // 1000:02}.{rest % 1000:03})"


def style12(game, viewer, now, milliseconds):
    """The line `<12>`; programs that can parse it get the clocks in milliseconds."""
    board = game.board
    rows = [
        "".join(piece.symbol() if (piece := board.piece_at(chess.square(file, rank))) else "-" for file in range(8))
        for rank in reversed(range(8))
    ]
    last = board.move_stack[-1] if board.move_stack else None
    # From the record, as chess.Board forgets an en passant square without a capture.
    double = chess.square_file(last.to_square) if last and game.record[-1].double else -1
    rights = [
        int(right(side))
        for side in (chess.WHITE, chess.BLACK)
        for right in (board.has_kingside_castling_rights, board.has_queenside_castling_rights)
    ]
    strength = [sum(len(board.pieces(kind, side)) * value for kind, value in VALUES.items()) for side in (True, False)]
    left = [game.clock.left(side, board.turn, now) for side in (chess.WHITE, chess.BLACK)]
    entry = game.record[-1] if game.record else None
    took = elapsed(entry.took if entry else 0)
    if not milliseconds:
        left, took = [(each + 500) // 1000 for each in left], took[:-5] + ")"
    side = game.side(viewer)
    relation = 0 if side is None else 1 if side == board.turn else -1
    fields = [
        "<12>", *rows, "W" if board.turn else "B", double, *rights, board.halfmove_clock,
        game.number, *(player.name for player in game.players), relation,
        game.terms.minutes, game.terms.increment, *strength, *left, board.fullmove_number,
        entry.verbose if entry else "none", took, entry.san if entry else "none",
        int(side == chess.BLACK), int(game.clock.ticks), 0,
    ]  # fmt: skip
    return " ".join(map(str, fields))


def move_list(game):
    """The answer to `moves`."""
    white, black = game.players
    terms = game.terms
    yield f"Movelist for game {game.number}:"
    yield ""
    yield f"{white.name} ({white.shown}) vs. {black.name} ({black.shown}) --- Fri Jan  1, 12:00 UTC 2021"
    kind = f"{terms.rated_word.capitalize()} {terms.kind}"
    yield f"{kind} match, initial time: {terms.minutes} minutes, increment: {terms.increment} seconds."
    yield ""
    yield f"Move  {white.name:<23} {black.name:<23}"
    yield "----  ---------------------   ---------------------"
    entries = [f"{entry.san:<7} {elapsed(entry.took)}" for entry in game.record]
    for index in range(0, len(entries), 2):
        yield f"{index // 2 + 1:3}.  " + "".join(f"{entry:<24}" for entry in entries[index : index + 2]).rstrip()
    yield "      {Still in progress} *"


def read_board(line, kind=None):
    """Parses the line `<12>`: the position, its relation to the game, and the game's number. The kind of game was
    sent at its start.
    """
    fields = line.split()
    rows, (turn, double) = fields[1:9], fields[9:11]
    placement = "/".join(re.sub("-+", lambda blank: str(len(blank.group())), row) for row in rows)
    castling = "".join(letter for letter, right in zip("KQkq", fields[11:15]) if right == "1") or "-"
    passed = "-" if double == "-1" else "abcdefgh"[int(double)] + ("6" if turn == "W" else "3")
    fen = f"{placement} {turn.lower()} {castling} {passed} {fields[15]} {fields[26]}"
    return board_of(kind, fen), int(fields[19]), int(fields[16])


def read_holdings(line, board):
    """Fills the hands of a board from a line `<b1>`."""
    for side, men in zip((chess.WHITE, chess.BLACK), re.findall(r"\[(\w*)\]", line)):
        board.pockets[side] = chess.variant.CrazyhousePocket(men.lower())
