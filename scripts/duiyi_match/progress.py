"""Progress on standard error: a progress bar on a terminal, otherwise a line for each task."""

import sys
import time


class ProgressDisplay:
    """A context manager. Call `update` after each task."""

    def __init__(self, done, total, unit="games", stream=None, interval=1):
        """`done` is the number of units before this run, `total` that of the whole run, or None.

        Without a bar, a line about unimportant tasks is printed only when `done` is a multiple of `interval`.
        """
        self.interval = interval
        self.done, self.done_before, self.total, self.unit = done, done, total, unit
        self.stream = stream or sys.stderr
        self.started_at = time.monotonic()
        self.bar = None
        if self.stream.isatty():
            from rich.console import Console  # imported only here because loading is slow
            from rich.progress import BarColumn, Progress, TextColumn

            columns = TextColumn("{task.fields[count]}"), BarColumn(), TextColumn("{task.description}")
            self.bar = Progress(*columns, console=Console(file=self.stream))
            self.task = self.bar.add_task("", total=total, completed=done, count=self.count_text())

    def __enter__(self):
        if self.bar:
            self.bar.start()
        return self

    def __exit__(self, *_):
        if self.bar:
            self.bar.stop()

    def update(self, done, status, line, is_important=False):
        """Shows how many units are done, the state of the run, and a line about the latest task.

        With a bar, the line is shown only if it is important.
        """
        self.done = done
        status = ", ".join(filter(None, (status, self.speed_text())))
        if self.bar:
            self.bar.update(self.task, completed=done, description=status, count=self.count_text())
            if is_important:
                self.show(line)
        elif is_important or self.interval == 1:
            self.show(f"{self.count_text()} {line} | {status}")
        elif done % self.interval == 0 or done == self.total:
            self.show(f"{self.count_text()} {self.unit} | {status}")

    def show(self, line):
        """Prints a line, above the progress bar if there is one."""
        if self.bar:
            self.bar.console.print(line, highlight=False, markup=False)
        else:
            print(line, file=self.stream, flush=True)

    def count_text(self):
        return f"{self.done}/{self.total}" if self.total else f"{self.done}"

    def speed_text(self):
        """Returns the units per minute since this process started, and the time left if all of a known total are done."""
        rate = (self.done - self.done_before) / max(time.monotonic() - self.started_at, 1e-3)
        text = f"{60 * rate:.1f} {self.unit}/min"
        if self.total and rate:
            left = int((self.total - self.done) / rate)
            text += f", {left // 3600}:{left // 60 % 60:02}:{left % 60:02} left"
        return text
