"""Adjudication by Syzygy tables, with python-chess's prober."""

import functools
import os

import chess

from .errors import MatchError


@functools.cache
def open_tables(paths):
    """Returns python-chess's tablebase of the folders `paths`. Raises MatchError if there is no table."""
    import chess.syzygy  # imported only here because most matches need no tables

    tables = chess.syzygy.Tablebase()
    for path in paths.split(os.pathsep):
        try:
            tables.add_directory(path, load_dtz=False)
        except OSError as error:
            raise MatchError(f"--tb: expected a folder, got {path} ({error.strerror}); the match stops") from None
    if not tables.wdl:
        raise MatchError(f"--tb: expected Syzygy tables (.rtbw) in {paths}, found none; the match stops")
    return tables


def largest_table(paths):
    """Returns the number of pieces of the largest table. Raises MatchError."""
    return max(len(name.replace("v", "")) for name in open_tables(paths).wdl)


def verdict(rule, board):
    """Returns the result of a position of chess by the tables, or None if they do not apply.

    They hold just after a capture or a pawn move, because they do not know the number of moves since then. Without its table a
    game goes on. Raises MatchError if a table cannot be read.
    """
    if board.halfmove_clock or board.castling_rights or chess.popcount(board.occupied) > rule.pieces:
        return None
    try:
        value = open_tables(rule.paths).get_wdl(board)
    except (OSError, ValueError, IndexError, AssertionError) as error:
        raise MatchError(f"--tb: expected readable tables in {rule.paths}, got: {error!r}; the match stops") from None
    if value is None:
        return None
    if abs(value) < 2 and not (rule.ignore50 and value):  # 1 and -1: the fifty-move rule makes a draw
        return "1/2-1/2"
    return "1-0" if (value > 0) == board.turn else "0-1"
