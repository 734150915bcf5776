"""Reads search logs (option `Search Log File`, see protocol.md), logs of the lines of UCI engines (`uci_log.py`), PGN files with
engine comments, and both outputs of `duiyi analyse`: its annotated PGN files and its JSON records."""

import collections
import io
import json
import os
import re
from dataclasses import dataclass, field

import chess
import chess.pgn

from duiyi_match.boards import SIDE_WORDS, is_chess, score_unit
from duiyi_match.openings import split_games

from .uci_log import UciLog, is_uci_log

MATE_CP = 10_000_000
"""A mate in n moves has the score MATE_CP - 100 n. All scores are hundredths of a unit: centipawns in chess."""

COMMENT = re.compile(
    r"(?:([+-]?\d{1,9}\.\d+)|([+-])M(\d{1,9})|-)/(\d{1,9})\s+(\d{1,9}(?:\.\d+)?)s(?:,\s+n=(\d{1,18})(?!\d))?", re.ASCII
)
"""Score, depth, seconds and nodes in a PGN comment, e.g. `+0.31/12 0.103s, n=45120`. It may contain a line break."""


EVAL = re.compile(r"\[%eval\s+(?:(-?\d{1,9}(?:\.\d+)?)|#(-?\d{1,9}))(?:,(\d{1,9}))?\]", re.ASCII)
"""Score for White after the move, and depth, in a comment of `duiyi analyse`, e.g. `[%eval 0.31,14]` or `[%eval #-3,14]`."""

VARIANT_TAG = re.compile(r'^\[Variant "([^"]*)"\]', re.MULTILINE)
TAG = re.compile(r'^\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]\s*$', re.MULTILINE)
TOKEN = re.compile(r"\{([^}]*)\}|([()])|(\d+)\.(\.\.)?|([^\s()]+)")
"""A comment, a bracket of a variation, a move number (with three dots for Black), or a word: a move, a NAG or the result."""

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


LARGEST = (1 << 63) - 1
"""The largest number in a log."""

UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
"""What reading an invalid line raises."""


class LogError(Exception):
    """An error message of one line: what was expected and what was found."""


@dataclass
class Iteration:
    """A finished iteration. `score` is in hundredths of a unit from the side to move's view."""

    depth: int
    seldepth: int
    score: int
    nodes: int
    time_ms: int
    pv: tuple


@dataclass
class Search:
    """A search from `go` to `bestmove`. `iterations` has the last exact first PV of each depth."""

    engine: str
    session: int
    number: int
    variant: str
    position: str
    iterations: list = field(default_factory=list)
    bestmove: str | None = None
    nodes: int = 0
    time_ms: int = 0
    counters: dict | None = field(default=None, compare=False)
    """The counts of its events, if the log has them."""
    times_us: dict | None = field(default=None, compare=False)
    """The parts of the time of its `go`, if the log has them."""

    @property
    def best_move_changes(self):
        """Number of iterations whose best move differs from that of the previous iteration."""
        first = [iteration.pv[0] for iteration in self.iterations]
        return sum(a != b for a, b in zip(first, first[1:]))

    @property
    def white_to_move(self):
        """Whether White is to move. True if the position does not name the side."""
        return next((SIDE_WORDS[word] for word in self.position.split() if word in SIDE_WORDS), chess.WHITE)

    @property
    def ply(self):
        """Plies since the start of the game if the position is a FEN with a move number, else None."""
        fields = self.position.split()
        if len(fields) == 6 and fields[1] in "wb" and re.fullmatch("[0-9]{1,9}", fields[5]):
            return 2 * (int(fields[5]) - 1) + (fields[1] == "b")
        return None


@dataclass
class Move:
    """A move. `score` is in hundredths of a unit from White's view. None means unknown."""

    engine: str
    ply: int
    text: str
    score: int | None
    depth: int
    seconds: float | None
    nodes: int | None
    number: str = ""
    """The move number with its dots, if it does not follow from `ply`."""
    search: Search | None = field(default=None, compare=False)
    """The search that chose the move, or that of the position before it, if the file has it."""

    @property
    def number_text(self):
        return self.number or f"{self.ply // 2 + 1}{'...' if self.ply % 2 else '.'}"


@dataclass
class Game:
    name: str
    moves: list


def read_file(path):
    """Returns (searches, games) of a file. Raises LogError.

    A PGN file has no searches. The games of a log consist of the moves that its searches chose. Records of
    `duiyi analyse` have games of the moves that were played, or searches of the problems of a test suite.
    """
    try:
        with open(path, encoding="utf-8-sig", errors="replace") as file:
            first = next((character for character in iter(lambda: file.read(1), "") if not character.isspace()), "")
            file.seek(0)
            if first == "{":
                if is_analysis(file):
                    return read_analysis(file, path)
                searches = read_log(file, path)
                return searches, games_from_searches(searches)
            if first == "[":
                return [], read_pgn(file.read())
            lines = file.read().split("\n")
            if is_uci_log(lines):
                searches = read_uci_log(lines, path)
                engines = group_by_engine(sorted(searches, key=lambda search: search.session))
                return searches, merge_logs([games_from_searches(group) for group in engines.values()])
    except OSError as error:
        raise LogError(f"expected a search log or a PGN, got {path} ({error.strerror})") from None
    raise LogError(f"expected a search log or a PGN, got {path}, which starts with {first!r}")


def engine_of_file(path):
    """Returns the name of the engine of a log that does not name it."""
    return printable(os.path.splitext(os.path.basename(path))[0])


def read_uci_log(lines, path):
    """Returns the searches of a log of the lines of UCI engines. Raises LogError."""
    log, searches = UciLog(), {}
    for number, line in enumerate(lines, 1):
        try:
            for engine, data in log.search_lines(line):
                key = data["search"]
                if key not in searches:
                    name, position = engine or engine_of_file(path), printable(data["position"])
                    searches[key] = Search(name, data["session"], key, data["variant"], position)
                add_line(searches[key], data)
        except (*UNREADABLE, IndexError) as error:
            if number == len(lines):  # without its end: the engine is still writing
                break
            raise LogError(f"{path}:{number}: expected a line of a UCI engine, got {line[:80]!r} ({error!r})") from None
    return [search for search in searches.values() if search.iterations]


def read_log(file, path):
    """Returns all searches of a log with at least one iteration, in file order. Raises LogError."""
    engine, searches = engine_of_file(path), {}
    lines = file.read().split("\n")
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        try:
            data = json.loads(line)
            if "log" in data:
                continue
            key = number_in(data, "session"), number_in(data, "search")
            if key not in searches:
                searches[key] = Search(engine, *key, text_in(data, "variant"), text_in(data, "position"))
            add_line(searches[key], data)
        except UNREADABLE as error:
            # An incomplete line: the disk was full, or the engine is still writing.
            if isinstance(error, json.JSONDecodeError) and line.startswith("{"):
                continue
            raise LogError(f"{path}:{number}: expected a line of a search log, got {line[:80]!r} ({error!r})") from None
    return [search for search in searches.values() if search.iterations]


def add_line(search, data):
    """Adds the data of a log line to its search."""
    if "bestmove" in data:
        search.bestmove = None if data["bestmove"] is None else text_in(data, "bestmove")
        search.nodes, search.time_ms = number_in(data, "nodes"), number_in(data, "time_ms")
        if "counters" in data:
            search.counters = counters_in(data["counters"])
        if "times_us" in data:
            search.times_us = {part: number_in(data["times_us"], part) for part in PARTS}
    elif data.get("multipv") == 1 and data["bound"] == "exact" and data["pv"]:
        numbers = (number_in(data, key) for key in ("depth", "seldepth", "nodes", "time_ms"))
        depth, seldepth, nodes, time_ms = numbers
        score = score_cp(data["score"], search.variant)
        iteration = Iteration(depth, seldepth, score, nodes, time_ms, moves_in(data, "pv"))
        if search.iterations and search.iterations[-1].depth == iteration.depth:
            search.iterations.pop()
        search.iterations.append(iteration)
        if search.bestmove is None:
            search.nodes, search.time_ms = iteration.nodes, iteration.time_ms


def number_in(data, key, least=0):
    """Returns the whole number `data[key]`. Raises ValueError if it is another value, or below `least`."""
    value = data[key]
    if type(value) is not int or not least <= value <= LARGEST:
        raise ValueError(f"expected a whole number of at least {least} as {key}, got {value!r}")
    return value


PARTS = ("start", "search", "helpers", "wait")
"""The parts of the time of a `go`."""

COUNTERS = (
    "quiescence_nodes",
    "tt_probes",
    "tt_hits",
    "tt_cutoffs_exact",
    "tt_cutoffs_lower",
    "tt_cutoffs_upper",
    "null_move_tries",
    "null_move_cutoffs",
    "futility_skips",
    "late_move_skips",
    "history_skips",
    "see_skips",
    "check_extensions",
    "singular_extensions",
    "double_extensions",
    "negative_extensions",
    "multi_cuts",
    "aspiration_fail_lows",
    "aspiration_fail_highs",
    "corrections",
    "correction_sum",
)
COUNTER_LISTS = {"cutoffs": 4, "lmr_searches": 32, "lmr_researches": 32}
"""The counters that are lists, with their lengths."""


def counters_in(data):
    """Returns the counters of a search. Raises ValueError if one is missing or no count."""
    counters = {name: number_in(data, name) for name in COUNTERS}
    for name, length in COUNTER_LISTS.items():
        if not isinstance(data[name], list) or len(data[name]) != length:
            raise ValueError(f"expected a list of {length} numbers as {name}, got {data[name]!r}")
        counters[name] = [number_in(dict(enumerate(data[name])), index) for index in range(length)]
    return counters


def printable(text):
    """Returns a text without lone surrogates, which no file and no terminal takes."""
    return text.encode("utf-8", "replace").decode()


def text_in(data, key):
    """Returns the text `data[key]`. Raises ValueError if it is another value."""
    if not isinstance(data[key], str):
        raise ValueError(f"expected a text as {key}, got {data[key]!r}")
    return printable(data[key])


def moves_in(data, key):
    """Returns the list of moves `data[key]`. Raises ValueError if it is another value."""
    moves = data[key]
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise ValueError(f"expected a list of moves as {key}, got {moves!r}")
    return tuple(map(printable, moves))


def score_cp(score, variant):
    """Returns a score `{"cp": N}` or `{"mate": N}` in hundredths of a unit of the variant. Raises ValueError or KeyError."""
    if "cp" in score:
        return number_in(score, "cp", -LARGEST) * 100 // score_unit(variant)
    return mate_cp(number_in(score, "mate", -LARGEST))


def mate_cp(moves):
    return MATE_CP - 100 * moves if moves > 0 else -MATE_CP - 100 * moves


def games_from_searches(searches):
    """Returns the games of a log. A new game starts if session or variant change or the ply does not increase.

    Several searches of one position are no game.
    """
    games, last = [], None
    if len(searches) > 1 and len({(search.variant, search.position) for search in searches}) == 1:
        return games
    for search in searches:
        ply = search.ply
        if last is None or (search.session, search.variant) != last[:2] or (ply is not None and ply <= last[2]):
            games.append(Game(f"{search.engine}, game {len(games) + 1}", []))
            last = None
        if ply is None:
            ply = last[2] + 1 if last else 0
        last = search.session, search.variant, ply
        games[-1].moves.append(move_from_search(search, ply))
    return games


def move_from_search(search, ply):
    """Returns the move that a search chose."""
    best = search.iterations[-1]
    score = best.score if search.white_to_move else -best.score
    move, seconds = search.bestmove or best.pv[0], search.time_ms / 1000
    return Move(search.engine, ply, move, score, best.depth, seconds, search.nodes, search=search)


def merge_logs(logs):
    """Returns the games of all logs. Merges the games of two logs if their plies alternate, as in a match of two engines."""
    games = [game for log in logs for game in log]
    if len(logs) != 2 or len(logs[0]) != len(logs[1]):
        return games
    joined = []
    for number, (first, second) in enumerate(zip(*logs), 1):
        moves = sorted(first.moves + second.moves, key=lambda move: move.ply)
        if any(a.engine == b.engine or a.ply + 1 != b.ply for a, b in zip(moves, moves[1:])):
            return games
        joined.append(Game(f"{moves[0].engine} - {moves[1].engine}, game {number}", moves))
    return joined


def is_analysis(file):
    """Returns whether a file has the records of `duiyi analyse`. Leaves the position at the start."""
    try:
        data = json.loads(file.readline())
    except (ValueError, RecursionError):
        data = {}
    file.seek(0)
    return str(data.get("format", "")).startswith("duiyi analysis") or {"at", "lines", "wdl"} <= data.keys()


def read_analysis(file, path):
    """Returns (searches, games) of the records of `duiyi analyse`, with `--out` or `--json`. Raises LogError.

    A game has the moves played, each with the score of the position before it. A problem of a test suite is a search
    with one iteration, the last one.
    """
    engine, variant, searches, games = "duiyi analyse", "chess", [], {}
    for number, line in enumerate(file.read().split("\n"), 1):
        try:
            data = json.loads(line)
            if "format" in data:
                engine, variant = text_in(data, "engine"), text_in(data, "variant")
            elif "lines" in data and data["lines"] and data["best"]:
                search = search_from_record(data, engine, variant, len(searches) + 1)
                if "game" not in data:
                    searches.append(search)
                elif data["played"]:
                    name = f"game {number_in(data, 'game')}, {text_in(data, 'at')}"
                    games.setdefault(name, Game(name, [])).moves.append(move_from_record(data, search))
        except json.JSONDecodeError:
            continue  # an incomplete or empty line
        except UNREADABLE as error:
            raise LogError(
                f"{path}:{number}: expected a record of duiyi analyse, got {line[:80]!r} ({error!r})"
            ) from None
    return searches, list(games.values())


def search_from_record(data, engine, variant, number):
    """Returns the search of a record of `duiyi analyse`, with its last iteration."""
    line, best = data["lines"][0], text_in(data, "best")
    depth, nodes, ms = (number_in(data, key) for key in ("depth", "nodes", "ms"))
    iteration = Iteration(depth, depth, score_cp(line["score"], variant), nodes, ms, moves_in(line, "pv") or (best,))
    return Search(engine, 0, number, variant, text_in(data, "position"), [iteration], best, nodes, ms)


def move_from_record(data, search):
    """Returns the move played in a position that `duiyi analyse` has searched."""
    white, (iteration,) = search.white_to_move, search.iterations
    score = iteration.score if white else -iteration.score
    side, number = "White" if white else "Black", ""
    if search.ply is not None:
        number = f"{search.ply // 2 + 1}{'.' if white else '...'}"
    ply, played = number_in(data, "ply"), text_in(data, "played")
    return Move(side, ply, played, score, iteration.depth, search.time_ms / 1000, search.nodes, number, search)


def read_pgn(text):
    """Returns the games of a PGN file, with the moves whose comment has score and depth. Book moves have none."""
    games = []
    for _, data in split_games(text.encode()):
        game = data.decode()
        variant = VARIANT_TAG.search(game)
        if variant and not any(is_chess(name) for name in (variant[1], variant[1].lower().replace(" ", ""))):
            games.append(read_game_of_other_variant(game))
        else:
            games.append(read_chess_game(game))
    return games


def game_name(tags):
    white, black, result = (tags.get(name, "?") for name in ("White", "Black", "Result"))
    is_numbered = tags.get("Round", "?") not in ("?", "-")
    return f"{white} - {black} {result}" + (f", round {tags['Round']}" if is_numbered else "")


def tags_of(text):
    """Returns the tags of a game, without the escapes of quotation marks and backslashes."""
    return {name: re.sub(r"\\(.)", r"\1", value) for name, value in TAG.findall(text)}


def read_chess_game(text):
    """Returns a game of chess or of a variant that python-chess knows."""
    game = chess.pgn.read_game(io.StringIO(text))
    moves, tags = [], tags_of(text)
    for node in game.mainline():
        white = node.turn() == chess.BLACK
        engine = tags.get("White" if white else "Black", "?")
        moves.append(move_from_comment(node.comment, engine, node.ply() - 1, node.san(), white))
    return Game(game_name(tags), [move for move in moves if move])


def read_game_of_other_variant(text):
    """Returns a game of `match.py` or `duiyi analyse`, without variations. A number with one dot precedes moves of White."""
    tags = tags_of(text)
    moves, played, number, white, depth = [], [], "", False, 0
    for comment, bracket, count, dots, word in TOKEN.findall(TAG.sub("", text)):
        if bracket:
            depth += 1 if bracket == "(" else -1
        elif depth > 0 or word.startswith("$"):
            pass
        elif count:
            number, white = count, not dots
        elif word and word not in RESULTS:
            played.append((word, number, white))
            white = False
        elif comment and played:
            word, count, by_white = played[-1]
            engine = tags.get("White" if by_white else "Black", "?")
            if move := move_from_comment(comment, engine, len(played) - 1, word, by_white):
                move.number = f"{count}{'.' if by_white else '...'}"
                moves.append(move)
    return Game(game_name(tags), moves)


def move_from_comment(comment, engine, ply, text, white):
    """Returns a move with the score, depth and time of its comment, or None if the comment has none."""
    if match := COMMENT.match(comment):
        pawns, sign, mate, depth, seconds, nodes = match.groups()
        score = None
        if pawns:
            score = round(100 * float(pawns))
        elif mate:
            score = mate_cp(int(mate)) * (1 if sign == "+" else -1)
        if score is not None and not white:
            score = -score
        return Move(engine, ply, text, score, int(depth), float(seconds), int(nodes) if nodes else None)
    if match := EVAL.search(comment):
        pawns, mate, depth = match.groups()
        score = round(100 * float(pawns)) if pawns else mate_cp(int(mate))
        return Move(engine, ply, text, score, int(depth or 0), None, None)
    return None


def group_by_engine(items):
    """Returns {engine: items} for searches or moves. Engines are in order of first appearance."""
    groups = collections.defaultdict(list)
    for item in items:
        groups[item.engine].append(item)
    return dict(groups)
