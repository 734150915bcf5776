"""Boards for the referee. python-chess implements chess and its variants. For other games only the engines know the rules.

A `TextBoard` has the interface of a python-chess board, but no rules. Positions and moves are text. The referee asks the
engines for the legal moves (see `referee.py`).
"""

import chess
import chess.variant

from .errors import MatchError

CHESS960 = ("chess960", "fischerandom", "fischerrandom")

SIDE_WORDS = {
    "w": chess.WHITE,
    "A": chess.WHITE,
    "MAX": chess.WHITE,
    "b": chess.BLACK,
    "B": chess.BLACK,
    "MIN": chess.BLACK,
}
"""Words in a position that name the side to move."""


def is_chess(variant):
    """Returns whether python-chess knows the rules of `variant`."""
    try:
        return variant in CHESS960 or bool(chess.variant.find_variant(variant))
    except ValueError:
        return False


def new_board(variant, fen=None):
    """Returns a python-chess board at `fen`, or at the start position."""
    if variant in CHESS960:
        return chess.Board(fen or chess.STARTING_FEN, chess960=True)
    board_class = chess.variant.find_variant(variant)
    return board_class(fen) if fen else board_class()


class TextMove(str):
    """A move of a game that python-chess does not know."""

    def uci(self):
        return str(self)


class TextBoard:
    """A position of a game that python-chess does not know: the root as text, and the moves from there.

    The referee sets `legal_moves` and `turn`.
    """

    uci_variant = ""
    chess960 = False

    def __init__(self, root, moves=()):
        self.root_text, self.move_stack = root, list(moves)
        self.legal_moves, self.turn = [], chess.WHITE

    @classmethod
    def for_variant(cls, variant, root):
        """Returns a game of `variant` at `root`, without moves."""
        return type("TextBoard", (cls,), {"uci_variant": variant})(root)

    def ply(self):
        return len(self.move_stack)

    @property
    def fullmove_number(self):
        return self.ply() // 2 + 1

    def root(self):
        return type(self)(self.root_text)

    def fen(self, **_):
        return self.root_text

    def copy(self, stack=True):
        duplicate = type(self)(self.root_text, self.move_stack if stack else ())
        duplicate.legal_moves, duplicate.turn = self.legal_moves, self.turn
        return duplicate

    def parse_uci(self, text):
        """Returns the legal move equal to `text`, ignoring case. Raises ValueError if there is none."""
        for move in self.legal_moves:
            if move.lower() == text.lower():
                return TextMove(move)
        raise ValueError(f"illegal move: {text!r}, expected one of {' '.join(self.legal_moves)}")

    def push_uci(self, text):
        move = self.parse_uci(text)
        self.move_stack.append(move)
        return move

    def push(self, move):
        self.move_stack.append(move)

    def pop(self):
        return self.move_stack.pop()


def side_to_move(position):
    """Returns the side to move in a position of a game that python-chess does not know. Raises MatchError."""
    for word in position.split():
        if word in SIDE_WORDS:
            return SIDE_WORDS[word]
    raise MatchError(f"expected a position that names the side to move ({', '.join(SIDE_WORDS)}), got {position!r}")
