"""The journal of a match, in JSON lines. An interrupted match resumes from it.

The first line holds the settings. A later line holds them again if they changed. Every other line is the record of a game,
including its PGN. Lines are only appended, and each is synced to disk before its game is counted. So an interruption
loses at most an incomplete last line, whose game has not been reported. The PGN and JSON files are written from the journal.
"""

import contextlib
import json
import os

from .errors import MatchError
from .file_lock import lock
from .settings import Settings

FORMAT_VERSION = 1


class Journal:
    """An open journal. `settings` are the latest ones; `records` are those read when the journal was opened."""

    work, script = "match", "match.py"
    """Words for messages, and the first of them for the header of the file."""
    settings_type = Settings
    record_key = "game"
    """A key of every record, which no line with settings has."""

    def __init__(self, path, file, settings, records):
        self.path, self.file, self.settings, self.records = path, file, settings, records

    @classmethod
    def create(cls, path, settings):
        """Creates a journal. Raises MatchError if `path` exists or cannot be written."""
        try:
            file = open(path, "x", encoding="utf-8")
            lock(file)
        except FileExistsError:
            raise MatchError(
                f"expected no file {path}, found one; the {cls.work} does not start "
                f"(--resume {path} continues that {cls.work}, --journal names another file)"
            ) from None
        except OSError as error:
            raise MatchError(
                f"journal {path}: cannot create the file ({error.strerror}); the {cls.work} does not start"
            ) from None
        journal = cls(path, file, settings, [])
        journal.append({"log": f"duiyi {cls.work}", "version": FORMAT_VERSION, "settings": settings.to_json()})
        return journal

    @classmethod
    def read(cls, path):
        """Returns (settings, records, bytes in complete lines) of a journal. Raises MatchError."""
        try:
            with open(path, encoding="utf-8", newline="\n") as file:
                text = file.read()
            complete = text[: text.rfind("\n") + 1]
            header, *records = (json.loads(line) for line in complete.splitlines())
            if (header["log"], header["version"]) != (f"duiyi {cls.work}", FORMAT_VERSION):
                raise ValueError(f"{header['log']} version {header['version']}")
            latest = [line for line in (header, *records) if "settings" in line][-1]
            settings = cls.settings_type.from_json(latest["settings"])
        except OSError as error:
            raise MatchError(f"expected a journal, got {path} ({error.strerror}); nothing is played") from None
        except (ValueError, KeyError, TypeError) as error:
            raise MatchError(
                f"expected a journal of {cls.script} in {path}, found something else ({error}); nothing is played"
            ) from None
        return settings, [record for record in records if cls.record_key in record], len(complete.encode())

    @classmethod
    def open(cls, path):
        """Opens a journal to continue its work. Removes an incomplete last line. Raises MatchError."""
        try:
            file = open(path, "r+", encoding="utf-8")
            lock(file)
        except BlockingIOError:
            raise MatchError(f"expected a journal that no other run writes, got {path}; nothing is played") from None
        except OSError as error:
            raise MatchError(f"expected a journal, got {path} ({error.strerror}); nothing is played") from None
        settings, records, size = cls.read(path)
        file.seek(size)
        file.truncate()
        return cls(path, file, settings, records)

    def update_settings(self, settings):
        """Appends the settings if they differ from the latest ones."""
        if settings != self.settings:
            self.settings = settings
            self.append({"settings": settings.to_json()})

    def append(self, record):
        """Appends a line and syncs the file to disk."""
        self.file.write(json.dumps(record, separators=(",", ":")) + "\n")
        self.file.flush()
        os.fsync(self.file.fileno())

    def remove(self):
        """Closes and removes the file."""
        self.file.close()
        with contextlib.suppress(OSError):
            os.remove(self.path)
