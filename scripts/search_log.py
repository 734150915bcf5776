#!/usr/bin/env python3
"""Tables and pictures of search logs (the option `Search Log File`) and of PGN files with score, depth and time at each move.

Several files are shown side by side; a log's engine is called like its file.
"""

import argparse
import base64
import html
import os
import sys

from duiyi_log import pictures, tables
from duiyi_log.reading import LogError, read, together

STYLE = (
    "body{font-family:sans-serif;max-width:70em;margin:2em auto}img{max-width:100%}table{border-collapse:collapse;font-size:90%}"
    "td,th{padding:.15em .6em;border-bottom:1px solid #ddd;text-align:right}"
)


def arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE", help="search logs and PGN files")
    parser.add_argument(
        "--game",
        type=int,
        metavar="N",
        default=1,
        help="the game to show, counted from 1 over all files (1); 0 shows all",
    )
    parser.add_argument(
        "--search",
        type=int,
        metavar="N",
        help="a search, counted from 1 over all logs: its depths and the tree of its lines",
    )
    parser.add_argument("--png", metavar="FOLDER", help="write the pictures there")
    parser.add_argument(
        "--html", metavar="FILE", help="write tables and pictures there, in one file that needs no other"
    )
    return parser.parse_args(argv)


def one(items, number, what):
    """The item of that number, from 1. Raises LogError."""
    if not 1 <= number <= len(items):
        raise LogError(f"--{what}: expected a number from 1 to {len(items)}, got {number}")
    return items[number - 1]


def parts(searches, games, options):
    """(name, table) and (name, picture's bytes) pairs, in the order of a report."""
    chosen = games if options.game == 0 else [one(games, options.game, "game")]
    shown = [("engines", tables.engines(searches, games))]
    drawn = []
    if searches:
        shown.append(("depths", tables.depths(searches)))
        drawn.append(("nodes", lambda: pictures.nodes_by_depth(searches)))
    for number, game in enumerate(games, 1):
        if game in chosen and game.moves:
            shown.append((f"game{number}", tables.moves(game)))
            drawn.append((f"game{number}", lambda game=game: pictures.game(game)))
    if options.search is not None:
        search = one(searches, options.search, "search")
        shown.append(("search", tables.iterations(search)))
        drawn.append(("search", lambda: pictures.pv_changes(search)))
    return shown, drawn


def main(argv=None):
    options = arguments(argv)
    try:
        found = [read(path) for path in options.files]
        searches = [search for own, _ in found for search in own]
        games = together([own for logged, own in found if logged])
        games += [game for logged, own in found if not logged for game in own]
        if not any(game.moves for game in games):
            raise LogError(
                f"expected searches or moves with comments like +0.31/12 0.103s, got none in {', '.join(options.files)}"
            )
        shown, drawn = parts(searches, games, options)
        images = [(name, draw()) for name, draw in drawn] if options.png or options.html else []
        if options.png:
            os.makedirs(options.png, exist_ok=True)
            for name, data in images:
                with open(os.path.join(options.png, f"{name}.png"), "wb") as file:
                    file.write(data)
        if options.html:
            with open(options.html, "w", encoding="utf-8") as file:
                file.write(page(options.files, shown, dict(images)))
        for _, table in shown:
            print(table.text(), end="\n\n")
        if options.search is not None:
            print("\n".join(tables.pv_tree_text(tables.pv_tree(searches[options.search - 1]))))
        sys.stdout.flush()
    except BrokenPipeError:  # who reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (LogError, OSError) as error:
        print(f"search_log.py: {error}", file=sys.stderr)
        return 2
    return 0


def page(files, shown, images):
    """A page with each table and, under it, the picture of the same name."""
    title = html.escape(", ".join(os.path.basename(path) for path in files))
    names = {"depths": "nodes"}
    body = []
    for name, table in shown:
        body.append(table.html())
        if data := images.get(names.get(name, name)):
            body.append(f'<p><img alt="{name}" src="data:image/png;base64,{base64.b64encode(data).decode()}"></p>')
    head = f'<meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>'
    content = "\n".join(body)
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body><h1>{title}</h1>\n{content}\n</body></html>\n'


if __name__ == "__main__":
    sys.exit(main())
