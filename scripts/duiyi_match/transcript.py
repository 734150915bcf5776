"""What the clients of all protocols record of their engine."""

import collections
import time

TRANSCRIPT_LINES = 30
"""The last lines exchanged with an engine that are kept for the record of a failure."""


class Transcript:
    """Extends a `chess.engine.Protocol`: keeps the last lines, and the times of a search's start, last line and reply."""

    quit_command = ""
    """The command that asks the engine to exit."""

    def __init__(self):
        super().__init__()
        self.lines = collections.deque(maxlen=TRANSCRIPT_LINES)
        self.go_sent_at = self.last_line_at = self.bestmove_at = None
        self.bestmove_line = ""

    def starts_search(self, line):
        """Returns whether an engine that receives `line` starts to search."""
        raise NotImplementedError

    def is_reply(self, line):
        """Returns whether the engine's `line` ends a search."""
        raise NotImplementedError

    def send_line(self, line):
        self.lines.append(f"> {line}")
        if self.starts_search(line):
            self.go_sent_at = self.last_line_at = time.perf_counter()
        self.write_line(line)

    def write_line(self, line):
        """Writes a line to the engine."""
        super().send_line(line)

    def line_received(self, line):
        self.last_line_at = time.perf_counter()
        if self.is_reply(line):
            self.bestmove_at, self.bestmove_line = self.last_line_at, line
        self.lines.append(f"< {line}")

    def error_line_received(self, line):
        self.lines.append(f"! {line}")

    def pipe_data_received(self, fd, data):
        try:
            super().pipe_data_received(fd, data)
        except Exception as error:  # unreadable output; the search then stalls, and the transcript explains it
            self.lines.append(f"! cannot parse: {error!r}")
