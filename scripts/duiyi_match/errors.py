"""Errors that the user can correct."""


class MatchError(Exception):
    """An error message of one line: what was expected, what was found, what happens now. It ends the match."""
