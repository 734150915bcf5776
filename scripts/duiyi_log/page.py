"""The page of `search_log.py --html`: one HTML file, from the templates that the program makes its pages of."""

import dataclasses
import json
import re
from pathlib import Path

from duiyi_match.boards import is_chess

from . import tables
from .counters import counter_table

TEMPLATES = Path(__file__).resolve().parents[2] / "src" / "tools" / "pages"
SCRIPTS = ("elements.js", "log_texts.js", "language.js", "pieces.js", "boards.js", "charts.js", "log.js")
CHARSET = '<meta charset="utf-8">'
GENERATOR = '<meta name="generator" content="Duiyi search_log.py">'
"""The mark of the page: see `duiyi_match.files`."""


def page_data(files, searches, games, start=None):
    """Returns the data of the page. `start` is the search that it shows first."""
    games = [game for game in games if game.moves]
    counters = counter_table(searches)
    places = ((g, m) for g, game in enumerate(games) for m, move in enumerate(game.moves) if move.search is start)
    return {
        "files": files,
        "start": next(places, (0, 0)) if start else (0, 0),
        "engines": dataclasses.asdict(tables.engine_table(searches, games)),
        "counters": dataclasses.asdict(counters) if counters else None,
        "depths": [dataclasses.asdict(row) for row in tables.depth_statistics(searches)],
        "games": [{"name": game.name, "moves": [move_data(move) for move in game.moves]} for game in games],
    }


def move_data(move):
    """Returns the data of a move: its fields, with all moves as SAN in chess, and the best move in coordinates, for the board."""
    data = dataclasses.asdict(move) | {"number": move.number_text}
    if search := move.search:
        best = search.bestmove or search.iterations[-1].pv[0]
        pvs = [iteration.pv for iteration in search.iterations]
        (text,), (san,), *lines = tables.san_lines(search, [(move.text,), (best,), *pvs])
        data["text"] = text
        counters = counter_table([search], "Counters of this search")
        # Variants of chess have its pieces and its board.
        data["search"]["variant"] = "chess" if is_chess(search.variant) else search.variant
        data["search"] |= {"counters": dataclasses.asdict(counters) if counters else None}
        data["search"] |= {"best": san, "best_move": tables.coordinates(search, best)}
        for iteration, line in zip(data["search"]["iterations"], lines):
            iteration["pv"] = line
    return data


def page(title, data):
    """Returns the HTML of the page. Nothing in `title` or `data` can become a part of its code."""
    parts = {
        "language": "en",
        "title": title.replace("&", "&amp;").replace("<", "&lt;"),
        "style": template("style.css"),
        "body": template("log.html"),
        # In JSON, `<` stands only inside strings. Without it, no text can end the script element.
        "data": json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
        "script": "\n".join(template(name) for name in SCRIPTS),
        "parts": "",
    }
    frame = template("page.html").replace(CHARSET, f"{CHARSET}\n{GENERATOR}", 1)
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], frame)


def template(name):
    return (TEMPLATES / name).read_text(encoding="utf-8")
