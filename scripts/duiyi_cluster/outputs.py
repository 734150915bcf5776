"""The output files. Each holds the results of a run in order and is all that a resumed run needs."""

import contextlib
import io
import os
import struct
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
            self.file.truncate(self.read())
            self.file.seek(0, io.SEEK_END)

    def read(self):
        """Reads header and items. Returns the length of the file without an incomplete end. Raises MatchError."""
        raise NotImplementedError

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
        self.file.write(header)
        self.file.flush()

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
        for line in self.file:
            if not line.endswith(b"\n"):
                break
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
        self.file.write(item)
        self.file.flush()
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
        super().__init__(path, resume)

    def read(self):
        header = self.read_header(self.file)
        if header is None:
            return 0
        self.header, end, block = header, len(header), None
        for block in self.read_blocks(self.file):
            _, games, positions = block
            self.count += games
            self.positions += positions
            end += self.BLOCK.size + len(block[0])
        if os.path.getsize(self.path) - end > self.BLOCK.size + self.LARGEST:
            raise MatchError(f"--resume: {self.path} is damaged at byte {end}; nothing is changed")
        if block and len(block[0]) < self.FULL:
            self.block = block
            end -= self.BLOCK.size + len(block[0])
        return end

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
        self.file.write(
            self.BLOCK.pack(self.MARKER, len(payload), games, positions, self.checksum(*self.block)) + payload
        )
        self.file.flush()
        self.block = b"", 0, 0

    def is_complete(self):
        by_games = self.games_wanted is not None and self.count >= self.games_wanted
        return by_games or (self.positions_wanted is not None and self.positions >= self.positions_wanted)

    def limit(self):
        return self.games_wanted

    def close(self):
        if self.block[1]:
            self.write_block()
        super().close()
