"""The server's variants: boards and endings, as on FICS where servers differ."""

import chess
import chess.variant


class Suicide(chess.variant.SuicideBoard):
    starting_fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"

    def __init__(self, fen=starting_fen, chess960=False):
        super().__init__(fen, chess960=chess960)


class Losers(chess.Board):
    """Captures are compulsory; a side with only its king, or without a legal move, wins."""

    def is_bare(self):
        """Returns True if the side to move has only its king."""
        return self.occupied_co[self.turn].bit_count() == 1

    def generate_legal_moves(self, from_mask=chess.BB_ALL, to_mask=chess.BB_ALL):
        must = self._must_capture()
        for move in super().generate_legal_moves(from_mask, to_mask):
            if not must or self.is_capture(move):
                yield move

    def is_legal(self, move):
        return super().is_legal(move) and (self.is_capture(move) or not self._must_capture())

    def _must_capture(self):
        return any(self.is_capture(move) for move in super().generate_legal_moves())

    def is_game_over(self, *, claim_draw=False):
        return self.is_bare() or super().is_game_over(claim_draw=claim_draw)


class Bughouse(chess.variant.CrazyhouseBoard):
    """One of the two boards. Captured pieces leave it; its hands are filled from the other board."""

    def _push_capture(self, move, capture_square, piece_type, was_promoted):
        pass

    def is_checkmate(self):
        """Returns True if no drop could block the check, whatever piece comes."""
        if not self.is_check() or any(self.legal_moves):
            return False
        helped = self.copy(stack=False)
        helped.pockets[self.turn].add(chess.QUEEN)
        return not any(helped.legal_moves)

    def is_stalemate(self):
        """A side without moves waits for its partner."""
        return False


class WildCastle(chess.Board):
    """Kings may start on the d-file and castle mirrored. On servers, castling to the nearer side is `o-o`."""

    def __init__(self, fen=chess.STARTING_FEN, chess960=True):
        # python-chess treats castling rights of a king on another file as Fischerandom's.
        super().__init__(fen, chess960=True)

    def generate_castling_moves(self, from_mask=chess.BB_ALL, to_mask=chess.BB_ALL):
        king = self.king(self.turn)
        if self.is_check() or not chess.BB_SQUARES[king] & from_mask:
            return
        rank = chess.BB_RANK_1 if self.turn else chess.BB_RANK_8
        for rook in chess.scan_forward(self.clean_castling_rights() & rank):
            step = 1 if rook > king else -1
            way = (king + step, king + 2 * step)
            blocked = chess.between(king, rook) & self.occupied
            attacked = any(self.is_attacked_by(not self.turn, square) for square in way)
            if not blocked and not attacked and chess.BB_SQUARES[way[1]] & to_mask:
                yield chess.Move(king, way[1])

    def is_kingside_castling(self, move):
        return self.is_castling(move) and chess.square_file(move.to_square) in (1, 6)

    def is_queenside_castling(self, move):
        return self.is_castling(move) and not self.is_kingside_castling(move)

    def push(self, move):
        castles = self.is_castling(move) and chess.square_file(move.from_square) == 3
        super().push(move)
        if castles:
            step = 1 if move.to_square > move.from_square else -1
            rook = chess.square(7 if step > 0 else 0, chess.square_rank(move.to_square))
            piece = self._remove_piece_at(rook)
            self._set_piece_at(move.to_square - step, piece, not self.turn)


# By the word after `rated` in a game's name.
BOARDS = {
    "crazyhouse": chess.variant.CrazyhouseBoard,
    "bughouse": Bughouse,
    "suicide": Suicide,
    "losers": Losers,
    "atomic": chess.variant.AtomicBoard,
    "wild/1": WildCastle,
    "wild/2": chess.Board,
}

# Boards on which insufficient material is a draw; elsewhere the game goes on.
DRAWN_WITHOUT_MATERIAL = (chess.Board, WildCastle, chess.variant.CrazyhouseBoard, chess.variant.AtomicBoard)


def board_of(kind, fen=None):
    """The board for a kind of game, at its start or at a position."""
    board = BOARDS.get(kind)
    if board is None:
        # Fischerandom's rooks may be anywhere; for other games this makes no difference.
        return chess.Board(fen or chess.STARTING_FEN, chess960=fen is not None)
    return board(fen) if fen else board()


def verdict(board):
    """The winner and the reason, with placeholders for the names; None while the game continues. The winner
    of a draw is None. The side to move is judged.
    """
    mover = board.turn
    if isinstance(board, Suicide):
        return _verdict_of_suicide(board)
    if isinstance(board, Losers) and board.is_bare():
        return mover, "{winner} wins by losing all material"
    if isinstance(board, chess.variant.AtomicBoard) and board.is_variant_loss():
        return not mover, "{loser}'s king exploded"
    if isinstance(board, Losers) and not any(board.legal_moves):
        return mover, "{winner} wins by being checkmated" if board.is_check() else "{winner} wins by stalemate"
    if board.is_checkmate():
        return not mover, "{loser} checkmated"
    if board.is_stalemate():
        return None, "Game drawn by stalemate"
    if type(board) in DRAWN_WITHOUT_MATERIAL and board.is_insufficient_material():
        return None, "Neither player has mating material"
    return None


def _verdict_of_suicide(board):
    mover = board.turn
    if not board.occupied_co[mover]:
        return mover, "{winner} wins by losing all material"
    if not board.is_stalemate():
        return None
    if board.is_variant_draw():
        return None, "Game drawn by stalemate (equal material)"
    fewer = mover if board.is_variant_win() else not mover
    return fewer, "{winner} wins by having less material (stalemate)"


def can_win(board, side):
    """Returns True if this side wins when its opponent runs out of time."""
    return type(board) not in DRAWN_WITHOUT_MATERIAL or not board.has_insufficient_material(side)
