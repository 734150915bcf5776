"""The referee's boards. python-chess has those of chess and its variants; other games are known only to their engines.

A `TextBoard` looks to python-chess's client like a board, but it knows no rules: positions and moves are text, and which
moves are legal is what the engines said (see `referee.py`).
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
"""The words by which positions say who is to move."""


def is_chess(variant):
    """Whether python-chess knows the rules."""
    try:
        return variant in CHESS960 or bool(chess.variant.find_variant(variant))
    except ValueError:
        return False


def new_board(variant, fen=None):
    """A board of python-chess at `fen` or at the start."""
    if variant in CHESS960:
        return chess.Board(fen or chess.STARTING_FEN, chess960=True)
    board_class = chess.variant.find_variant(variant)
    return board_class(fen) if fen else board_class()


class TextMove(str):
    """A move of a game that is known only through its engines."""

    def uci(self):
        return str(self)


class TextBoard:
    """A position of such a game: the root as text and the moves since. `legal` and `turn` are told by the referee."""

    uci_variant = ""
    chess960 = False

    def __init__(self, root, moves=()):
        self.root_text, self.move_stack = root, list(moves)
        self.legal_moves, self.turn = [], chess.WHITE

    @classmethod
    def for_variant(cls, variant, root):
        """An empty game of that variant."""
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
        """The legal move of that text, in whatever case. Raises ValueError."""
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
    """Who is to move in a position of a game that python-chess does not know. Raises MatchError."""
    for word in position.split():
        if word in SIDE_WORDS:
            return SIDE_WORDS[word]
    raise MatchError(f"expected a position that names the side to move ({', '.join(SIDE_WORDS)}), got {position!r}")
