"""The files that a command reads and writes.

Each command names all of them to `check_files` before it begins. No output is also an input or another output, by device and
inode, so links count too. An output replaces an existing file only if that file has a mark of Duiyi, or with `--force`. It is
written beside the existing file, synced to disk and renamed, so that a full disk leaves the existing file as it is.
"""

import contextlib
import os
import re
import secrets
import shutil
import stat
from collections.abc import Callable
from dataclasses import dataclass

from .errors import MatchError

MARK_BYTES = 16 << 10
"""A mark stands in the first bytes of a file."""

PAGE = re.compile(rb'<meta name="generator" content="Duiyi\b').search
PNG = re.compile(rb"tEXtSoftware\x00Duiyi\b").search
SVG = re.compile(rb"<dc:title>Duiyi\b").search
ANNOTATED_PGN = re.compile(rb'^\[Annotator "Duiyi\b', re.MULTILINE).search
RESULTS = re.compile(rb'\{\n "state": "\w+",\n "games": \d+,\n "repeated_games": ').match
"""Functions that find the marks of pages, pictures, `duiyi analyse --pgn` and `match.py --json` in the first bytes of a file."""

PICTURES = {".png": PNG, ".svg": SVG}


@dataclass(frozen=True)
class Output:
    """A file to write. `option` names it in messages, `nothing` says what does not happen if the file may not be written."""

    option: str
    path: str
    mark: Callable = lambda begin: True
    """Returns whether this file may replace one that begins with the given bytes. By default the command checks that itself."""
    force: bool = False
    nothing: str = "nothing is written"
    author: str = "Duiyi"
    """What has written the files with the mark, for messages."""
    hint: str = "--force replaces it"

    def check(self):
        """Raises MatchError if the file may not be written."""
        try:
            mode = os.stat(self.path).st_mode
        except OSError:
            return  # a new file, or a path where the attempt to write fails
        if stat.S_ISDIR(mode):
            raise MatchError(f"{self.option}: expected a file, got the folder {self.path}; {self.nothing}")
        if self.force or not stat.S_ISREG(mode) or os.path.getsize(self.path) == 0:
            return
        try:
            with open(self.path, "rb") as file:
                begin = file.read(MARK_BYTES)
        except OSError as error:
            raise MatchError(f"{self.option}: {self.path}: {error.strerror}; {self.nothing}") from None
        if not self.mark(begin):
            raise MatchError(
                f"{self.option}: expected no file {self.path}, or one of this kind by {self.author}, found another; "
                f"{self.nothing} ({self.hint})"
            )

    def write(self, data):
        """Writes the file. Raises MatchError if another file has come to lie there, and OSError."""
        self.check()
        replace_file(self.path, data)


def picture(option, path, **more):
    """Returns the Output of a picture. Raises MatchError if its name does not end in .png or .svg."""
    ending = os.path.splitext(path)[1].lower()
    if ending not in PICTURES:
        raise MatchError(f"{option}: expected a file name that ends in .png or .svg, got {path}; nothing is written")
    return Output(option, path, PICTURES[ending], **more)


def document(option, path, template, **more):
    """Returns the Output of a document made from the text of a template: it replaces one with the same first line."""
    first_line = template.encode().split(b"\n")[0] + b"\n"
    return Output(option, path, lambda begin: begin.startswith(first_line), **more)


def check_files(inputs, outputs):
    """Raises MatchError if an output may not be written, or if it is also an input or another output.

    `inputs` are pairs (name for messages, path); a path of None or of a missing file is skipped. `outputs` may have None.
    """
    found = {identity(path): option for option, path in inputs if path is not None}
    for output in outputs:
        if output is None:
            continue
        key = identity(output.path)
        if key is not None and key in found:
            raise MatchError(
                f"{output.option}: expected another file than that of {found[key]}, got the same one, {output.path}; "
                f"{output.nothing}"
            )
        found[key] = output.option
        output.check()


def identity(path):
    """Returns what two paths of the same file have in common. None for devices and pipes, which several may share."""
    path = os.path.realpath(path)
    try:
        status = os.stat(path)
    except OSError:
        # A file that does not exist yet: its folder and its name.
        folder, name = os.path.split(path)
        with contextlib.suppress(OSError):
            folder = identity(folder)
        return folder, name
    if stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode):
        return status.st_dev, status.st_ino
    return None


def replace_file(path, data):
    """Writes text or bytes to a file, which stays as it is if that fails. A device or a pipe is written directly."""
    data = data.encode("utf-8", "replace") if isinstance(data, str) else data
    path = os.path.realpath(path)
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "wb") as file:
            file.write(data)
        return
    new = os.path.join(os.path.dirname(path), f".duiyi-{secrets.token_hex(8)}.new")
    try:
        with open(new, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if os.path.exists(path):
            shutil.copymode(path, new)
        os.replace(new, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.remove(new)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, path) from None  # the message names the file of the user
        raise


def read_file(path):
    """Returns the bytes of a file or pipe. Raises OSError, also for a device, whose bytes may have no end."""
    with open(path, "rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            raise OSError(None, "a device, not a file", path)
        return file.read()
