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
    """Returns the Outputs of the PGN and of the JSON file, or None. `journal` is an Output too. Raises MatchError.

    The PGN file of a resumed match, whose games are `records`, is written anew. Each other one with games is a match's result.
    """
    text = "".join(record["pgn"] for record in records).encode()
    first = records[0]["pgn"].encode() if records else None

    def is_own(begin):
        return first is not None and (begin.startswith(first) or text.startswith(begin))

    options = {"force": bool(force), "nothing": NOTHING}
    hint = "--resume FILE continues the match that wrote it, --force replaces it"
    pgn = Output("--pgn", settings.pgn, is_own, author="this match", hint=hint, **options) if settings.pgn else None
    results = Output("--json", settings.json, RESULTS, **options) if settings.json else None
    check_files(input_files(settings), [journal, pgn, results])
    return pgn, results


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
    return Openings(settings.book, settings.variant, settings.seed, settings.random_openings, engine)


class Match(Job):
    """A match. Its tasks are games."""

    script = "match.py"

    def __init__(self, settings, journal, openings, pgn, results_file, interval):
        """`pgn` and `results_file` are Outputs, or None. `interval` is the number of games between two lines, or None."""
        self.settings, self.journal, self.openings = settings, journal, openings
        self.pgn, self.results_file, self.interval = pgn, results_file, interval or 1
        self.is_pgn_new = False
        """Whether this run has created the PGN file."""
        self.results, self.book_shown = Results(settings), False
        for record in journal.records:
            self.results.add(record)
        self.games = remaining_games(settings, openings, self.results)

    def prepare(self):
        """Starts each engine once, so that a missing one is found before the first game, and writes the PGN file.

        The PGN file is that of the journal: after an interruption its last game may be missing or incomplete.
        """
        if (first := next(self.games, None)) and not self.settings.cluster:
            board = new_board(self.settings.variant, None) if has_rules(self.settings.variant) else None
            for engine in self.settings.engines:
                asyncio.run(start_once(engine, board))
        self.games = itertools.chain(filter(None, [first]), self.games)
        if self.pgn:
            self.is_pgn_new = not os.path.lexists(self.pgn.path)
            self.pgn.write("".join(record["pgn"] for record in self.journal.records))

    def open_pool(self):
        return open_pool(self.settings.cluster, self.settings.concurrency)

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
        if self.pgn:
            with open(self.pgn.path, "a", encoding="utf-8") as file:
                file.write(record["pgn"])
        reason = reason_text(record["termination"], record["detail"])
        line = f"game {record['game'] + 1} {record['white']} - {record['black']} {record['result']} ({reason})"
        progress.update(len(self.results.games_done), self.results.summary(), line, bool(record.get("lines")))

    def has_results(self):
        return bool(self.results.games_done)

    def resume_command(self):
        return f"match.py --resume {self.journal.path} continues this match"

    def discard(self):
        self.journal.remove()
        if self.is_pgn_new:
            with contextlib.suppress(OSError):  # a file that could not be created does not exist
                os.remove(self.pgn.path)

    def report(self, code):
        print(self.results.report())
        if self.results_file:
            self.results_file.write(json.dumps(self.results.to_json(STATES[code]), indent=1) + "\n")
