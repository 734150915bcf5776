"""Time controls and the clock of one side."""

import re
from dataclasses import dataclass

from .errors import MatchError

PATTERN = re.compile(r"(?:(\d{1,9})/)?(?:(\d{1,9}):)?(\d{1,9}(?:\.\d+)?)(?:\+(\d{1,9}(?:\.\d+)?))?")


@dataclass(frozen=True)
class TimeControl:
    """A time control: `base` seconds for every `moves` moves (None: for the whole game), plus `increment` seconds a move."""

    base: float
    increment: float = 0.0
    moves: int | None = None

    @classmethod
    def parse(cls, text):
        """Parses [MOVES/][MINUTES:]SECONDS[+INCREMENT]. Returns None for `inf` (no limit). Raises MatchError."""
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
            raise MatchError(f"tc: expected more than 0 seconds and more than 0 moves, got {text!r}")
        return time_control


class Clock:
    """The clock of one side. `remaining` is in seconds."""

    def __init__(self, control):
        self.control = control
        self.remaining = control.base + control.increment if control.base == 0 else control.base
        self.moves_to_go = control.moves

    def spend(self, seconds):
        """Subtracts the time of a move and adds increment and new base time. The caller checks for an overrun."""
        self.remaining = max(0.0, self.remaining - seconds) + self.control.increment
        if self.moves_to_go is not None:
            self.moves_to_go -= 1
            if self.moves_to_go == 0:
                self.moves_to_go = self.control.moves
                self.remaining += self.control.base
