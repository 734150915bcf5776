"""The journal of a match, in JSON lines. An interrupted match resumes from it.

The first line holds the settings. A later line holds them again if they changed. Every other line is the record of a game,
including its PGN. Lines are only appended, and each is synced to disk before its game is counted. So an interruption
loses at most an incomplete last line, whose game has not been reported. The PGN and JSON files are written from the journal.
"""

import json
import os

from .errors import MatchError
from .settings import Settings

FORMAT_NAME, FORMAT_VERSION = "duiyi match", 1


class Journal:
    """An open journal. `settings` are the latest ones; `records` are those read when the journal was opened."""

    def __init__(self, path, file, settings, records):
        self.path, self.file, self.settings, self.records = path, file, settings, records

    @classmethod
    def create(cls, path, settings):
        """Creates a journal. Raises MatchError if `path` exists or cannot be written."""
        try:
            file = open(path, "x", encoding="utf-8")
        except FileExistsError:
            raise MatchError(
                f"expected no file {path}, found one; the match does not start "
                f"(--resume {path} continues that match, --journal names another file)"
            ) from None
        except OSError as error:
            raise MatchError(
                f"journal {path}: cannot create the file ({error.strerror}); the match does not start"
            ) from None
        journal = cls(path, file, settings, [])
        journal.append({"log": FORMAT_NAME, "version": FORMAT_VERSION, "settings": settings.to_json()})
        return journal

    @classmethod
    def open(cls, path):
        """Opens a journal to resume its match. Removes an incomplete last line. Raises MatchError."""
        try:
            file = open(path, "r+", encoding="utf-8", newline="\n")
        except OSError as error:
            raise MatchError(
                f"--resume: expected a journal, got {path} ({error.strerror}); the match does not resume"
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
                f"--resume: expected a journal of match.py in {path}, found something else ({error}); the match does not resume"
            ) from None
        file.seek(len(complete.encode()))
        file.truncate()
        return cls(path, file, settings, [record for record in records if "game" in record])

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
