"""Writes games of Go as SGF: <https://www.red-bean.com/sgf/>."""

import chess

from .go import PASS, point_of

VARIANT = "go"

LETTERS = "abcdefghijklmnopqrs"
"""The letters of files and rows, counted from the upper left corner: `i` is one of them."""

PROPERTIES = {"Event": "EV", "Round": "RO", "Date": "DT", "White": "PB", "Black": "PW"}
"""The properties for PGN tags. Black moves first, as White does in PGN."""

CAUSES = {"resignation": "R", "time": "T"}
"""What stands for the points if a game did not end by them; F, forfeit, for all others."""


def point_text(point, size):
    file, rank = point
    return f"{LETTERS[file]}{LETTERS[size - 1 - rank]}"


def escaped(text):
    return str(text).replace("\\", "\\\\").replace("]", "\\]")


def result_text(end):
    """Returns the value of the property RE of a GameEnd."""
    winner = {"1-0": "B", "0-1": "W", "1/2-1/2": "0", "*": "Void"}[end.result]
    if winner not in ("B", "W"):
        return winner
    points = end.detail.rpartition(" ")[2] if end.termination == "two passes" else CAUSES.get(end.termination, "F")
    return f"{winner}+{points}"


def game_text(headers, root, moves, end):
    """Formats a game with the PGN tags `headers` from the position `root`. `moves` has (side, text, comment) for each move."""
    size = root.size
    first = f"(;GM[1]FF[4]CA[UTF-8]AP[Duiyi match.py]SZ[{size}]KM[{root.komi:g}]RU[Chinese]RE[{result_text(end)}]"
    first += "".join(f"{name}[{escaped(headers[tag])}]" for tag, name in PROPERTIES.items())
    for name, side in (("AB", chess.WHITE), ("AW", chess.BLACK)):
        points = [f"[{point_text(point, size)}]" for point, owner in root.stones.items() if owner == side]
        first += name + "".join(points) if points else ""
    first += "" if root.turn == chess.WHITE else "PL[W]"
    nodes = [first]
    for side, text, comment in moves:
        point = "" if text == PASS else point_text(point_of(text), size)
        nodes.append(f";{'B' if side == chess.WHITE else 'W'}[{point}]" + (f"C[{escaped(comment)}]" if comment else ""))
    return "\n".join(nodes) + ")\n\n"
