"""What a position of a game is for the referee."""

import functools

import chess

RESULT_OF_WINNER = {chess.WHITE: "1-0", chess.BLACK: "0-1", None: "1/2-1/2"}


class Position:
    """A position of a game. White moves first."""

    variant = ""
    """The value of the option `UCI_Variant`."""
    start_text = ""
    turn = chess.WHITE
    """The side to move."""
    score_unit = 1
    """The engine scores in one unit that people read."""
    opening_plies = 4
    """Random moves of an opening if a match has no book."""
    gomocup_rule = None
    """The number of the rule in the Gomocup protocol; None for games without this protocol."""

    @classmethod
    def parse(cls, text):
        """Returns the position that `text` describes. Raises ValueError."""
        raise NotImplementedError

    def text(self):
        """Returns the position as text; inverse of `parse`."""
        raise NotImplementedError

    @functools.cached_property
    def ending(self):
        """(result, termination) or (result, termination, detail); None if the game goes on."""
        raise NotImplementedError

    def moves(self):
        """Returns the legal moves; none if the game is over."""
        raise NotImplementedError

    def opening_moves(self):
        """Returns the legal moves among which a random opening chooses."""
        return self.moves()

    def parse_move(self, text):
        """Returns the legal move that `text` describes, ignoring case. Raises ValueError with the reason."""
        if self.ending:
            raise ValueError(f"the game is over: {self.ending[1]}")
        for move in self.moves():
            if move.lower() == text.lower():
                return move
        raise ValueError(f"expected one of {' '.join(self.moves())}")

    def play(self, move):
        """Returns the position after a legal move."""
        raise NotImplementedError
