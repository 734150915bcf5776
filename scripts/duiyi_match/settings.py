"""The settings of a match: command line, checks, and JSON for the journal."""

import argparse
import dataclasses
import math
import os
import shlex
from dataclasses import dataclass, field

from . import boards, tablebase
from .affinity import core_sets
from .clock import TimeControl
from .errors import MatchError
from .rules import GAMES
from .statistics import MAX_NELO, Sprt


@dataclass(frozen=True)
class Engine:
    """How to run an engine, and its limits for a move. At least one of `tc`, `st`, `nodes` and `depth` is set."""

    name: str
    command: tuple
    directory: str | None = None
    protocol: str = "uci"
    options: dict = field(default_factory=dict)
    """Options of the protocol; for a Gomocup engine keys and values of `INFO`."""
    tc: str | None = None
    st: float | None = None
    nodes: int | None = None
    depth: int | None = None
    margin: int = 20
    """Allowed overrun of the time limit in milliseconds, for delays between the engine and this program."""
    ponder: bool = False
    """Whether the engine thinks on the opponent's time."""

    @property
    def time_control(self):
        return TimeControl.parse(self.tc) if self.tc else None


@dataclass(frozen=True)
class Book:
    """A file of openings. `plies` limits the moves from a PGN game. `digest` is the SHA-256 of the file, set when it is read."""

    file: str
    order: str = "sequential"
    start: int = 1
    plies: int | None = None
    digest: str | None = None


@dataclass(frozen=True)
class DrawRule:
    """From move `movenumber` on, a draw if the last `movecount` scores of both engines are within `score` cp of 0."""

    movenumber: int = 40
    movecount: int = 8
    score: int = 10


@dataclass(frozen=True)
class ResignRule:
    """A loss if the last `movecount` scores of an engine are at most -`score` cp.

    With `twosided`, the last `movecount` scores of the opponent must also be at least `score` cp.
    """

    movecount: int = 4
    score: int = 600
    twosided: bool = False


@dataclass(frozen=True)
class TablebaseRule:
    """The result of the Syzygy tables, once a capture or pawn move leaves at most `pieces` pieces, kings included.

    `paths` are folders, separated as in PATH. With `ignore50` a win counts that the fifty-move rule would prevent.
    """

    paths: str
    pieces: int
    ignore50: bool = False


@dataclass(frozen=True)
class Settings:
    """A match: two games with reversed colours from each opening, in each pairing of a round."""

    engines: tuple
    variant: str = "chess"
    book: Book | None = None
    random_openings: int | None = None
    """Number of random moves of each opening; 0 for the start position."""
    size: int | None = None
    """The size of the board in Go, and below its komi; None for those of the start position."""
    komi: float | None = None
    genfens: int | None = None
    """Index of the engine whose command `genfens` makes the openings."""
    tournament: str = "roundrobin"
    seeds: int = 1
    """Number of engines at the start of `engines` that play all others in a gauntlet."""
    rounds: int = 100
    seed: int = 1
    draw: DrawRule | None = None
    resign: ResignRule | None = None
    tb: TablebaseRule | None = None
    maxmoves: int | None = None
    sprt: Sprt | None = None
    stall: float = 30.0
    """Seconds that an engine may exceed its time (without a time limit: be silent) before the game ends as a stall."""
    event: str = "match"
    concurrency: int | None = None
    affinity: bool = False
    """Whether the games at a time run on cores of their own."""
    cluster: str | None = None
    """The address of a Dask scheduler, or the path of its scheduler file."""
    pgn: str | None = None
    sgf: str | None = None
    json: str | None = None

    def to_json(self):
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, data):
        parts = {"book": Book, "draw": DrawRule, "resign": ResignRule, "tb": TablebaseRule, "sprt": Sprt}
        values = {"tournament": "gauntlet", "tb": None} | data  # journals of older versions have gauntlets only
        for name, part in parts.items():
            values[name] = values[name] and part(**values[name])
        values["engines"] = tuple(
            Engine(**{**engine, "command": tuple(engine["command"])}) for engine in data["engines"]
        )
        return cls(**values)


CHANGEABLE_ON_RESUME = ("concurrency", "affinity", "cluster", "rounds", "pgn", "sgf", "json")
"""Options that may change when a match is resumed. They do not affect the games themselves."""

NOT_IN_JOURNAL = ("resume", "journal", "force", "ratinginterval")
"""Options of one run."""

XIANGQI_PROTOCOLS = ("ucci", "cyclone")
"""Values of `protocol=` for xiangqi alone."""

PATHS = ("cluster", "pgn", "sgf", "json")
"""Options that are paths; that of the cluster may be an address."""

CLUSTER_NODES = 20_000
"""Node limit on a cluster for engines without a limit: its machines may differ in speed and load."""


def number_type(kind, is_valid, expected):
    """Returns a type for argparse: a number of type `kind` for which `is_valid`."""

    def parse(text):
        try:
            number = kind(text)
        except ValueError:
            number = None
        if number is None or not is_valid(number):
            raise argparse.ArgumentTypeError(f"expected {expected}, got {text!r}")
        return number

    return parse


LARGEST = 10**15
"""The largest number of games, moves or anything else that is counted."""

MAX_CONCURRENCY = 1024
"""The most games at a time: on this machine, each has a process and two engines."""

positive_int = number_type(int, lambda number: 1 <= number <= LARGEST, f"a whole number from 1 to {LARGEST}")
natural_number = number_type(int, lambda number: 0 <= number <= LARGEST, f"a whole number from 0 to {LARGEST}")
concurrency = number_type(
    int, lambda number: 1 <= number <= MAX_CONCURRENCY, f"a whole number from 1 to {MAX_CONCURRENCY}"
)
size = number_type(int, GAMES["go"].sizes.__contains__, "a size from 2 to 19")
komi = number_type(
    float, lambda number: abs(number) <= 361 and (2 * number).is_integer(), "a komi in half points from -361 to 361"
)
positive_number = number_type(float, lambda number: 0 < number < math.inf, "a number above 0")


def build_parser():
    key_values = dict(nargs="+", metavar="KEY=VALUE")
    parser = argparse.ArgumentParser(
        prog="match.py",
        description="Plays engines of UCI, Gomocup, UCCI, UCI-Cyclone and GTP against each other, with both colours from every "
        "opening. Several engines play a round robin or a gauntlet.",
        epilog="Example: match.py --engine cmd=./new --engine cmd=./old --each tc=8+0.08 option.Hash=16 "
        "--openings file=book.epd order=random --rounds 2000 --concurrency 2 --sprt elo0=0 elo1=5 --pgn games.pgn",
    )
    parser.add_argument(
        "--engine",
        action="append",
        default=[],
        **key_values,
        help="cmd=PROGRAM (with arguments, quoted) name=NAME dir=FOLDER protocol=uci|gomocup|ucci|cyclone|gtp option.NAME=VALUE, "
        "tc=[MOVES/][MINUTES:]SECONDS[+INCREMENT] st=SECONDS nodes=N depth=N timemargin=MS ponder=true|false; "
        "repeat for each engine. "
        "tc=90 and tc=1:30 are 90 seconds for the game, tc=40/5:00+2 are 5 minutes for 40 moves and 2 seconds a move",
    )
    parser.add_argument("--each", default=[], **key_values, help="the same keys as defaults for all engines")
    parser.add_argument(
        "--variant",
        help=f"chess (default), chess960, a variant of python-chess, {', '.join(GAMES)}, "
        "or another value of the engines' UCI_Variant",
    )
    parser.add_argument(
        "--openings",
        **key_values,
        help="file=PATH (.pgn, or lines of EPD, of a position, or of moves: startpos moves M M ...) "
        "order=sequential|random start=N plies=N",
    )
    parser.add_argument(
        "--random-openings",
        type=natural_number,
        metavar="PLIES",
        help="openings of PLIES random moves, fixed by --seed; 0 for the start position (default without --openings: "
        "by the command genfens of an engine, else random moves)",
    )
    parser.add_argument(
        "--size", type=size, metavar="N", help="go: the size of the board without --openings (default 9)"
    )
    parser.add_argument("--komi", type=komi, metavar="K", help="go: the komi without --openings (default 7)")
    parser.add_argument(
        "--tournament",
        choices=("roundrobin", "gauntlet"),
        help="roundrobin (default): every engine plays every other; gauntlet: the first engine plays each of the others",
    )
    parser.add_argument(
        "--seeds",
        type=positive_int,
        metavar="N",
        help="in a gauntlet, the first N engines play each other and all others (default 1)",
    )
    parser.add_argument("--rounds", type=positive_int, help="pairs of games in each pairing (default 100)")
    parser.add_argument("--seed", type=int, help="seed of random openings and orders (default 1)")
    parser.add_argument(
        "--concurrency",
        type=concurrency,
        help="concurrent games (default 1; on a cluster its number of threads)",
    )
    parser.add_argument(
        "--affinity",
        action=argparse.BooleanOptionalAction,
        help="run the engines of each of the concurrent games on cores of their own (Linux)",
    )
    parser.add_argument(
        "--draw", nargs="*", metavar="KEY=VALUE", help="adjudicate drawn games: movenumber=40 movecount=8 score=10"
    )
    parser.add_argument(
        "--resign", nargs="*", metavar="KEY=VALUE", help="adjudicate lost games: movecount=4 score=600 twosided=false"
    )
    parser.add_argument(
        "--tb",
        metavar="FOLDERS",
        help=f"adjudicate chess games by the Syzygy tables in FOLDERS, separated by {os.pathsep!r}",
    )
    parser.add_argument(
        "--tbpieces", type=positive_int, metavar="N", help="with at most N pieces (default: those of the largest table)"
    )
    parser.add_argument(
        "--tbignore50", action="store_true", default=None, help="wins count that the fifty-move rule would prevent"
    )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="play on the workers of the Dask scheduler at ADDRESS, or of that scheduler file",
    )
    parser.add_argument("--maxmoves", type=positive_int, metavar="N", help="adjudicate a draw after N moves")
    parser.add_argument(
        "--sprt",
        **key_values,
        help="stop when the SPRT is decided: elo0=E elo1=E alpha=0.05 beta=0.05 model=normalized|logistic",
    )
    parser.add_argument(
        "--stall",
        type=positive_number,
        metavar="SECONDS",
        help="seconds after an engine's time limit, or of silence without one, until it counts as stalled (default 30)",
    )
    parser.add_argument("--event", help="PGN tag Event (default match)")
    parser.add_argument(
        "--ratinginterval", type=positive_int, metavar="N", help="show the results after every N games (default 1)"
    )
    parser.add_argument("--pgn", metavar="FILE", help="write the games to FILE, each when it ends")
    parser.add_argument("--sgf", metavar="FILE", help="go: write the games to FILE as SGF, each when it ends")
    parser.add_argument("--json", metavar="FILE", help="write the results to FILE")
    parser.add_argument(
        "--journal", metavar="FILE", default="match.jsonl", help="journal for --resume (default match.jsonl)"
    )
    parser.add_argument(
        "--resume",
        metavar="FILE",
        help="resume the match of that journal; "
        "only --concurrency, --affinity, --cluster, --rounds, --pgn, --sgf and --json may be added",
    )
    parser.add_argument(
        "--force",
        action="store_true",
        default=None,
        help="--pgn, --sgf and --json replace files of other origin; a journal is kept",
    )
    return parser


def new_settings(arguments):
    """Returns the settings of a new match. Raises MatchError."""
    defaults = parse_key_values("--each", arguments.each)
    if len(arguments.engine) < 2:
        raise MatchError(f"expected at least two of --engine, got {len(arguments.engine)}; the match does not start")
    engines = [
        parse_engine({**defaults, **parse_key_values("--engine", words)}, arguments.cluster)
        for words in arguments.engine
    ]
    names = [e.name for e in engines]
    if len(set(names)) < len(names):
        raise MatchError(f"expected engines with different names, got {', '.join(names)}; name them with name=NAME")
    require_known_rules(arguments, engines)
    if arguments.sprt and len(engines) > 2:
        raise MatchError(f"expected two engines with --sprt, got {len(engines)}; the match does not start")
    require_seeds(arguments, len(engines))
    require_printable("--event", arguments.event or "match")
    settings = {"engines": tuple(engines)}
    for name in (
        "variant",
        "random_openings",
        "size",
        "komi",
        "tournament",
        "seeds",
        "rounds",
        "seed",
        "concurrency",
        "affinity",
        "maxmoves",
        "stall",
        "event",
    ):
        if getattr(arguments, name) is not None:
            settings[name] = getattr(arguments, name)
    if settings.get("variant") in boards.CHESS960:
        settings["variant"] = "chess960"
    for name in PATHS:
        if getattr(arguments, name) is not None:
            settings[name] = absolute_path(name, getattr(arguments, name))
    for name, source, kind in (
        ("book", "openings", Book),
        ("draw", "draw", DrawRule),
        ("resign", "resign", ResignRule),
        ("sprt", "sprt", Sprt),
    ):
        if getattr(arguments, source) is not None:
            settings[name] = parse_dataclass(
                f"--{source}", kind, parse_key_values(f"--{source}", getattr(arguments, source))
            )
    for name in ("draw", "resign"):
        rule = settings.get(name)
        if rule and (rule.movecount < 1 or rule.score < 0):
            raise MatchError(
                f"--{name}: expected movecount of at least 1 and score of at least 0, "
                f"got movecount={rule.movecount} score={rule.score}"
            )
    if tb := tablebase_rule(arguments):
        settings["tb"] = tb
    if "book" in settings:
        book = settings["book"]
        require_choice("--openings", "order", book.order, ("sequential", "random"))
        if book.start < 1:
            raise MatchError(f"--openings: expected start=N with N at least 1, got {book.start}")
        settings["book"] = dataclasses.replace(book, file=os.path.abspath(book.file))
    if "sprt" in settings:
        test = settings["sprt"]
        require_choice("--sprt", "model", test.model, ("normalized", "logistic"))
        if not (test.elo0 < test.elo1 and 0 < test.alpha < 0.5 and 0 < test.beta < 0.5):
            raise MatchError(
                "--sprt: expected elo0 below elo1, and alpha and beta between 0 and 0.5; "
                f"got elo0={test.elo0:g} elo1={test.elo1:g} alpha={test.alpha:g} beta={test.beta:g}"
            )
        if test.model == "normalized" and max(abs(test.elo0), abs(test.elo1)) > MAX_NELO:
            raise MatchError(
                f"--sprt: expected elo0 and elo1 from -{MAX_NELO} to {MAX_NELO} with model=normalized, "
                f"got elo0={test.elo0:g} elo1={test.elo1:g}"
            )
    return with_cores(Settings(**settings))


def with_cores(settings):
    """Returns the settings if the machine has the cores that they need. Raises MatchError."""
    core_sets(settings)
    return settings


def tablebase_rule(arguments):
    """Returns the TablebaseRule of the command line, or None. Raises MatchError."""
    if arguments.tb is None:
        if arguments.tbpieces or arguments.tbignore50:
            raise MatchError("--tbpieces and --tbignore50: expected --tb FOLDERS, got none; the match does not start")
        return None
    variant = arguments.variant or "chess"
    if variant not in ("chess", *boards.CHESS960):
        raise MatchError(f"--tb: expected chess or chess960, got {variant}; the match does not start")
    paths = os.pathsep.join(os.path.abspath(path) for path in arguments.tb.split(os.pathsep))
    largest = tablebase.largest_table(paths)
    return TablebaseRule(paths, min(arguments.tbpieces or largest, largest), bool(arguments.tbignore50))


def require_seeds(arguments, engine_count):
    """Raises MatchError if `--seeds` does not fit the tournament."""
    if arguments.seeds is None:
        return
    if arguments.tournament != "gauntlet":
        raise MatchError(
            f"--seeds: expected --tournament gauntlet, got {arguments.tournament or 'none'}; the match does not start"
        )
    if arguments.seeds >= engine_count:
        raise MatchError(f"--seeds: expected fewer than the {engine_count} engines, got {arguments.seeds}")


def require_known_rules(arguments, engines):
    """Raises MatchError if an option does not fit the game of the match."""
    variant = arguments.variant or "chess"
    gomocup = [name for name, game in GAMES.items() if game.gomocup_rule is not None]
    for engine in engines:
        if engine.protocol == "gomocup" and variant not in gomocup:
            raise MatchError(
                f"--engine {engine.name}: expected --variant {', '.join(gomocup)} with protocol=gomocup, got {variant}"
            )
        if engine.protocol in XIANGQI_PROTOCOLS and variant != "xiangqi":
            raise MatchError(
                f"--engine {engine.name}: expected --variant xiangqi with protocol={engine.protocol}, got {variant}"
            )
        if engine.protocol == "gtp" and variant != "go":
            raise MatchError(f"--engine {engine.name}: expected --variant go with protocol=gtp, got {variant}")
        if engine.ponder and (engine.protocol in ("gomocup", "gtp") or not boards.has_rules(variant)):
            raise MatchError(
                f"--engine {engine.name}: expected no engine of Gomocup or GTP, and chess, one of its variants or "
                f"{', '.join(GAMES)} with ponder=true, got {engine.protocol} and {variant}"
            )
    for option in ("size", "komi", "sgf"):
        if getattr(arguments, option) is not None and variant != "go":
            raise MatchError(f"--{option}: expected --variant go, got {variant}; the match does not start")
    if arguments.openings and (arguments.size or arguments.komi is not None):
        raise MatchError("expected --openings or --size and --komi, got both; the match does not start")
    if arguments.random_openings and arguments.openings:
        raise MatchError("expected --openings or --random-openings, got both; the match does not start")
    if arguments.random_openings and not boards.has_rules(variant):
        raise MatchError(f"--random-openings: expected chess, one of its variants, {', '.join(GAMES)}, got {variant}")


def resumed_settings(old, arguments):
    """Returns the settings of a journal with the changes of the command line. Raises MatchError if one is not allowed."""
    given = {k: v for k, v in vars(arguments).items() if v not in (None, []) and k not in NOT_IN_JOURNAL}
    if wrong := sorted(set(given) - set(CHANGEABLE_ON_RESUME)):
        raise MatchError(f"--{wrong[0]} cannot change when a match is resumed; the journal has its value")
    for name in PATHS:
        if name in given:
            given[name] = absolute_path(name, given[name])
    return with_cores(dataclasses.replace(old, **given))


def absolute_path(name, text):
    """Returns a path that does not depend on the working directory. An address of a cluster stays as it is."""
    return text if name == "cluster" and not os.path.isfile(text) else os.path.abspath(text)


def parse_key_values(option, words):
    """Parses KEY=VALUE words into a dictionary. `option` is named in errors."""
    pairs = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise MatchError(f"{option}: expected KEY=VALUE, got {word!r}")
        pairs[key] = value
    return pairs


def parse_dataclass(option, kind, pairs):
    """Returns a dataclass of type `kind` from KEY=VALUE pairs. Raises MatchError."""
    types = {f.name: f.type for f in dataclasses.fields(kind)}
    values = {}
    for key, text in pairs.items():
        if key not in types:
            raise MatchError(f"{option}: expected one of {', '.join(types)}, got {key!r}")
        values[key] = parse_value(option, key, text, types[key])
    try:
        return kind(**values)
    except TypeError:
        missing = [
            f.name for f in dataclasses.fields(kind) if f.default is dataclasses.MISSING and f.name not in values
        ]
        raise MatchError(f"{option}: expected {missing[0]}=..., got nothing") from None


def parse_value(option, key, text, kind):
    kind = getattr(kind, "__args__", (kind,))[0]  # T of `T | None`
    try:
        if kind is bool:
            return {"true": True, "false": False}[text.lower()]
        return kind(text)
    except (ValueError, KeyError):
        raise MatchError(f"{option}: expected {key}={kind.__name__}, got {text!r}") from None


def require_printable(option, text):
    """Raises MatchError if a text is not fit for a line of a table or for a PGN tag."""
    if not text.strip() or not text.isprintable():
        raise MatchError(f"{option}: expected a text without line breaks and control characters, got {text!r}")


def require_choice(option, key, value, allowed):
    if value not in allowed:
        raise MatchError(f"{option}: expected {key}={'|'.join(allowed)}, got {value!r}")


def parse_engine(pairs, cluster=None):
    """Returns an engine from the pairs of --engine and --each. Raises MatchError."""
    if (
        cluster
        and not pairs.keys() & {"tc", "st", "nodes", "depth"}
        and pairs.get("protocol") not in ("gomocup", "gtp")
    ):
        pairs["nodes"] = str(CLUSTER_NODES)
    option = "--engine"
    options = {k[len("option.") :]: v for k, v in pairs.items() if k.startswith("option.")}
    values_by_key = {k: v for k, v in pairs.items() if not k.startswith("option.")}
    text = values_by_key.pop("cmd", "")
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise MatchError(
            f"{option}: expected cmd=PROGRAM with paired quotation marks, got {text!r} ({error})"
        ) from None
    if not command:
        raise MatchError(f"{option}: expected cmd=PROGRAM, got {' '.join(f'{k}={v}' for k, v in pairs.items())!r}")
    directory = values_by_key.pop("dir", None)
    if directory is not None:
        directory = os.path.abspath(directory)
        if not cluster and not os.path.isdir(directory):
            raise MatchError(
                f"{option}: expected dir=FOLDER, got {directory}, which is no folder; the match does not start"
            )
    if os.sep in command[0]:
        command[0] = os.path.abspath(os.path.join(directory or ".", command[0]))
    name = values_by_key.pop("name", os.path.basename(command[0]))
    require_printable(f"{option}: name", name)
    protocol = values_by_key.pop("protocol", "uci")
    require_choice(option, "protocol", protocol, ("uci", "gomocup", *XIANGQI_PROTOCOLS, "gtp"))
    limit_types = {"tc": str, "st": float, "nodes": int, "depth": int, "timemargin": int, "ponder": bool}
    values = {}
    for key, text in values_by_key.items():
        if key not in limit_types:
            known = f"cmd, name, dir, protocol, option.NAME, {', '.join(limit_types)}"
            raise MatchError(f"{option}: expected {known}, got {key!r}")
        values[{"timemargin": "margin"}.get(key, key)] = parse_value(option, key, text, limit_types[key])
    is_positive = all(0 < values.get(key, 1) < math.inf for key in ("st", "nodes", "depth"))
    if not is_positive or not 0 <= values.get("margin", 0) <= LARGEST:
        raise MatchError(
            f"{option} {name}: expected positive limits and a timemargin of at least 0, "
            f"got {' '.join(values_by_key.values())}"
        )
    engine = Engine(name, tuple(command), directory, protocol, options, **values)
    if protocol == "gomocup":
        require_gomocup_limits(engine)
    elif protocol == "gtp":
        return with_gtp_limits(engine)
    elif engine.tc and engine.st:
        raise MatchError(f"{option} {name}: expected tc or st, got both")
    elif protocol == "ucci" and len(values.keys() & {"tc", "st", "nodes", "depth"}) > 1:
        raise MatchError(f"{option} {name}: expected one of tc, st, nodes and depth with protocol=ucci, got several")
    if engine.time_control is None and not (engine.st or engine.nodes or engine.depth):
        raise MatchError(f"{option} {name}: expected tc, st, nodes or depth, got no limit")
    return engine


def with_gtp_limits(engine):
    """Returns an engine of GTP with its limit as the protocol has it. Raises MatchError."""
    option, control = f"--engine {engine.name}", engine.time_control
    if engine.depth or sum(map(bool, (engine.tc, engine.st, engine.nodes))) > 1:
        raise MatchError(f"{option}: expected one of tc, st and nodes, or none, with protocol=gtp, got others")
    if control and control.increment:
        raise MatchError(
            f"{option}: expected tc=[MOVES/][MINUTES:]SECONDS without an increment with protocol=gtp, got {engine.tc}"
        )
    return dataclasses.replace(engine, options={"visits": engine.nodes} | engine.options) if engine.nodes else engine


def require_gomocup_limits(engine):
    """Raises MatchError if the Gomocup protocol cannot express the limits of `engine`."""
    for key in ("nodes", "depth"):
        if value := getattr(engine, key):
            raise MatchError(f"--engine {engine.name}: protocol=gomocup has tc and st only, got {key}={value}")
    control = engine.time_control
    if control is None and engine.st is None:
        raise MatchError(f"--engine {engine.name}: expected tc or st with protocol=gomocup, got no limit")
    if control and control.moves:
        raise MatchError(
            f"--engine {engine.name}: expected tc=[MINUTES:]SECONDS[+INCREMENT] with protocol=gomocup, got {engine.tc}"
        )
