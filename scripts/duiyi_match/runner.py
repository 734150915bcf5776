"""Runs a match: starts the games, collects the records and writes the files."""

import contextlib
import dataclasses
import os

from . import settings as command_line
from .errors import MatchError
from .game import reason_text
from .job import DONE, INTERRUPTED, STOPPED, Job, open_pool, run_script
from .journal import Journal
from .openings import Openings, describe_openings, with_default_openings
from .progress import ProgressDisplay
from .results import Results, replace_file, write_json
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
    settings = with_default_openings(command_line.new_settings(arguments))
    openings = openings_of(settings)
    _ = openings[0]  # reports an invalid first opening before the journal is created
    if settings.pgn:
        require_absent(settings.pgn)
    require_no_folder(settings.json)
    settings = dataclasses.replace(settings, book=openings.book)
    return Match(settings, Journal.create(arguments.journal, settings), openings)


def resumed_match(arguments):
    """Returns the Match of the journal in a command line. Raises MatchError."""
    journal = Journal.open(arguments.resume)
    settings = command_line.resumed_settings(journal.settings, arguments)
    openings = openings_of(settings)
    if settings.pgn and settings.pgn != journal.settings.pgn:
        require_absent(settings.pgn)
    require_no_folder(settings.json)
    journal.update_settings(settings)
    return Match(settings, journal, openings)


def require_no_folder(path):
    """Raises MatchError if the file for the results cannot be written because its path is that of a folder."""
    if path and os.path.isdir(path):
        raise MatchError(f"--json: expected a file, got the folder {path}; nothing is played")


def openings_of(settings):
    """Returns the openings of a match. Raises MatchError."""
    engine = None if settings.genfens is None else settings.engines[settings.genfens]
    return Openings(settings.book, settings.variant, settings.seed, settings.random_openings, engine)


def require_absent(path):
    """Raises MatchError if `path` exists, so that no file is overwritten."""
    if os.path.exists(path):
        raise MatchError(f"expected no file {path}, found one; the match does not start")


class Match(Job):
    """A match. Its tasks are games."""

    script = "match.py"

    def __init__(self, settings, journal, openings):
        self.settings, self.journal, self.openings = settings, journal, openings
        self.results, self.book_shown = Results(settings), False
        for record in journal.records:
            self.results.add(record)
        self.games = remaining_games(settings, openings, self.results)

    def prepare(self):
        """Rewrites the PGN file from the journal: after an interruption its last game may be missing or incomplete."""
        if self.settings.pgn:
            replace_file(self.settings.pgn, "".join(record["pgn"] for record in self.journal.records))

    def open_pool(self):
        return open_pool(self.settings.cluster, self.settings.concurrency)

    def open_progress(self):
        return ProgressDisplay(len(self.results.games_done), game_count(self.settings))

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
        if self.settings.pgn:
            with open(self.settings.pgn, "a", encoding="utf-8") as file:
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
        if self.settings.pgn:
            with contextlib.suppress(OSError):  # a file that could not be created does not exist
                os.remove(self.settings.pgn)

    def report(self, code):
        print(self.results.report())
        if self.settings.json:
            write_json(self.settings.json, self.results.to_json(STATES[code]))
