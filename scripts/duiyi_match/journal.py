"""The journal of a match, in JSON lines. An interrupted match resumes from it.

The first line holds the settings. A later line holds them again if they changed. Every other line is the record of a game,
including its PGN. The last member of each line is the CRC-32 of the bytes before it; journals of version 1 have none. Lines
are only appended, and each is synced to disk before its game is counted. So an interruption loses at most an incomplete last
line, whose game has not been reported. The PGN and JSON files are written from the journal.
"""

import contextlib
import json
import math
import os
import re
import zlib

from .errors import MatchError
from .file_lock import lock
from .files import read_file
from .schedule import names_of_game
from .settings import Settings

FORMAT_VERSION = 2
VERSIONS = (1, FORMAT_VERSION)

CHECKSUM = re.compile(rb',"crc32":"([0-9a-f]{8})"\}$')

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


def line_of(record):
    """Returns the line of a record, as bytes with a checksum."""
    body = json.dumps(record, separators=(",", ":")).encode()[:-1]
    return body + f',"crc32":"{zlib.crc32(body):08x}"}}\n'.encode()


def parse_line(line, version):
    """Returns the record of a line of a journal of `version`, without its checksum. Raises ValueError."""
    found = CHECKSUM.search(line)
    if found and int(found[1], 16) != zlib.crc32(line[: found.start()]):
        raise ValueError(f"expected the checksum {zlib.crc32(line[: found.start()]):08x}, found {found[1].decode()}")
    if not found and version > 1:
        raise ValueError("expected a line with a checksum at its end, found none")
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("expected JSON, found something else") from None
    if not isinstance(record, dict):
        raise ValueError(f"expected a record, found a {type(record).__name__}")
    record.pop("crc32", None)
    return record


def field(record, key, is_valid, expected):
    """Returns a field of a record for which `is_valid`. Raises ValueError."""
    if key not in record:
        raise ValueError(f"expected a record with {key!r}, found none")
    if not is_valid(record[key]):
        raise ValueError(f"expected {expected} as {key!r}, found {record[key]!r:.60}")
    return record[key]


def is_text(value):
    return isinstance(value, str)


def is_whole(value):
    return type(value) is int


def is_number(value):
    return type(value) in (int, float) and math.isfinite(value)


def is_spent(value):
    """Returns whether a value has the sums of two engines: see `duiyi_match.game.Totals`."""
    sums = ("moves", "nodes", "depth", "seconds")
    return isinstance(value, dict) and all(
        isinstance(totals, dict) and totals.keys() >= set(sums) and all(is_number(totals[key]) for key in sums)
        for totals in value.values()
    )


class Journal:
    """An open journal. `settings` are the latest ones; `records` are those read when the journal was opened."""

    work, script = "match", "match.py"
    """Words for messages, and the first of them for the header of the file."""
    settings_type = Settings
    record_key = "game"
    """The number of a record, which no line with settings has."""

    def __init__(self, path, file, settings, records):
        """`file` is open without a buffer, so that a line that does not fit on the disk leaves nothing to write later."""
        self.path, self.file, self.settings, self.records = path, file, settings, records

    @classmethod
    def create(cls, path, settings):
        """Creates a journal. Raises MatchError if `path` exists or cannot be written."""
        cls.require_absent(path)
        try:
            file = open(path, "xb", buffering=0)
        except FileExistsError:
            cls.require_absent(path)
            raise
        except OSError as error:
            raise cls.creation_error(path, error) from None
        journal = cls(path, file, settings, [])
        try:
            lock(file)
            journal.append({"log": f"duiyi {cls.work}", "version": FORMAT_VERSION, "settings": settings.to_json()})
        except OSError as error:
            journal.remove()
            raise cls.creation_error(path, error) from None
        return journal

    @classmethod
    def require_absent(cls, path):
        """Raises MatchError if `path` exists: a journal is never replaced."""
        if os.path.lexists(path):
            raise MatchError(
                f"expected no file {path}, found one; the {cls.work} does not start "
                f"(--resume {path} continues that {cls.work}, --journal names another file)"
            )

    @classmethod
    def creation_error(cls, path, error):
        return MatchError(f"journal {path}: cannot create the file ({error.strerror}); the {cls.work} does not start")

    @classmethod
    def read(cls, path):
        """Returns (settings, records, bytes in complete lines) of a journal, each record once. Raises MatchError."""
        number = 1
        try:
            data = read_file(path)
            size = data.rfind(b"\n") + 1
            begin, *lines = data[:size].split(b"\n")[:-1] or [b""]
            header = parse_line(begin, 1)
            version = header.get("version")
            if header.get("log") != f"duiyi {cls.work}" or version not in VERSIONS:
                raise ValueError(f"{header.get('log')!r} of version {version!r}")
            parse_line(begin, version)
            all_settings, records = [cls.read_settings(header)], {}
            for line in lines:
                number += 1
                record = parse_line(line, version)
                if "settings" in record:
                    all_settings.append(cls.read_settings(record))
                    continue
                cls.check_record(record, all_settings)
                key = record[cls.record_key]
                if records.setdefault(key, record) != record:
                    raise ValueError(f"expected {cls.record_key} {key} once, found it again with another record")
        except OSError as error:
            raise MatchError(f"expected a journal, got {path} ({error.strerror}); nothing is played") from None
        except ValueError as error:
            if number == 1:
                raise MatchError(
                    f"expected a journal of {cls.script} in {path}, found something else ({error}); nothing is played"
                ) from None
            raise MatchError(
                f"journal {path}, line {number} is damaged: {error}; nothing is played "
                f"(without this line its {cls.record_key} is played again)"
            ) from None
        return all_settings[-1], list(records.values()), size

    @classmethod
    def read_settings(cls, record):
        """Returns the settings of a line. Raises ValueError."""
        try:
            return cls.settings_type.from_json(record["settings"])
        except (MatchError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"expected the settings of a {cls.work}, found others ({error!r})") from None

    @classmethod
    def check_record(cls, record, all_settings):
        """Raises ValueError if a record is none of the match. `all_settings` are those of the lines before, in order."""
        # A resumed match may have more or fewer rounds.
        game = field(record, "game", is_whole, "the number of a game")
        names = names_of_game(all_settings[-1], game, max(settings.rounds for settings in all_settings))
        if names is None:
            raise ValueError(f"expected a game of the match, found number {game}")
        field(record, "pair", lambda pair: is_whole(pair) and pair == game // 2, f"{game // 2}")
        for key, name in zip(("white", "black"), names):
            field(record, key, lambda found, name=name: found == name, f"{name!r}")
        field(record, "result", RESULTS.__contains__, "a result")
        for key in ("termination", "detail", "pgn"):
            field(record, key, is_text, "a text")
        field(record, "fault", (None, *names).__contains__, "an engine of the game")
        field(record, "spent", lambda spent: is_spent(spent) and spent.keys() == set(names), "the sums of both engines")
        field({"moves": ""} | record, "moves", is_text, "a text")
        field({"delay": 0} | record, "delay", is_number, "a number")
        field({"lines": {}} | record, "lines", lambda lines: isinstance(lines, dict), "lines of engines")

    @classmethod
    def open(cls, path):
        """Opens a journal to continue its work. Removes an incomplete last line. Raises MatchError."""
        try:
            file = open(path, "r+b", buffering=0)
            lock(file)
        except BlockingIOError:
            raise MatchError(f"expected a journal that no other run writes, got {path}; nothing is played") from None
        except OSError as error:
            raise MatchError(f"expected a journal, got {path} ({error.strerror}); nothing is played") from None
        settings, records, size = cls.read(path)
        file.truncate(size)
        file.seek(size)
        return cls(path, file, settings, records)

    def update_settings(self, settings):
        """Appends the settings if they differ from the latest ones. Raises MatchError."""
        if settings != self.settings:
            self.settings = settings
            try:
                self.append({"settings": settings.to_json()})
            except OSError as error:
                raise MatchError(f"journal {self.path}: {error.strerror}; nothing is played") from None

    def append(self, record):
        """Appends a line and syncs the file to disk. Raises OSError; the journal then ends with a complete line."""
        end, line = self.file.tell(), line_of(record)
        try:
            while line:
                line = line[self.file.write(line) :]
            os.fsync(self.file.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):
                self.file.truncate(end)
                self.file.seek(end)
            raise OSError(error.errno, error.strerror, self.path) from None

    def remove(self):
        """Closes and removes the file."""
        self.file.close()
        with contextlib.suppress(OSError):
            os.remove(self.path)
