#!/usr/bin/env python3
"""Makes src/games/chess/openings.tsv from the files a.tsv to e.tsv of https://github.com/lichess-org/chess-openings.

The data set is in the public domain (CC0). Usage: scripts/openings.py FOLDER > src/games/chess/openings.tsv
"""

import argparse
import csv
import io
from pathlib import Path

import chess.pgn


def epd(moves):
    """Returns the position after `moves` as the first four fields of a FEN."""
    return chess.pgn.read_game(io.StringIO(moves)).end().board().epd()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="a copy of that repository")
    folder = parser.parse_args().folder
    paths = [folder / f"{letter}.tsv" for letter in "abcde"]
    if missing := [path for path in paths if not path.is_file()]:
        parser.error(f"expected the files a.tsv to e.tsv in {folder}, found no {missing[0].name}; nothing is printed")
    for path in paths:
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                print(epd(row["pgn"]), row["eco"], row["name"], sep="\t")


if __name__ == "__main__":
    main()
