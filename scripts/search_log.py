#!/usr/bin/env python3
"""Prints tables of search logs (option `Search Log File`), of logs of other UCI engines (such as Stockfish's `Debug Log File`),
of PGN files with score, depth and time at each move, and of both outputs of `duiyi analyse`.

Writes plots and a page for a browser on request. Several files are compared. The engine of a log is named after its file.
"""

import argparse
import importlib
import os
import sys

from duiyi_log import tables
from duiyi_log.counters import counter_table
from duiyi_log.page import page, page_data
from duiyi_log.reading import Game, LogError, merge_logs, move_from_search, read_file
from duiyi_match.errors import MatchError
from duiyi_match.files import PAGE, Output, check_files, picture


def parse_arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE", help="search logs, PGN files, records of duiyi analyse")
    parser.add_argument(
        "--game",
        type=int,
        metavar="N",
        help="game to show, numbered from 1 over all files (0: all; default 1, in a page all)",
    )
    parser.add_argument(
        "--search",
        type=int,
        metavar="N",
        help="search to show, numbered from 1 over all logs: its iterations and the tree of its PVs",
    )
    parser.add_argument("--png", metavar="FOLDER", help="write the plots to FOLDER")
    parser.add_argument("--html", metavar="FILE", help="write a page for a browser to FILE: all games and searches")
    parser.add_argument("--force", action="store_true", help="replace files that Duiyi did not write")
    return parser.parse_args(argv)


def item_at(items, number, option):
    """Returns item `number`, counted from 1. Raises LogError."""
    if not 1 <= number <= len(items):
        raise LogError(f"--{option}: expected a number from 1 to {len(items)}, got {number}")
    return items[number - 1]


def chosen_games(games, number):
    """Returns game `number`, or all games for 0. Raises LogError."""
    return games if number == 0 or not games else [item_at(games, number, "game")]


def with_positions(games, searches):
    """Returns the games, and one more of the searches that belong to no game: those of a test suite."""
    in_games = {id(move.search) for game in games for move in game.moves}
    loose = [search for search in searches if id(search) not in in_games]
    moves = [move_from_search(search, number) for number, search in enumerate(loose)]
    return [*games, Game("positions", moves)] if moves else games


def plot(name, data):
    """Returns a function that draws a plot of `duiyi_log.plots`. It loads matplotlib, which takes longer than a report."""
    return lambda: getattr(importlib.import_module("duiyi_log.plots"), f"plot_{name}")(data)


def build_report(searches, games, options):
    """Returns the (name, table) pairs and the (name, function that returns a PNG) pairs of the report, in order."""
    chosen = chosen_games(games, 1 if options.game is None else options.game)
    report_tables = [("engines", tables.engine_table(searches, games))] if games else []
    report_plots = []
    if searches:
        report_tables.append(("depths", tables.depth_table(searches)))
        report_plots.append(("nodes", plot("nodes_by_depth", searches)))
        if counters := counter_table(searches):
            report_tables.append(("counters", counters))
    for number, game in enumerate(games, 1):
        if game in chosen and game.moves:
            report_tables.append((f"game{number}", tables.move_table(game)))
            report_plots.append((f"game{number}", plot("game", game)))
    if options.search is not None:
        search = item_at(searches, options.search, "search")
        report_tables.append(("search", tables.iteration_table(search)))
        report_plots.append(("search", plot("pv_tree", search)))
        if counters := counter_table([search], f"Counters of search {search.number} of {search.engine}"):
            report_tables.append(("search counters", counters))
    return report_tables, report_plots


def outputs_of(options, plot_names):
    """Returns the Output of the page, or None, and those of the plots. Raises MatchError."""
    html = Output("--html", options.html, PAGE, options.force) if options.html else None
    folder = options.png or ""
    return html, [picture("--png", os.path.join(folder, f"{name}.png"), force=options.force) for name in plot_names]


def write_files(options, searches, games, report_plots):
    """Writes the page and the plots if they are wanted. Raises MatchError or OSError."""
    wanted_plots = dict(report_plots if options.png else [])
    html, plots_to_write = outputs_of(options, wanted_plots)
    check_files([("an input", path) for path in options.files], [html, *plots_to_write])
    if plots_to_write:
        os.makedirs(options.png, exist_ok=True)
    for output, draw in zip(plots_to_write, wanted_plots.values()):
        output.write(draw())
    if html:
        names = [os.path.basename(path) for path in options.files]
        start = None if options.search is None else searches[options.search - 1]
        data = page_data(names, searches, chosen_games(with_positions(games, searches), options.game or 0), start)
        html.write(page(f"Searches of {', '.join(names)}", data))


def main(argv=None):
    options = parse_arguments(argv)
    sys.stdout.reconfigure(errors="replace")
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
        write_files(options, searches, games, report_plots)
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
    except (LogError, MatchError, OSError) as error:
        print(f"search_log.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
