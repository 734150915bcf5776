"""Hands out the parts of a run of `duiyi datagen` or `duiyi analyse` to a Dask cluster and joins the results in order."""

import argparse
import functools
import os
import shutil
import subprocess
import tempfile
import time
import uuid
import zipfile
from contextlib import contextmanager

from duiyi_match.cluster import open_cluster
from duiyi_match.errors import MatchError
from duiyi_match.files import ANNOTATED_PGN, PAGE, Output, check_files
from duiyi_match.job import DONE, Job, run_script
from duiyi_match.progress import ProgressDisplay
from duiyi_match.settings import absolute_path, positive_int

from .outputs import AnalysisOutput, GamesOutput
from .parts import SentFile, run_part, stop_parts

PART_SECONDS = 5
"""Intended duration of a part: long beside the start of a program, short beside a run."""

SHOW_SECONDS = 10
"""Seconds between two lines of progress."""

FILE_OPTIONS = ("--book", "--eval-file")
"""Options of the program whose value is a file that the workers need."""


def build_parser():
    parser = argparse.ArgumentParser(
        prog="cluster.py",
        description="Runs `duiyi datagen` or `duiyi analyse` on the workers of a Dask cluster, with the output of one machine.",
        epilog="The other options of the program follow, after the files: "
        "cluster.py tcp://host1:8786 /opt/duiyi datagen --out games.bin --games 100000 --nodes 5000; "
        "cluster.py scheduler.json /opt/duiyi analyse games.pgn --out analysis.jsonl --pgn annotated.pgn --depth 14",
    )
    parser.add_argument("address", help="address of the Dask scheduler, or its scheduler file")
    parser.add_argument("program", help="the program, at the same path on this machine and on the workers")
    commands = parser.add_subparsers(dest="command", required=True, metavar="datagen|analyse")
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--out", required=True, metavar="FILE", help="the output file, as of the program")
    shared.add_argument("--resume", action="store_true", help="continue FILE; create it if it is missing")
    for option in FILE_OPTIONS:
        shared.add_argument(option, metavar="FILE", help="as in the program; the workers get a copy")
    datagen = commands.add_parser("datagen", parents=[shared], allow_abbrev=False, help="plays games for training")
    datagen.add_argument("--games", type=positive_int, metavar="N", help="stop when FILE has this number of games")
    datagen.add_argument(
        "--positions", type=positive_int, metavar="N", help="stop when FILE has at least this number of positions"
    )
    analyse = commands.add_parser("analyse", parents=[shared], allow_abbrev=False, help="analyses positions and games")
    analyse.add_argument("files", nargs="+", metavar="FILE", help="files of positions or games; the workers get a copy")
    analyse.add_argument("--json", action="store_true", help="print JSON instead of a table")
    analyse.add_argument("--pgn", metavar="FILE", help="write the annotated games to FILE")
    analyse.add_argument("--html", metavar="FILE", help="write a page of the games for a browser to FILE")
    analyse.add_argument(
        "--force",
        action="store_true",
        help="--pgn and --html replace files that Duiyi did not write, as in the program",
    )
    return parser


def main(argv=None):
    """Runs the command line. Returns the exit code: 0 done, 1 stopped by an error, 2 wrong arguments, 130 interrupted."""
    arguments, rest = build_parser().parse_known_args(argv)
    new = {"datagen": Datagen, "analyse": Analysis}[arguments.command]

    def run():
        check_outputs(arguments)
        return new(arguments, rest).run()

    return run_script("cluster.py", run)


def sent_files(arguments):
    """Yields (option or None, path) for each file that the workers need. The input files have no option."""
    yield from ((None, path) for path in getattr(arguments, "files", ()))
    for option in FILE_OPTIONS:
        if path := getattr(arguments, option.removeprefix("--").replace("-", "_")):
            yield option, path


def check_outputs(arguments):
    """Raises MatchError if an output may not be written. An existing file of `--out` is refused or continued later."""
    inputs = [("the program", shutil.which(arguments.program))]
    if os.path.isfile(arguments.address):
        inputs.append(("the scheduler file", arguments.address))
    inputs += [(option or "an input", path) for option, path in sent_files(arguments)]
    outputs = [Output("--out", arguments.out)]
    if arguments.command == "analyse":
        marks = (("--pgn", arguments.pgn, ANNOTATED_PGN), ("--html", arguments.html, PAGE))
        outputs += [Output(option, path, mark, arguments.force) for option, path, mark in marks if path]
    check_files(inputs, outputs)


class PartsJob(Job):
    """A run. Its tasks are parts (first, count): numbers of games, or of positions."""

    script = "cluster.py"

    def __init__(self, arguments, rest, output):
        """`rest` are the program's other options. Raises MatchError."""
        self.arguments, self.rest, self.output = arguments, rest, output
        self.program = arguments.program
        if os.sep in self.program:
            self.program = os.path.abspath(self.program)
        self.archive = f"duiyi-{uuid.uuid4().hex}.zip"
        self.is_probed = self.is_accepted = False
        """Whether an empty part was handed out, which shows the header, and whether the header is the right one."""
        self.next_number, self.end = output.count, None
        self.pending = {}
        """The parts that wait for an earlier one, by the number of their first item, each with the name of its host."""
        self.seconds_per_item, self.started, self.shown_at = None, {}, 0.0

    @contextmanager
    def open_pool(self):
        stop = functools.partial(stop_parts, self.archive)
        address = absolute_path("cluster", self.arguments.address)
        with open_cluster(address, stop_tasks=stop) as pool, tempfile.TemporaryDirectory() as folder:
            words = [self.program, self.arguments.command]
            path = os.path.join(folder, self.archive)
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                for number, (option, file) in enumerate(sent_files(self.arguments)):
                    name = f"{number}/{os.path.basename(file)}"
                    archive.write(file, name)
                    words += [*filter(None, [option]), SentFile(name)]
            self.words = [*words, *self.rest]
            pool.send_file(path)
            self.pool = pool
            yield pool

    def open_progress(self):
        return ProgressDisplay(self.output.count, self.output.limit(), self.output.unit)

    def next_task(self):
        if not self.is_probed:
            self.is_probed = True
            return 0, 0
        if not self.is_accepted or (self.end is not None and self.next_number >= self.end):
            return None
        count = 1 if self.seconds_per_item is None else max(1, round(PART_SECONDS / self.seconds_per_item))
        if limit := self.output.limit():
            left = limit - self.next_number
            count = min(
                count, -(-left // (2 * self.pool.concurrency))
            )  # so that all workers end at about the same time
        if count <= 0:
            return None
        first = self.next_number
        self.next_number += count
        return first, count

    def submit(self, pool, task):
        self.started[task] = time.monotonic()
        return pool.submit(run_part, self.archive, self.words, *task)

    def record(self, task, result, progress):
        (first, count), (host, part) = task, result
        seconds, size = time.monotonic() - self.started.pop(task), self.output.size_of(part, count)
        if size:
            self.seconds_per_item = seconds / size
        if size < count:
            self.end = min(self.end or first + count, first + size)
        if count:
            self.pending[first] = host, part
        else:
            self._append(host, part)
            self.is_accepted = True
        while not self.output.is_complete() and (waiting := self.pending.pop(self.output.count, None)) is not None:
            self._append(*waiting)
        self._show(progress)

    def _append(self, host, part):
        try:
            self.output.append(part)
        except MatchError as error:
            raise MatchError(f"{self.output.path}: {error} at {host}; the run stops") from None

    def _show(self, progress):
        if progress.bar or time.monotonic() - self.shown_at > SHOW_SECONDS:
            self.shown_at = time.monotonic()
            progress.update(self.output.count, "", self.output.unit)

    def is_done(self):
        return self.output.is_complete() or (self.end is not None and self.output.count >= self.end)

    def has_results(self):
        return self.output.count > 0

    def resume_command(self):
        return "the same command with --resume continues this run"

    def discard(self):
        self.output.discard()

    def report(self, code):
        self.output.close()


class Datagen(PartsJob):
    def __init__(self, arguments, rest):
        if arguments.games is None and arguments.positions is None:
            raise MatchError("expected --games or --positions, got none")
        super().__init__(
            arguments,
            rest,
            GamesOutput(arguments.out, arguments.resume, arguments.program, arguments.games, arguments.positions),
        )

    def report(self, code):
        super().report(code)
        games, positions, size = self.output.count, self.output.positions, os.path.getsize(self.output.path)
        print(f"{games} games, {positions} positions, {size} bytes, {size / positions:.2f} bytes a position")


class Analysis(PartsJob):
    def __init__(self, arguments, rest):
        self.files = arguments.files
        if shutil.which(arguments.program) is None:
            raise MatchError(f"expected a program, which also reports the results, got {arguments.program!r}")
        for path in self.files:
            if not os.path.isfile(path):
                raise MatchError(f"expected a file, got {path!r} (the files come before the program's other options)")
        super().__init__(arguments, rest, AnalysisOutput(arguments.out, arguments.resume))

    def report(self, code):
        """Lets the program here print the table, sum up and annotate the games. It finds nothing left to search."""
        super().report(code)
        if code != DONE:
            print(f"{self.output.count} positions are in {self.output.path}")
            return
        options = [word for option, path in sent_files(self.arguments) if option for word in (option, path)]
        options += [f"--{name}" for name in ("json", "force") if getattr(self.arguments, name)]
        options += ["--pgn", self.arguments.pgn] if self.arguments.pgn else []
        options += ["--html", self.arguments.html] if self.arguments.html else []
        command = [self.program, "analyse", *self.files, *options, *self.rest, "--out", self.output.path, "--resume"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL)
        if done.returncode:
            raise MatchError(f"expected a report by {self.program}, got exit code {done.returncode}")
