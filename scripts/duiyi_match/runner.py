"""Runs a match: starts the games, collects the records and writes the files."""

import asyncio
import contextlib
import dataclasses
import itertools
import json
import os

from . import settings as command_line
from .boards import has_rules, new_board
from .engines import start_once
from .files import RESULTS, Output, check_files
from .game import reason_text
from .job import DONE, INTERRUPTED, STOPPED, Job, open_pool, run_script
from .journal import Journal
from .openings import Openings, describe_openings, with_default_openings
from .progress import ProgressDisplay
from .results import Results
from .rules import GAMES
from .schedule import game_count, remaining_games

STATES = {DONE: "done", STOPPED: "stopped", INTERRUPTED: "interrupted"}
"""The state in the JSON file for each exit code."""


def main(argv=None):
    """Runs the command line. Returns the exit code: 0 played, 1 stopped by an error, 2 wrong arguments, 130 interrupted."""
    arguments = command_line.build_parser().parse_args(argv)
    new = resumed_match if arguments.resume else new_match
    return run_script("match.py", lambda: new(arguments).run())


def new_match(arguments):
    """Returns the Match of a command line and creates its journal. Raises MatchError."""
    Journal.require_absent(arguments.journal)
    settings = command_line.new_settings(arguments)
    outputs = check_outputs(settings, Output("--journal", arguments.journal, nothing=NOTHING), arguments.force)
    settings = with_default_openings(settings)
    openings = openings_of(settings)
    _ = openings[0]  # reports an invalid first opening before the journal is created
    settings = dataclasses.replace(settings, book=openings.book)
    return Match(settings, Journal.create(arguments.journal, settings), openings, *outputs, arguments.ratinginterval)


def resumed_match(arguments):
    """Returns the Match of the journal in a command line. Raises MatchError."""
    journal = Journal.open(arguments.resume)
    settings = command_line.resumed_settings(journal.settings, arguments)
    outputs = check_outputs(settings, Output("--resume", arguments.resume), arguments.force, journal.records)
    openings = openings_of(settings)
    journal.update_settings(settings)
    return Match(settings, journal, openings, *outputs, arguments.ratinginterval)


NOTHING = "nothing is played"


def check_outputs(settings, journal, force, records=()):
    """Returns the Outputs of the games by the key of their text in a record, and that of the JSON file, or None. `journal` is an
    Output too. Raises MatchError.

    The games of a resumed match, whose records are `records`, are written anew. Each other file with games is a match's result.
    """
    options = {"force": bool(force), "nothing": NOTHING}
    hint = "--resume FILE continues the match that wrote it, --force replaces it"

    def games_output(key, path):
        texts = [game_of(record, key) for record in records]
        text, first = "".join(texts).encode(), "".join(texts[:1]).encode()

        def is_own(begin):
            return bool(first) and (begin.startswith(first) or text.startswith(begin))

        return Output(f"--{key}", path, is_own, author="this match", hint=hint, **options)

    paths = {key: path for key, path in (("pgn", settings.pgn), ("sgf", settings.sgf)) if path}
    games = {key: games_output(key, path) for key, path in paths.items()}
    results = Output("--json", settings.json, RESULTS, **options) if settings.json else None
    check_files(input_files(settings), [journal, *games.values(), results])
    return games, results


def game_of(record, key):
    """Returns the text of a game in the format `key`; nothing if its record has none."""
    return record.get(key, "")


def input_files(settings):
    """Yields (name for messages, path) of each file that a match reads."""
    if settings.book:
        yield "--openings", settings.book.file
    if settings.cluster and os.path.isfile(settings.cluster):
        yield "--cluster", settings.cluster
    for engine in settings.engines:
        for word in (*engine.command, *engine.options.values()):
            path = os.path.join(engine.directory or "", str(word))
            if os.path.isfile(path):
                yield f"engine {engine.name}", path


def openings_of(settings):
    """Returns the openings of a match. Raises MatchError."""
    engine = None if settings.genfens is None else settings.engines[settings.genfens]
    start = None
    if settings.size or settings.komi is not None:
        start = GAMES[settings.variant].empty_board(settings.size, settings.komi).text()
    return Openings(settings.book, settings.variant, settings.seed, settings.random_openings, engine, start)


class Match(Job):
    """A match. Its tasks are games."""

    script = "match.py"

    def __init__(self, settings, journal, openings, games_files, results_file, interval):
        """`games_files` has an Output for each format of games, `results_file` is an Output or None. `interval` is the number of
        games between two lines, or None."""
        self.settings, self.journal, self.openings = settings, journal, openings
        self.games_files, self.results_file, self.interval = games_files, results_file, interval or 1
        self.new_files = []
        """The paths of the files of games that this run has created."""
        self.results, self.book_shown = Results(settings), False
        for record in journal.records:
            self.results.add(record)
        self.games = remaining_games(settings, openings, self.results)

    def prepare(self):
        """Starts each engine once, so that a missing one is found before the first game, and writes the files of games.

        They are those of the journal: after an interruption their last game may be missing or incomplete.
        """
        if (first := next(self.games, None)) and not self.settings.cluster:
            variant = self.settings.variant
            board = new_board(variant, first.opening.fen) if has_rules(variant) else None
            for engine in self.settings.engines:
                asyncio.run(start_once(engine, board))
        self.games = itertools.chain(filter(None, [first]), self.games)
        for key, output in self.games_files.items():
            if not os.path.lexists(output.path):
                self.new_files.append(output.path)
            output.write("".join(game_of(record, key) for record in self.journal.records))

    def open_pool(self):
        return open_pool(self.settings)

    def open_progress(self):
        return ProgressDisplay(len(self.results.games_done), game_count(self.settings), interval=self.interval)

    def warnings(self, pool):
        return pool.start_warnings(self.settings)

    def next_task(self):
        return next(self.games, None)

    def submit(self, pool, task):
        return pool.play(self.settings, [task])

    def record(self, task, result, progress):
        (record,) = result
        if not self.settings.book and not self.book_shown:
            progress.show(f"no opening book: {describe_openings(self.settings).removeprefix('none, ')}")
            self.book_shown = True
        self.journal.append(record)
        self.results.add(record)
        for key, output in self.games_files.items():
            with open(output.path, "a", encoding="utf-8") as file:
                file.write(game_of(record, key))
        reason = reason_text(record["termination"], record["detail"])
        line = f"game {record['game'] + 1} {record['white']} - {record['black']} {record['result']} ({reason})"
        progress.update(len(self.results.games_done), self.results.summary(), line, bool(record.get("lines")))

    def has_results(self):
        return bool(self.results.games_done)

    def resume_command(self):
        return f"match.py --resume {self.journal.path} continues this match"

    def discard(self):
        self.journal.remove()
        for path in self.new_files:
            with contextlib.suppress(OSError):  # a file that could not be created does not exist
                os.remove(path)

    def report(self, code):
        print(self.results.report())
        if self.results_file:
            self.results_file.write(json.dumps(self.results.to_json(STATES[code]), indent=1) + "\n")
