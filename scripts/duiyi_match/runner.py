"""A whole match: what is played next, the processes that play it, and what is written down."""

import concurrent.futures
import contextlib
import dataclasses
import os
import signal
import sys

from . import settings as asked
from .errors import MatchError
from .journal import Journal
from .live import Live
from .openings import Openings
from .play import Game
from .results import Results, replace_file, write_json
from .workers import executor, play_pair

INTERRUPTED = 130
"""Exit code, as shells have it."""


def main(argv=None):
    """Runs the command line. Returns the exit code: 0 played, 1 stopped by an error, 2 wrong arguments, 130 interrupted."""
    parser = asked.parser()
    arguments = parser.parse_args(argv)
    try:
        if arguments.resume:
            journal = Journal.open(arguments.resume)
            settings = asked.resumed_settings(journal.settings, arguments)
            openings = Openings(settings.book, settings.variant, settings.seed)
            if settings.pgn and settings.pgn != journal.settings.pgn:
                nothing_at(settings.pgn)
            journal.change(settings)
        else:
            settings = asked.new_settings(arguments)
            openings = Openings(settings.book, settings.variant, settings.seed)
            _ = openings[0]  # says at once what is wrong with it
            if settings.pgn:
                nothing_at(settings.pgn)
            settings = dataclasses.replace(settings, book=openings.book)
            journal = Journal.new(arguments.journal, settings)
    except MatchError as error:
        print(f"match.py: {error}", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    return Match(settings, journal, openings).run()


def nothing_at(path):
    """Raises MatchError if a file is there, which would be written over."""
    if os.path.exists(path):
        raise MatchError(f"expected no file {path}, got one; nothing is played")


class Match:
    """A match that may have been begun before."""

    def __init__(self, settings, journal, openings):
        self.settings, self.journal, self.openings = settings, journal, openings
        self.results = Results(settings)
        for record in journal.records:
            self.results.add(record)

    def run(self):
        """Plays what is left. Returns the exit code."""
        state, code = "interrupted", INTERRUPTED
        try:
            self._write_pgn()
            with executor(self.settings) as (pool, at_once), Live(self.results, 2 * self.settings.pairs) as live:
                self._play(pool, at_once, live)
            state, code = "done", 0
        except KeyboardInterrupt:
            print(f"interrupted{self._way_on()}", file=sys.stderr)
        except (MatchError, concurrent.futures.BrokenExecutor, concurrent.futures.CancelledError, OSError) as error:
            state, code = "stopped", 1
            print(f"match.py: {error}{self._way_on()}", file=sys.stderr)
        if not self.results.done:
            self._leave_nothing()
            return code
        print(self.results.report())
        if self.settings.json:
            try:
                write_json(self.settings.json, self.results.to_json(state))
            except OSError as error:
                print(f"match.py: {error}{self._way_on()}", file=sys.stderr)
                return code or 1
        return code

    def _way_on(self):
        return f"; match.py --resume {self.journal.path} goes on" if self.results.done else ""

    def _leave_nothing(self):
        """Nothing was played: the same command shall not find files in its way."""
        self.journal.file.close()
        for path in filter(None, (self.journal.path, self.settings.pgn)):
            with contextlib.suppress(OSError):  # one that could not be written is not there
                os.remove(path)

    def _play(self, pool, at_once, live):
        pairs, running = self.pairs(), set()
        try:
            while True:
                while len(running) < at_once and (games := next(pairs, None)):
                    running.add(pool.submit(play_pair, self.settings, games))
                if not running:
                    return
                concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
                self._finish(running, live)
        finally:
            self._finish(running, live, errors=False)

    def _finish(self, running, live, errors=True):
        """Takes the pairs that are over out of `running` and counts them. Errors are raised unless they are not wanted."""
        for future in [future for future in running if future.done()]:
            running.remove(future)
            if errors or not (future.cancelled() or future.exception()):
                for record in future.result():
                    self._finished(record, live)

    def _finished(self, record, live):
        self.journal.append(record)
        self.results.add(record)
        if self.settings.pgn:
            with open(self.settings.pgn, "a", encoding="utf-8") as file:
                file.write(record["pgn"])
        live.game(record)

    def _write_pgn(self):
        """The games of the journal: after an interruption the file may lack the last one, or end within it."""
        if self.settings.pgn:
            replace_file(self.settings.pgn, "".join(record["pgn"] for record in self.journal.records))

    def pairs(self):
        """What is still to be played: the games of each pair, or the one that is missing. A decision lets no new pair begin."""
        for pair in range(self.settings.pairs):
            numbers = [n for n in (2 * pair, 2 * pair + 1) if n not in self.results.done]
            if not numbers or (self.results.decided and len(numbers) == 2):
                continue
            round_number, opponent = divmod(pair, self.settings.opponents)
            opening = self.openings[round_number]
            colours = (0, opponent + 1), (opponent + 1, 0)
            yield [Game(number, pair, *colours[number % 2], opening) for number in numbers]
