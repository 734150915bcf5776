"""The journal: what is needed to go on with a match that was interrupted, in JSON lines.

The first line holds the settings, and so does a later one where they were changed; every other one is the record of a
game, its PGN included. Lines are only ever appended, and each is on the disk before its game is counted, so that whatever
happens at most an unfinished last line is lost: that of a game that nobody has been told of. The PGN and JSON files are
made from the journal.
"""

import json
import os

from .errors import MatchError
from .settings import Settings

FORMAT_NAME, FORMAT_VERSION = "duiyi match", 1


class Journal:
    """An open journal. `settings` and `records` are what it held when it was opened."""

    def __init__(self, path, file, settings, records):
        self.path, self.file, self.settings, self.records = path, file, settings, records

    @classmethod
    def create(cls, path, settings):
        """Begins a journal. Raises MatchError if there is something at `path`."""
        try:
            file = open(path, "x", encoding="utf-8")
        except FileExistsError:
            raise MatchError(
                f"expected no file {path}, got one; nothing is played (--resume {path} goes on with it, --journal names another)"
            ) from None
        except OSError as error:
            raise MatchError(f"journal {path}: {error.strerror}; nothing is played") from None
        journal = cls(path, file, settings, [])
        journal.append({"log": FORMAT_NAME, "version": FORMAT_VERSION, "settings": settings.to_json()})
        return journal

    @classmethod
    def open(cls, path):
        """Opens a journal to go on with it; what follows the last whole line is cut off. Raises MatchError."""
        try:
            file = open(path, "r+", encoding="utf-8", newline="\n")
        except OSError as error:
            raise MatchError(
                f"--resume: expected a journal, got {path} ({error.strerror}); nothing is played"
            ) from None
        try:
            text = file.read()
            complete = text[: text.rfind("\n") + 1]
            header, *records = (json.loads(line) for line in complete.splitlines())
            if (header["log"], header["version"]) != (FORMAT_NAME, FORMAT_VERSION):
                raise ValueError(f"{header['log']} version {header['version']}")
            latest = [line for line in (header, *records) if "settings" in line][-1]
            settings = Settings.from_json(latest["settings"])
        except (ValueError, KeyError, TypeError) as error:
            raise MatchError(
                f"--resume: expected a match's journal in {path}, got something else ({error}); nothing is played"
            ) from None
        file.seek(len(complete.encode()))
        file.truncate()
        return cls(path, file, settings, [record for record in records if "game" in record])

    def update_settings(self, settings):
        """Notes settings that differ from those noted last."""
        if settings != self.settings:
            self.settings = settings
            self.append({"settings": settings.to_json()})

    def append(self, record):
        """Writes a line and waits until it is on the disk."""
        self.file.write(json.dumps(record, separators=(",", ":")) + "\n")
        self.file.flush()
        os.fsync(self.file.fileno())
