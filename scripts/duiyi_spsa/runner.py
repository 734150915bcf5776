"""Tunes parameters by self-play: plays the pairs of games, and writes the journal and the values."""

import argparse
import asyncio
import dataclasses
import shlex
from dataclasses import dataclass

from duiyi_match import settings as match_settings
from duiyi_match.engines import start_once
from duiyi_match.errors import MatchError
from duiyi_match.files import Output, check_files, picture
from duiyi_match.game import Game, reason_text
from duiyi_match.job import Job, open_pool, run_script
from duiyi_match.journal import Journal, field, is_whole
from duiyi_match.openings import with_default_openings
from duiyi_match.progress import ProgressDisplay
from duiyi_match.runner import input_files, openings_of
from duiyi_match.settings import Settings

from .parameters import FIELDS, Parameter, read_parameters, require_options
from .tuner import Schedule, Tuner

NOT_FOR_TUNING = ("tournament", "seeds", "rounds", "sprt", "ratinginterval", "pgn", "json")
"""Options of match.py that spsa.py does not take."""

SHOWN_CHANGES = 4
"""Parameters in a line of progress: those that changed most."""


@dataclass(frozen=True)
class TuningSettings:
    """The journal's settings: a match between the engine and itself, the parameters and the schedule."""

    match: Settings
    parameters: tuple
    schedule: Schedule

    def to_json(self):
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, data):
        parameters = tuple(Parameter(**parameter) for parameter in data["parameters"])
        return cls(Settings.from_json(data["match"]), parameters, Schedule(**data["schedule"]))

    def new_tuner(self):
        return Tuner(self.parameters, self.schedule, self.match.seed)

    def pair_settings(self, perturbation):
        """Returns the settings of a pair of games between the two sides of a perturbation."""
        names = [parameter.name for parameter in self.parameters]
        engines = [
            dataclasses.replace(engine, options=engine.options | dict(zip(names, values)))
            for engine, values in zip(self.match.engines, (perturbation.plus, perturbation.minus))
        ]
        return dataclasses.replace(self.match, engines=tuple(engines))


class TuningJournal(Journal):
    """A journal whose records are pairs of games."""

    work, script = "tuning", "spsa.py"
    settings_type = TuningSettings
    record_key = "pair"

    @classmethod
    def check_record(cls, record, all_settings):
        pairs = all_settings[-1].schedule.pairs
        field(record, "pair", lambda pair: is_whole(pair) and 0 <= pair < pairs, f"a number below {pairs}")
        field(record, "score", lambda score: is_whole(score) and -2 <= score <= 2, "a score of two games")


def build_parser():
    parser = argparse.ArgumentParser(
        prog="spsa.py",
        allow_abbrev=False,
        description="Tunes whole-number options of an engine by SPSA: the engine plays against itself with all parameters "
        "shifted at random, and the values move towards the side that wins.",
        epilog="All other options are those of match.py, with --engine once: --engine cmd=PROGRAM nodes=N option.NAME=VALUE, "
        "--openings, --variant, --draw, --resign, --maxmoves, --seed, --concurrency, --cluster. "
        "Example: spsa.py --parameters tune.txt --pairs 10000 --engine cmd=./duiyi nodes=5000 "
        "--openings file=book.epd order=random --resign --draw --concurrency 2",
    )
    parser.add_argument("--parameters", metavar="FILE", help=f"lines `{FIELDS}`, as `duiyi spsa` prints them")
    parser.add_argument("--pairs", type=match_settings.positive_int, metavar="N", help="pairs of games to play")
    parser.add_argument(
        "--overlap",
        type=match_settings.positive_int,
        metavar="N",
        help="pairs in play at most, at least the concurrency: pair n starts from the values after pair n - N (default 8)",
    )
    for name, meaning in (
        ("alpha", "exponent of the gain (default 0.602)"),
        ("gamma", "exponent of the step (default 0.101)"),
        ("stability", "the constant A of SPSA as a part of --pairs (default 0.1)"),
    ):
        parser.add_argument(f"--{name}", type=match_settings.positive_number, metavar="X", help=meaning)
    parser.add_argument(
        "--effects",
        action="store_true",
        default=None,
        help="tune nothing: play value - c_end against value + c_end, and print the Elo of the larger value of each parameter",
    )
    parser.add_argument("--journal", metavar="FILE", help="journal for --resume (default spsa.jsonl)")
    parser.add_argument(
        "--resume", metavar="FILE", help="continue that journal; only --concurrency and --cluster may change"
    )
    parser.add_argument("--show", metavar="FILE", help="print the values of that journal and play nothing")
    parser.add_argument(
        "--plot", metavar="FILE", help="draw the values over the pairs to FILE, .png or .svg, at the end"
    )
    parser.add_argument(
        "--force", action="store_true", default=None, help="--plot replaces a file that Duiyi did not write"
    )
    return parser


def main(argv=None):
    """Runs the command line. Returns the exit code: 0 done, 1 stopped by an error, 2 wrong arguments, 130 interrupted."""
    arguments, rest = build_parser().parse_known_args(argv)
    match_parser = match_settings.build_parser()
    match_parser.prog = "spsa.py"
    match_arguments = match_parser.parse_args(rest)

    def run():
        if arguments.show:
            return show(arguments, match_arguments)
        journal = (resume if arguments.resume else start)(arguments, match_arguments)
        return Tuning(journal, openings_of(journal.settings.match), plot_of(arguments)).run()

    return run_script("spsa.py", run)


def given(arguments, *ignored):
    """Returns the names of the options that the user has set, without those that are ignored."""
    return [name for name, value in vars(arguments).items() if value not in (None, [], ()) and name not in ignored]


def plot_of(arguments):
    """Returns the Output of the picture, or None. Raises MatchError."""
    return picture("--plot", arguments.plot, force=bool(arguments.force)) if arguments.plot else None


def check_outputs(arguments, inputs, journal=None):
    """Raises MatchError if the picture or a new journal may not be written. `inputs` are those of `check_files`."""
    check_files(inputs, [Output("--journal", journal) if journal else None, plot_of(arguments)])


def show(arguments, match_arguments):
    """Prints the values of a journal, which may be in use. Returns the exit code. Raises MatchError."""
    if wrong := given(arguments, "show", "plot", "force") + given(match_arguments, "journal"):
        raise MatchError(f"expected only --plot with --show, got --{wrong[0]}; nothing is shown")
    check_outputs(arguments, [("--show", arguments.show)])
    settings, records, _ = TuningJournal.read(arguments.show)
    tuner = settings.new_tuner()
    for record in records:
        tuner.add_score(record["pair"], record["score"])
    print(report(tuner))
    if arguments.plot:
        draw(tuner, plot_of(arguments))
    return 0


def resume(arguments, match_arguments):
    """Returns the journal of a tuning that continues. Raises MatchError."""
    if wrong := given(arguments, "resume", "plot", "force") + [
        n for n in NOT_FOR_TUNING if getattr(match_arguments, n) is not None
    ]:
        raise MatchError(f"--{wrong[0]} cannot change when a tuning is resumed; nothing is tuned")
    journal = TuningJournal.open(arguments.resume)
    match = match_settings.resumed_settings(journal.settings.match, match_arguments)
    check_outputs(arguments, [("--resume", arguments.resume), *input_files(match)])
    journal.update_settings(dataclasses.replace(journal.settings, match=match))
    return journal


def start(arguments, match_arguments):
    """Returns the journal of a new tuning. Raises MatchError."""
    if wrong := [name for name in NOT_FOR_TUNING if getattr(match_arguments, name) is not None]:
        hint = "; --pairs is the number of pairs" if wrong[0] == "rounds" else ""
        raise MatchError(f"expected no --{wrong[0]}, which is an option of match.py only{hint}; nothing is tuned")
    for name in ("parameters", "pairs"):
        if getattr(arguments, name) is None:
            raise MatchError(f"expected --{name}, got none; nothing is tuned")
    if arguments.effects and (wrong := [n for n in ("alpha", "gamma", "stability", "plot") if getattr(arguments, n)]):
        raise MatchError(
            f"expected no --{wrong[0]} with --effects, which leaves the values as they are; nothing is played"
        )
    if len(match_arguments.engine) != 1:
        raise MatchError(
            f"expected one --engine, which plays itself, got {len(match_arguments.engine)}; nothing is tuned"
        )
    (words,) = match_arguments.engine
    match_arguments.engine = [[*words, f"name={name}"] for name in ("plus", "minus")]
    match_arguments.rounds = arguments.pairs
    match = match_settings.new_settings(match_arguments)
    journal = arguments.journal or "spsa.jsonl"
    TuningJournal.require_absent(journal)
    check_outputs(arguments, [("--parameters", arguments.parameters), *input_files(match)], journal)
    parameters = read_parameters(arguments.parameters)
    if wrong := [parameter.name for parameter in parameters if parameter.name in match.engines[0].options]:
        raise MatchError(f"expected no option.{wrong[0]}, which is tuned; nothing is tuned")
    schedule = {
        name: getattr(arguments, name)
        for name in ("pairs", "overlap", "alpha", "gamma", "stability", "effects")
        if getattr(arguments, name) is not None
    }
    if not match.cluster:  # the program may exist on the machines of the cluster only
        require_options(parameters, asyncio.run(start_once(match.engines[0])), match.engines[0].command[0])
    match = with_default_openings(match)
    openings = openings_of(match)
    _ = openings[0]  # reports an invalid first opening before the journal is created
    settings = TuningSettings(dataclasses.replace(match, book=openings.book), parameters, Schedule(**schedule))
    return TuningJournal.create(journal, settings)


def pair_score(records):
    """Returns the games that `plus` won less those that it lost. Raises MatchError if a game has no result."""
    score = 0
    for record in records:
        if record["result"] == "*":
            raise MatchError(f"game {record['game'] + 1}: {reason_text(record['termination'], record['detail'])}")
        winner = {"1-0": record["white"], "0-1": record["black"]}.get(record["result"])
        score += {"plus": 1, "minus": -1, None: 0}[winner]
    return score


def report(tuner):
    """Returns the values as lines for the next tuning, and as options of match.py; or the effects as a table."""
    if tuner.schedule.effects:
        return report_effects(tuner)
    done, values = len(tuner.history) - 1, tuner.values
    lines = [f"# values after {done} of {tuner.schedule.pairs} pairs, seed {tuner.seed}"]
    lines += [parameter.line(value) for parameter, value in zip(tuner.parameters, values)]
    options = [f"option.{parameter.name}={round(value)}" for parameter, value in zip(tuner.parameters, values)]
    return "\n".join([*lines, f"# match.py: {shlex.join(options)}"])


def report_effects(tuner):
    """Returns the effects as a table."""
    done = len(tuner.scores)
    lines = [f"# {done} of {tuner.schedule.pairs} pairs, seed {tuner.seed}: Elo of the larger value, 95 % error"]
    if done < 2:
        return "\n".join([*lines, "# expected at least two pairs"])
    width = max(len(parameter.name) for parameter in tuner.parameters)
    for parameter, elo, error in tuner.effects():
        low, high = (parameter.clamp(parameter.value + shift) for shift in (-parameter.step, parameter.step))
        lines.append(f"{parameter.name:<{width}}  {low:>8g} {high:>8g}  {elo:+.1f} +/- {error:.1f}")
    return "\n".join(lines)


def draw(tuner, output):
    """Draws the values to the file of an Output. Raises MatchError if it cannot be written."""
    from .plot import draw_values  # imported only here because loading is slow

    try:
        draw_values(tuner, output)
    except (OSError, ValueError) as error:
        raise MatchError(f"--plot: expected a file to write, .png or .svg, got {output.path!r} ({error})") from None


class Tuning(Job):
    """A tuning. Its tasks are pairs of games."""

    script = "spsa.py"

    def __init__(self, journal, openings, plot):
        self.journal, self.settings, self.openings, self.plot = journal, journal.settings, openings, plot
        self.tuner = self.settings.new_tuner()
        for record in journal.records:
            self.tuner.add_score(record["pair"], record["score"])
        self.pair = 0
        """The first pair that may not be played yet."""

    def open_pool(self):
        return open_pool(self.settings.match)

    def open_progress(self):
        return ProgressDisplay(2 * len(self.tuner.scores), 2 * self.settings.schedule.pairs)

    def warnings(self, pool):
        return pool.start_warnings(self.settings.match)

    def next_task(self):
        while self.pair in self.tuner.scores:
            self.pair += 1
        if not self.tuner.can_start(self.pair):
            return None
        self.pair += 1
        return self.pair - 1

    def submit(self, pool, task):
        settings = self.settings.pair_settings(self.tuner.perturbation(task))
        opening = self.openings[task]
        return pool.play(settings, [Game(2 * task + n, task, n, 1 - n, opening) for n in (0, 1)])

    def record(self, task, result, progress):
        sides, score = self.tuner.perturbation(task), pair_score(result)
        kept = ("white", "result", "termination", "detail", "plies", "moves", "seconds")
        self.journal.append(
            {
                "pair": task,
                "values": [round(value, 4) for value in self.tuner.start_values(task)],
                "plus": sides.plus,
                "minus": sides.minus,
                "score": score,
                "games": [{key: game[key] for key in kept} for game in result],
            }
        )
        self.tuner.add_score(task, score)
        results = ", ".join(f"{game['result']} ({reason_text(game['termination'], game['detail'])})" for game in result)
        changes = self.tuner.changes()[:SHOWN_CHANGES]
        status = ", ".join(f"{parameter.name} {change:+.2f} steps" for parameter, change in changes if change)
        progress.update(2 * len(self.tuner.scores), status, f"pair {task + 1}: {score:+} of {results}")

    def has_results(self):
        return bool(self.tuner.scores)

    def resume_command(self):
        return f"spsa.py --resume {self.journal.path} continues this tuning"

    def discard(self):
        self.journal.remove()

    def report(self, code):
        print(report(self.tuner))
        if self.plot:
            draw(self.tuner, self.plot)
