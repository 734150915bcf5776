"""Progress on standard error: a progress bar on a terminal, otherwise a line for each game."""

import sys
import time

from .game import reason_text


class ProgressDisplay:
    """A context manager. Call `update` after each game."""

    def __init__(self, results, total, stream=None):
        self.results, self.total = results, total
        self.stream = stream or sys.stderr
        self.started_at, self.games_before = time.monotonic(), len(results.games_done)
        self.bar = None
        if self.stream.isatty():
            from rich.console import Console  # imported only here because loading is slow
            from rich.progress import BarColumn, Progress, TextColumn

            columns = TextColumn("{task.completed}/{task.total}"), BarColumn(), TextColumn("{task.description}")
            self.bar = Progress(*columns, console=Console(file=self.stream))
            self.task = self.bar.add_task("", total=total, completed=self.games_before)

    def __enter__(self):
        if self.bar:
            self.bar.start()
        return self

    def __exit__(self, *_):
        if self.bar:
            self.bar.stop()

    def update(self, record):
        """Shows a finished game. `results` already contains it."""
        status = f"{self.scores_text()}, {self.speed_text()}"
        if self.bar:
            self.bar.update(self.task, completed=len(self.results.games_done), description=status)
            if record.get("lines"):
                self.show(self.game_line(record))
        else:
            self.show(f"{len(self.results.games_done)}/{self.total} {self.game_line(record)} | {status}")

    def show(self, line):
        """Prints a line, above the progress bar if there is one."""
        if self.bar:
            self.bar.console.print(line, highlight=False, markup=False)
        else:
            print(line, file=self.stream, flush=True)

    @staticmethod
    def game_line(record):
        reason = reason_text(record["termination"], record["detail"])
        return f"game {record['game'] + 1} {record['white']} - {record['black']} {record['result']} ({reason})"

    def scores_text(self):
        return self.results.summary()

    def speed_text(self):
        """Returns the games per minute since this process started, and the time left if all games are played."""
        done = len(self.results.games_done)
        rate = (done - self.games_before) / max(time.monotonic() - self.started_at, 1e-3)
        left = int((self.total - done) / rate) if rate else 0
        return f"{60 * rate:.1f} games/min, {left // 3600}:{left // 60 % 60:02}:{left % 60:02} left"
