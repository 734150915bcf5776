"""Runs a match: starts the games, collects the records and writes the files."""

import concurrent.futures
import contextlib
import dataclasses
import os
import signal
import sys

from . import settings as command_line
from .errors import MatchError
from .journal import Journal
from .openings import Openings, describe_openings, with_default_openings
from .progress import ProgressDisplay
from .results import Results, replace_file, write_json
from .schedule import game_count, remaining_games
from .workers import open_processes

INTERRUPTED = 130
"""Exit code after an interruption, as in shells: 128 + SIGINT."""


def main(argv=None):
    """Runs the command line. Returns the exit code: 0 played, 1 stopped by an error, 2 wrong arguments, 130 interrupted."""
    parser = command_line.build_parser()
    arguments = parser.parse_args(argv)
    try:
        if arguments.resume:
            journal = Journal.open(arguments.resume)
            settings = command_line.resumed_settings(journal.settings, arguments)
            openings = openings_of(settings)
            if settings.pgn and settings.pgn != journal.settings.pgn:
                require_absent(settings.pgn)
            journal.update_settings(settings)
        else:
            settings = with_default_openings(command_line.new_settings(arguments))
            openings = openings_of(settings)
            _ = openings[0]  # reports an invalid first opening before the journal is created
            if settings.pgn:
                require_absent(settings.pgn)
            settings = dataclasses.replace(settings, book=openings.book)
            journal = Journal.create(arguments.journal, settings)
    except MatchError as error:
        print(f"match.py: {error}", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    return Match(settings, journal, openings).run()


def openings_of(settings):
    """Returns the openings of a match. Raises MatchError."""
    engine = None if settings.genfens is None else settings.engines[settings.genfens]
    return Openings(settings.book, settings.variant, settings.seed, settings.random_openings, engine)


def open_pool(settings):
    """Returns a context manager that yields the WorkerPool of a match. Raises MatchError."""
    if settings.cluster:
        from .cluster import open_cluster  # imported only here because loading is slow

        return open_cluster(settings.cluster, settings.concurrency)
    return open_processes(settings.concurrency or 1)


def require_absent(path):
    """Raises MatchError if `path` exists, so that no file is overwritten."""
    if os.path.exists(path):
        raise MatchError(f"expected no file {path}, found one; the match does not start")


class Match:
    """A match, new or resumed."""

    def __init__(self, settings, journal, openings):
        self.settings, self.journal, self.openings = settings, journal, openings
        self.results, self.book_shown = Results(settings), False
        for record in journal.records:
            self.results.add(record)

    def run(self):
        """Plays the remaining games. Returns the exit code."""
        state, code = "interrupted", INTERRUPTED
        try:
            self._write_pgn()
            with (
                open_pool(self.settings) as pool,
                ProgressDisplay(self.results, game_count(self.settings)) as progress,
            ):
                for line in pool.start_warnings(self.settings):
                    progress.show(line)
                self._play_games(pool, progress)
            state, code = "done", 0
        except KeyboardInterrupt:
            print(f"interrupted{self._resume_hint()}", file=sys.stderr)
        except (MatchError, concurrent.futures.BrokenExecutor, concurrent.futures.CancelledError, OSError) as error:
            state, code = "stopped", 1
            print(f"match.py: {error}{self._resume_hint()}", file=sys.stderr)
        if not self.results.games_done:
            self._cleanup()
            return code
        print(self.results.report())
        if self.settings.json:
            try:
                write_json(self.settings.json, self.results.to_json(state))
            except OSError as error:
                print(f"match.py: {error}{self._resume_hint()}", file=sys.stderr)
                return code or 1
        return code

    def _resume_hint(self):
        return f"; match.py --resume {self.journal.path} continues this match" if self.results.games_done else ""

    def _cleanup(self):
        """Removes journal and PGN file if no game was played, so that the same command can run again."""
        self.journal.file.close()
        for path in filter(None, (self.journal.path, self.settings.pgn)):
            with contextlib.suppress(OSError):  # a file that could not be created does not exist
                os.remove(path)

    def _play_games(self, pool, progress):
        games, running = remaining_games(self.settings, self.openings, self.results), set()
        try:
            while True:
                while len(running) < pool.concurrency and (game := next(games, None)):
                    running.add(pool.submit(self.settings, [game]))
                if not running:
                    return
                concurrent.futures.wait(running, pool.check_interval, concurrent.futures.FIRST_COMPLETED)
                pool.check(progress.show)
                self._collect_finished(pool, running, progress)
        finally:
            self._collect_finished(pool, running, progress, raise_errors=False)

    def _collect_finished(self, pool, running, progress, raise_errors=True):
        """Removes finished games from `running` and records them. Ignores failed games unless `raise_errors`."""
        for future in [future for future in running if future.done()]:
            running.remove(future)
            if raise_errors or not (future.cancelled() or future.exception()):
                for record in pool.result(future):
                    self._record_game(record, progress)

    def _record_game(self, record, progress):
        if not self.settings.book and not self.book_shown:
            progress.show(f"no opening book: {describe_openings(self.settings).removeprefix('none, ')}")
            self.book_shown = True
        self.journal.append(record)
        self.results.add(record)
        if self.settings.pgn:
            with open(self.settings.pgn, "a", encoding="utf-8") as file:
                file.write(record["pgn"])
        progress.update(record)

    def _write_pgn(self):
        """Rewrites the PGN file from the journal: after an interruption its last game may be missing or incomplete."""
        if self.settings.pgn:
            replace_file(self.settings.pgn, "".join(record["pgn"] for record in self.journal.records))
