"""Parameters to tune, as lines `name, int, value, min, max, c_end, r_end`: the input of OpenBench's page for SPSA.

`duiyi spsa` prints such lines in a build with the feature `spsa`. This package reads and prints the same format.
"""

from dataclasses import dataclass

from duiyi_match.errors import MatchError
from duiyi_match.files import read_file

FIELDS = "name, int, value, min, max, c_end, r_end"


@dataclass(frozen=True)
class Parameter:
    """A whole number of an engine, its range, and how it is tuned."""

    name: str
    """The name of its option."""
    value: float
    """The value at the start."""
    min: int
    max: int
    step: float
    """The distance of the two values of the last pair from the value between them: c_end."""
    rate: float
    """The learning rate of the last pair, in steps: r_end."""

    def __post_init__(self):
        if not (self.min <= self.value <= self.max and self.min < self.max):
            raise ValueError(f"expected min <= value <= max, got {self.min}, {self.value:g}, {self.max}")
        if not (0 < self.step <= self.max - self.min and 0 < self.rate < 1):
            raise ValueError(
                f"expected c_end above 0 and at most max - min, and r_end between 0 and 1, got {self.step:g}, {self.rate:g}"
            )

    def clamp(self, value):
        return min(max(value, self.min), self.max)

    def line(self, value):
        """Returns the parameter as text, with another value."""
        return f"{self.name}, int, {round(value)}, {self.min}, {self.max}, {self.step:g}, {self.rate:g}"


def parse_line(text):
    """Returns the parameter of a line. Raises ValueError."""
    name, *rest = (word.strip() for word in text.split(","))
    try:
        kind, value, low, high, step, rate = rest
        if not name or kind != "int":
            raise ValueError
        numbers = float(value), int(low), int(high), float(step), float(rate)
    except ValueError:
        raise ValueError(f"expected `{FIELDS}`, got {text.strip()!r}") from None
    try:
        return Parameter(name, *numbers)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def read_parameters(path):
    """Returns the parameters of a file. Empty lines and lines that begin with # are skipped. Raises MatchError."""
    try:
        lines = read_file(path).decode().splitlines()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no text"
        raise MatchError(f"--parameters: expected a file, got {path!r} ({reason}); nothing is tuned") from None
    parameters = []
    for number, text in enumerate(lines, 1):
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        try:
            parameter = parse_line(text)
            if any(parameter.name == other.name for other in parameters):
                raise ValueError(f"expected each name once, got {parameter.name} again")
        except ValueError as error:
            raise MatchError(f"--parameters: {path}:{number}: {error}; nothing is tuned") from None
        parameters.append(parameter)
    if not parameters:
        raise MatchError(f"--parameters: expected lines `{FIELDS}` in {path!r}, found none; nothing is tuned")
    return tuple(parameters)


def require_options(parameters, options, program):
    """Raises MatchError if a parameter is no spin option of the program, or its range exceeds that of the option.

    `options` maps the names of the program's options to options of python-chess.
    """
    for parameter in parameters:
        option = options.get(parameter.name)
        if option is None or option.type != "spin" or option.is_managed():
            raise MatchError(
                f"--parameters: expected a spin option of {program}, got {parameter.name!r}; nothing is tuned "
                "(duiyi has its parameters as options in a build with --features spsa)"
            )
        if not option.min <= parameter.min < parameter.max <= option.max:
            raise MatchError(
                f"--parameters: {parameter.name}: expected a range within {option.min} to {option.max} as in {program}, "
                f"got {parameter.min} to {parameter.max}; nothing is tuned"
            )
