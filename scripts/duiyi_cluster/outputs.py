"""The output files. Each holds the results of a run in order and is all that a resumed run needs."""

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from duiyi_match.errors import MatchError
from duiyi_match.file_lock import lock


class Output:
    """An output file. `count` is the number of items in it, games or positions."""

    unit = "items"

    def __init__(self, path, resume):
        """Raises MatchError if a file at `path` may not be continued."""
        self.path, self.count = path, 0
        self.is_new = not os.path.exists(path)
        if not (self.is_new or resume):
            raise MatchError(f"--out: {path} exists; --resume continues it")

    @staticmethod
    def warn(text):
        print(f"cluster.py: {text}", file=sys.stderr, flush=True)

    def size_of(self, part, count):
        """Returns the number of items in a part that the program printed for `count` items: fewer at the end of the input."""
        raise NotImplementedError

    def append(self, part):
        """Appends a part. Raises MatchError if it was made with another program or other arguments."""
        raise NotImplementedError

    def is_complete(self):
        """Returns whether the file needs no more items. The input may end before."""
        return False

    def limit(self):
        """Returns the largest number of items that the file may need, or None."""
        return None

    def close(self):
        """Raises MatchError if the file cannot be written to its end."""
        raise NotImplementedError

    def discard(self):
        """Removes the file if this run has created it."""
        with contextlib.suppress(MatchError, OSError):
            self.close()
            if self.is_new:
                os.remove(self.path)


class AnalysisOutput(Output):
    """A file of `duiyi analyse --out`: lines of JSON, the first of which is the header."""

    unit = "positions"
    MAGIC = b'{"format":"duiyi analysis '

    def __init__(self, path, resume):
        super().__init__(path, resume)
        self.header = None
        try:
            self.file = open(path, "x+b" if self.is_new else "r+b")
            lock(self.file)
        except BlockingIOError:
            raise MatchError(f"--out: another run is writing {path}") from None
        except OSError as error:
            raise MatchError(f"--out: {path}: {error.strerror}") from None
        if not self.MAGIC.startswith(self.file.read(len(self.MAGIC))):
            raise MatchError(f"--resume: expected a file of positions, got {path}; nothing is changed")
        self.file.seek(0)
        self.end = self._read()
        """The length of the file without an incomplete last line."""

    def _read(self):
        end = 0
        for number, line in enumerate(self.file, 1):
            if not line.endswith(b"\n"):
                self.warn(
                    f"{self.path}: the incomplete last line of {len(line)} bytes is cut off; its position is searched again"
                )
                break
            try:
                json.loads(line)
            except (ValueError, RecursionError):
                raise MatchError(
                    f"--resume: {self.path}: line {number} is damaged: expected JSON; nothing is changed"
                ) from None
            end += len(line)
            if self.header is None:
                self.header = line
            else:
                self.count += 1
        return end

    def size_of(self, part, count):
        return part.count(b"\n") - 1

    def append(self, part):
        header, *lines = part.splitlines(keepends=True)
        if self.header not in (None, header):
            wanted, found = words_not_in(self.header, header), words_not_in(header, self.header)
            raise MatchError(f"expected a file made with {wanted}, as the first one, found {found}")
        self._write([header] if self.header is None else [])
        self.header = header
        self._write(lines)
        self.count += len(lines)

    def _write(self, lines):
        self.file.seek(self.end)
        self.file.truncate()
        self.file.write(b"".join(lines))
        self.file.flush()
        self.end = self.file.tell()

    def close(self):
        if not self.file.closed:
            self._write([])
        self.file.close()


class GamesOutput(Output):
    """A file of `duiyi datagen --out`. `duiyi data join` writes it, in a process that runs until `close`."""

    unit = "games"
    TOTALS = re.compile(r"(\d+) games, (\d+) positions, \d+ bytes\n")

    def __init__(self, path, resume, program, games, positions):
        """The file is complete with `games` games or `positions` positions; None stands for no such limit."""
        super().__init__(path, resume)
        self.games_wanted, self.positions_wanted, self.positions = games, positions, 0
        self.folder = tempfile.TemporaryDirectory()
        self.part, errors = Path(self.folder.name) / "part", Path(self.folder.name) / "errors"
        command = [program, "data", "join", path, "-", "--resume"]
        command += ["--games", str(games)] if games is not None else []
        command += ["--positions", str(positions)] if positions is not None else []
        pipe = subprocess.PIPE
        try:
            with open(errors, "w") as file:
                # In a session of its own, it gets no Ctrl-C.
                self.process = subprocess.Popen(
                    command, stdin=pipe, stdout=pipe, stderr=file, text=True, start_new_session=True
                )
        except OSError as error:
            raise MatchError(f"expected a program, got {program!r} ({error.strerror}); the run stops") from None
        self.errors = open(errors)
        self._read_totals()

    def _read_totals(self):
        if not self._set_totals(self.process.stdout.readline()):
            self.process.wait()
            raise MatchError(self._messages() or f"duiyi data join: exit code {self.process.returncode}")
        if messages := self._messages():
            self.warn(messages)

    def _set_totals(self, line):
        """Sets the numbers of games and positions. Returns whether the line has them."""
        if totals := self.TOTALS.fullmatch(line):
            self.count, self.positions = map(int, totals.groups())
        return bool(totals)

    def _messages(self):
        """Returns what the process has written to standard error since the last call."""
        return self.errors.read().strip().removeprefix("error: ").removeprefix(f"{self.part}: ")

    def size_of(self, part, count):
        return count

    def append(self, part):
        self.part.write_bytes(part)
        with contextlib.suppress(BrokenPipeError):  # it has ended with an error
            self.process.stdin.write(f"{self.part}\n")
            self.process.stdin.flush()
        self._read_totals()

    def is_complete(self):
        by_games = self.games_wanted is not None and self.count >= self.games_wanted
        return by_games or (self.positions_wanted is not None and self.positions >= self.positions_wanted)

    def limit(self):
        return self.games_wanted

    def close(self):
        # An interruption may have come before the last line was read.
        for line in self.process.communicate()[0].splitlines(keepends=True):
            self._set_totals(line)
        messages = self._messages()
        self.folder.cleanup()
        if messages:
            raise MatchError(messages)


def words_not_in(header, other):
    """Returns the words of a header that the other lacks, in one line."""
    words, others = (re.split(r"[\s,]+", text.decode(errors="replace")) for text in (header, other))
    return " ".join(word for word in words if word not in others) or "nothing else"
