#!/usr/bin/env python3
"""Makes src/games/chess/openings.tsv from the files a.tsv to e.tsv of https://github.com/lichess-org/chess-openings.

The data set is in the public domain (CC0). Usage: scripts/openings.py FOLDER > src/games/chess/openings.tsv
"""

import csv
import io
import sys
from pathlib import Path

import chess.pgn


def epd(moves):
    """Returns the position after `moves` as the first four fields of a FEN."""
    return chess.pgn.read_game(io.StringIO(moves)).end().board().epd()


def main(folder):
    for path in sorted(Path(folder).glob("[a-e].tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                print(epd(row["pgn"]), row["eco"], row["name"], sep="\t")


if __name__ == "__main__":
    main(sys.argv[1])
