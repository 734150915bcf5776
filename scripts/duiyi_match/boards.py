"""Boards for the referee. python-chess implements chess and its variants, `rules.py` the other games of the program.

Of any other game only the engines know the rules. Its positions and moves are text, and the referee asks the engines for the
legal moves (see `referee.py`). All boards have the interface of python-chess's, as far as its UCI client uses it.
"""

import chess
import chess.variant

from .errors import MatchError
from .rules import GAMES

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


def has_rules(variant):
    """Returns whether the rules of `variant` are known here, so that no engine needs to be asked."""
    return variant in GAMES or is_chess(variant)


def score_unit(variant):
    """Returns the engine scores in one unit that people read: 100 in chess, whose scores are centipawns."""
    return GAMES[variant].score_unit if variant in GAMES else 100


def new_board(variant, fen=None):
    """Returns a board of a game with known rules at `fen`, or at the start position. Raises ValueError."""
    if variant in GAMES:
        game = GAMES[variant]
        return RulesBoard.for_variant(variant, game.parse(fen or game.start_text))
    if variant in CHESS960:
        return chess.Board(fen or chess.STARTING_FEN, chess960=True)
    board_class = chess.variant.find_variant(variant)
    return board_class(fen) if fen else board_class()


class Move(str):
    """A move of a game that python-chess does not know."""

    def uci(self):
        return str(self)


class Board:
    """The moves of a game that python-chess does not know, with the interface of its boards."""

    uci_variant = ""
    chess960 = False

    @classmethod
    def for_variant(cls, variant, root):
        """Returns a game of `variant` at `root`, without moves."""
        return type(cls.__name__, (cls,), {"uci_variant": variant})(root)

    def __init__(self, root):
        self.root_position, self.move_stack = root, []

    def ply(self):
        return len(self.move_stack)

    @property
    def fullmove_number(self):
        return self.ply() // 2 + 1

    def root(self):
        return type(self)(self.root_position)

    def push_uci(self, text):
        move = self.parse_uci(text)
        self.push(move)
        return move


class RulesBoard(Board):
    """A game by the rules of `rules.py`: the position at the root, the moves, and the position after each of them."""

    def __init__(self, root):
        super().__init__(root)
        self.positions = [root]

    @property
    def position(self):
        return self.positions[-1]

    @property
    def turn(self):
        return self.position.turn

    @property
    def legal_moves(self):
        return [Move(text) for text in self.position.moves()]

    def opening_moves(self):
        """Returns the legal moves among which a random opening chooses."""
        return [Move(text) for text in self.position.opening_moves()]

    def fen(self, **_):
        return self.position.text()

    def copy(self, stack=True):
        duplicate = type(self)(self.root_position if stack else self.position)
        if stack:
            duplicate.positions, duplicate.move_stack = self.positions[:], self.move_stack[:]
        return duplicate

    def parse_uci(self, text):
        """Returns a legal move. Raises ValueError with the reason if the move is illegal."""
        try:
            return Move(self.position.parse_move(text))
        except ValueError as error:
            raise ValueError(f"illegal move: {text!r}, {error}") from None

    def push(self, move):
        self.positions.append(self.position.play(move))
        self.move_stack.append(move)

    def pop(self):
        self.positions.pop()
        return self.move_stack.pop()


class TextBoard(Board):
    """A game whose rules only the engines know: the root as text, and the moves. The referee sets `legal_moves` and `turn`."""

    def __init__(self, root):
        super().__init__(root)
        self.legal_moves, self.turn = [], chess.WHITE

    def fen(self, **_):
        return self.root_position

    def copy(self, stack=True):
        duplicate = self.root()
        duplicate.legal_moves, duplicate.turn = self.legal_moves, self.turn
        duplicate.move_stack = self.move_stack[:] if stack else []
        return duplicate

    def parse_uci(self, text):
        """Returns the legal move equal to `text`, ignoring case. Raises ValueError if there is none."""
        for move in self.legal_moves:
            if move.lower() == text.lower():
                return Move(move)
        raise ValueError(f"illegal move: {text!r}, expected one of {' '.join(self.legal_moves)}")

    def push(self, move):
        self.move_stack.append(move)

    def pop(self):
        return self.move_stack.pop()


def side_to_move(position):
    """Returns the side to move in a position of a game whose rules are not known here. Raises MatchError."""
    for word in position.split():
        if word in SIDE_WORDS:
            return SIDE_WORDS[word]
    raise MatchError(f"expected a position that names the side to move ({', '.join(SIDE_WORDS)}), got {position!r}")
