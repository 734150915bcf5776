"""Time controls, and the clock of one side."""

import re
from dataclasses import dataclass

from .errors import MatchError

PATTERN = re.compile(r"(?:(\d+)/)?(?:(\d+):)?(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?")


@dataclass(frozen=True)
class TimeControl:
    """`base` seconds for every `moves` moves (None: for the game), and `increment` seconds for each."""

    base: float
    increment: float = 0.0
    moves: int | None = None

    @classmethod
    def parse(cls, text):
        """Reads [MOVES/][MINUTES:]SECONDS[+INCREMENT]; `inf` is None. Raises MatchError."""
        if text == "inf":
            return None
        match = PATTERN.fullmatch(text)
        if match is None:
            raise MatchError(f"tc: expected [MOVES/][MINUTES:]SECONDS[+INCREMENT] or inf, got {text!r}")
        moves, minutes, seconds, increment = match.groups()
        time_control = cls(
            60 * int(minutes or 0) + float(seconds), float(increment or 0), int(moves) if moves else None
        )
        if time_control.moves == 0 or time_control.base + time_control.increment <= 0:
            raise MatchError(f"tc: expected time to think, got {text!r}")
        return time_control


class Clock:
    """What is left to one side, in seconds."""

    def __init__(self, control):
        self.control = control
        self.remaining = control.base + control.increment if control.base == 0 else control.base
        self.moves_to_go = control.moves

    def spend(self, seconds):
        """Takes the time of a move and adds what the control gives. The overrun is the caller's to judge."""
        self.remaining = max(0.0, self.remaining - seconds) + self.control.increment
        if self.moves_to_go is not None:
            self.moves_to_go -= 1
            if self.moves_to_go == 0:
                self.moves_to_go = self.control.moves
                self.remaining += self.control.base
