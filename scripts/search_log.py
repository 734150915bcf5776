#!/usr/bin/env python3
"""Prints tables of search logs (option `Search Log File`), of PGN files with score, depth and time at each move, and of both
outputs of `duiyi analyse`.

Writes plots and an HTML page on request. Several files are compared. The engine of a log is named after its file.
"""

import argparse
import base64
import html
import os
import sys

from duiyi_log import plots, tables
from duiyi_log.reading import LogError, merge_logs, read_file

STYLE = (
    "body{font-family:sans-serif;max-width:70em;margin:2em auto}img{max-width:100%}table{border-collapse:collapse;font-size:90%}"
    "td,th{padding:.15em .6em;border-bottom:1px solid #ddd;text-align:right}"
)


def parse_arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE", help="search logs, PGN files, records of duiyi analyse")
    parser.add_argument(
        "--game",
        type=int,
        metavar="N",
        default=1,
        help="game to show, numbered from 1 over all files (default 1; 0 shows all)",
    )
    parser.add_argument(
        "--search",
        type=int,
        metavar="N",
        help="search to show, numbered from 1 over all logs: its iterations and the tree of its PVs",
    )
    parser.add_argument("--png", metavar="FOLDER", help="write the plots to FOLDER")
    parser.add_argument("--html", metavar="FILE", help="write tables and plots to FILE, a self-contained page")
    return parser.parse_args(argv)


def item_at(items, number, option):
    """Returns item `number`, counted from 1. Raises LogError."""
    if not 1 <= number <= len(items):
        raise LogError(f"--{option}: expected a number from 1 to {len(items)}, got {number}")
    return items[number - 1]


def build_report(searches, games, options):
    """Returns the (name, table) pairs and the (name, function that returns a PNG) pairs of the report, in order."""
    chosen = games if options.game == 0 or not games else [item_at(games, options.game, "game")]
    report_tables = [("engines", tables.engine_table(searches, games))] if games else []
    report_plots = []
    if searches:
        report_tables.append(("depths", tables.depth_table(searches)))
        report_plots.append(("nodes", lambda: plots.plot_nodes_by_depth(searches)))
    for number, game in enumerate(games, 1):
        if game in chosen and game.moves:
            report_tables.append((f"game{number}", tables.move_table(game)))
            report_plots.append((f"game{number}", lambda game=game: plots.plot_game(game)))
    if options.search is not None:
        search = item_at(searches, options.search, "search")
        report_tables.append(("search", tables.iteration_table(search)))
        report_plots.append(("search", lambda: plots.plot_pv_tree(search)))
    return report_tables, report_plots


def main(argv=None):
    options = parse_arguments(argv)
    try:
        contents = [read_file(path) for path in options.files]
        searches = [search for logged, _ in contents for search in logged]
        games = merge_logs([logged_games for logged, logged_games in contents if logged])
        games += [game for logged, pgn_games in contents if not logged for game in pgn_games]
        if not searches and not any(game.moves for game in games):
            raise LogError(
                "expected searches or moves with comments like +0.31/12 0.103s or [%eval 0.31,14], "
                f"got none in {', '.join(options.files)}"
            )
        report_tables, report_plots = build_report(searches, games, options)
        images = [(name, draw()) for name, draw in report_plots] if options.png or options.html else []
        if options.png:
            os.makedirs(options.png, exist_ok=True)
            for name, data in images:
                with open(os.path.join(options.png, f"{name}.png"), "wb") as file:
                    file.write(data)
        if options.html:
            with open(options.html, "w", encoding="utf-8") as file:
                file.write(html_page(options.files, report_tables, dict(images)))
        for _, table in report_tables:
            print(table.text(), end="\n\n")
        if options.search is not None:
            search = searches[options.search - 1]
            print("\n".join(tables.pv_tree_text(tables.pv_tree(search))))
            if cut := tables.cut_text(search):
                print(f"({cut})")
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of the pipe closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (LogError, OSError) as error:
        print(f"search_log.py: {error}", file=sys.stderr)
        return 2
    return 0


def html_page(files, report_tables, images):
    """Returns an HTML page with each table and the plot of the same name below it."""
    title = html.escape(", ".join(os.path.basename(path) for path in files))
    names = {"depths": "nodes"}
    body = []
    for name, table in report_tables:
        body.append(table.html())
        if data := images.get(names.get(name, name)):
            body.append(f'<p><img alt="{name}" src="data:image/png;base64,{base64.b64encode(data).decode()}"></p>')
    head = f'<meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>'
    content = "\n".join(body)
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body><h1>{title}</h1>\n{content}\n</body></html>\n'


if __name__ == "__main__":
    sys.exit(main())
