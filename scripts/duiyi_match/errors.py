"""What goes wrong in a way that somebody outside can mend."""


class MatchError(Exception):
    """One line: what was expected, what came, what happens now. Ends the match with that line and nothing else."""
