"""The output files. Each holds the results of a run in order and is all that a resumed run needs."""

import contextlib
import io
import json
import os
import struct
import sys
import zlib

from duiyi_match.errors import MatchError
from duiyi_match.file_lock import lock


class Output:
    """An open file. `header` is None in a new file; `count` is the number of items, games or positions."""

    unit = "items"
    MAGIC = b""
    """The first bytes of the file."""

    def __init__(self, path, resume):
        """Opens the file at `path`. Raises MatchError."""
        self.path, self.header, self.count = path, None, 0
        self.end = None
        """The length of the file before the first call of `write`, without what is written again."""
        self.is_new = not (resume and os.path.exists(path))
        try:
            self.file = open(path, "x+b" if self.is_new else "r+b")
            lock(self.file)
        except FileExistsError:
            raise MatchError(f"--out: {path} exists; --resume continues it") from None
        except BlockingIOError:
            raise MatchError(f"--out: another run is writing {path}") from None
        except OSError as error:
            raise MatchError(f"--out: {path}: {error.strerror}") from None
        if not self.is_new:
            begin = self.file.read(len(self.MAGIC))
            if not self.MAGIC.startswith(begin):
                raise MatchError(f"--resume: expected a file of {self.unit}, got {path}; nothing is changed")
            self.file.seek(0)
            self.end = self.read()
            self.file.seek(self.end)

    def read(self):
        """Reads header and items. Returns the length of the file without a last part that is written again. Raises MatchError."""
        raise NotImplementedError

    def warn(self, text):
        """Says what of the file is lost."""
        print(f"cluster.py: {self.path}: {text}", file=sys.stderr, flush=True)

    def write(self, data):
        """Appends bytes. The first call cuts off what is written again."""
        if self.end is not None:
            self.file.truncate(self.end)
            self.end = None
        self.file.write(data)
        self.file.flush()

    @staticmethod
    def split(data):
        """Returns the header and the list of items in a part that the program printed."""
        raise NotImplementedError

    @staticmethod
    def header_text(header):
        """Returns what a header says, as bytes of text."""
        return header

    def start(self, header):
        """Writes the header."""
        self.header = header
        self.write(header)

    def append(self, item):
        raise NotImplementedError

    def is_complete(self):
        """Returns whether the file needs no more items. The input may end before."""
        return False

    def limit(self):
        """Returns the largest number of items that the file may need, or None."""
        return None

    def close(self):
        self.file.close()

    def discard(self):
        """Removes the file if this run has created it."""
        self.file.close()
        if self.is_new:
            with contextlib.suppress(OSError):
                os.remove(self.path)


class AnalysisOutput(Output):
    """A file of `duiyi analyse --out`: lines of JSON, the first of which is the header."""

    unit = "positions"
    MAGIC = b'{"format":"duiyi analysis '

    def read(self):
        end = 0
        for number, line in enumerate(self.file, 1):
            if not line.endswith(b"\n"):
                self.warn(f"the incomplete last line of {len(line)} bytes is cut off; its position is searched again")
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

    @staticmethod
    def split(data):
        header, *lines = data.splitlines(keepends=True)
        return header, lines

    def append(self, item):
        self.write(item)
        self.count += 1


class GamesOutput(Output):
    """A file of `duiyi datagen --out`, whose format is in docs/data-format.md. An item is a block with one game."""

    unit = "games"
    MAGIC = b"\x89DUIYI\r\n"
    HEADER = struct.Struct("<8sHH")
    """Magic, version, length of the text."""
    BLOCK = struct.Struct("<4sIIII")
    """Marker, length, games, positions, checksum."""
    MARKER = b"GMS\n"
    FULL, LARGEST = 8 << 10, 256 << 10
    """Bytes of games at which a block is written, and the most bytes of games in a block."""

    def __init__(self, path, resume, games, positions):
        """The file is complete with `games` games or `positions` positions; None stands for no such limit."""
        self.games_wanted, self.positions_wanted, self.positions = games, positions, 0
        self.block = b"", 0, 0
        """The games that are not in the file yet: their bytes, their number and that of their positions."""
        self.count_before = 0
        """The number of games at the start of this run."""
        super().__init__(path, resume)

    def read(self):
        size = os.path.getsize(self.path)
        header = self.read_header(self.file)
        if header is None:
            if size > self.HEADER.size and self.MARKER in self.file_bytes(0):
                raise self.damaged(self.HEADER.size)
            if size:
                self.warn(f"the incomplete header of {size} bytes is cut off; there is no game")
            return 0
        if zlib.crc32(header[:-4]) != int.from_bytes(header[-4:], "little"):
            raise self.damaged(0)
        self.header, end, block = header, len(header), None
        for block in self.read_blocks(self.file):
            _, games, positions = block
            self.count += games
            self.positions += positions
            end += self.BLOCK.size + len(block[0])
        if size - end > self.BLOCK.size + self.LARGEST:
            raise self.damaged(end)
        if size > end:
            self.warn(self.loss(end))
        if block and len(block[0]) < self.FULL:
            self.block = block
            end -= self.BLOCK.size + len(block[0])
        self.count_before = self.count
        return end

    def damaged(self, end):
        """Returns the error of a file that is damaged at byte `end`."""
        return MatchError(f"--resume: {self.path} is damaged at byte {end}; nothing is changed")

    def file_bytes(self, begin):
        """Returns the bytes of the file from byte `begin` on."""
        self.file.seek(begin)
        return self.file.read()

    def loss(self, end):
        """Returns what is lost with the bytes from byte `end` on, which are no complete block or follow a damaged one."""
        data = self.file_bytes(end)
        lost_games = lost_positions = 0
        at, is_incomplete, is_first = 0, False, True
        while 0 <= at <= len(data) - self.BLOCK.size:
            marker, length, games, positions, checksum = self.BLOCK.unpack_from(data, at)
            payload = data[at + self.BLOCK.size :][:length]
            if marker == self.MARKER and length <= self.LARGEST:
                is_incomplete |= is_first and len(payload) < length
                if is_first or checksum == self.checksum(payload, games, positions):
                    lost_games, lost_positions = lost_games + games, lost_positions + positions
            at, is_first = data.find(self.MARKER, at + 1), False
        is_incomplete |= len(data) < self.BLOCK.size
        what = "an incomplete block" if is_incomplete else "damaged"
        return (
            f"from byte {end} on {what}; the last {len(data)} bytes with {lost_games} games and {lost_positions} positions "
            "are cut off, and these games are played again"
        )

    @classmethod
    def read_header(cls, file):
        """Returns the header, or None if it is incomplete."""
        begin = file.read(cls.HEADER.size)
        if len(begin) < cls.HEADER.size:
            return None
        length = cls.HEADER.unpack(begin)[2] + 4
        text = file.read(length)
        return begin + text if len(text) == length else None

    @classmethod
    def read_blocks(cls, file):
        """Yields (bytes of the games, number of games, number of positions) of each block before the first incomplete one."""
        while len(begin := file.read(cls.BLOCK.size)) == cls.BLOCK.size:
            marker, size, games, positions, checksum = cls.BLOCK.unpack(begin)
            if marker != cls.MARKER or size > cls.LARGEST:
                return
            payload = file.read(size)
            if checksum != cls.checksum(payload, games, positions):
                return
            yield payload, games, positions

    @staticmethod
    def checksum(payload, games, positions):
        return zlib.crc32(payload, zlib.crc32(struct.pack("<III", len(payload), games, positions)))

    @classmethod
    def header_text(cls, header):
        return header[cls.HEADER.size : -4]

    @classmethod
    def split(cls, data):
        file = io.BytesIO(data)
        return cls.read_header(file), [(payload, positions) for payload, _, positions in cls.read_blocks(file)]

    def append(self, item):
        payload, games, positions = self.block
        self.block = payload + item[0], games + 1, positions + item[1]
        self.count += 1
        self.positions += item[1]
        if len(self.block[0]) >= self.FULL:
            self.write_block()

    def write_block(self):
        payload, games, positions = self.block
        self.write(self.BLOCK.pack(self.MARKER, len(payload), games, positions, self.checksum(*self.block)) + payload)
        self.block = b"", 0, 0

    def is_complete(self):
        by_games = self.games_wanted is not None and self.count >= self.games_wanted
        return by_games or (self.positions_wanted is not None and self.positions >= self.positions_wanted)

    def limit(self):
        return self.games_wanted

    def close(self):
        if self.block[1] and (self.end is None or self.count > self.count_before):
            self.write_block()
        super().close()
