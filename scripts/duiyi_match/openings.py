"""Openings: lines of a file, games of a PGN file, an engine's `genfens`, random moves, or start positions.

A line is a position (in chess EPD or FEN) or `startpos`; the word `moves` and moves can follow.
"""

import codecs
import dataclasses
import hashlib
import io
import random
import re
import subprocess
from dataclasses import dataclass

import chess
import chess.pgn

from .boards import has_rules, is_chess, new_board
from .errors import MatchError
from .files import read_file
from .referee import ending
from .rules import GAMES

PGN_TAG = re.compile(rb'\[\w+ "')

RANDOM_PLIES = 8
"""Random moves of a chess opening if there is no book and no engine has `genfens`."""

GENFENS_COUNT = 50
"""Openings of one call of `genfens`. It must not change: a resumed match asks for the same openings."""

GENFENS_PREFIX = "info string genfens "

GENFENS_TIMEOUT = 20
"""Seconds for one call of `genfens`. An engine that does not know the command may ignore it."""

RANDOM_ATTEMPTS = 1000
"""Number of tries for a random opening after which the game goes on."""


@dataclass(frozen=True)
class Opening:
    """A position as text (None: the start position of the variant), and UCI moves from there."""

    fen: object = None
    moves: tuple = ()
    source: str = "start"


class Openings:
    """The openings of a match. `openings[n]` is opening number n, from 0, in the configured order; the book repeats."""

    def __init__(self, book, variant, seed, random_plies=None, engine=None, start=None):
        """`engine` makes the openings by `genfens` if there is neither a book nor `random_plies`. Random moves begin at `start`,
        or at the start position."""
        self.book, self.variant, self.seed, self.random_plies = book, variant, seed, random_plies
        self.start = start
        self.engine, self.generated = engine, {}
        if book is None:
            return
        try:
            data = read_file(book.file)
        except OSError as error:
            raise MatchError(
                f"--openings: expected a file, got {book.file!r} ({error.strerror}); the match does not start"
            ) from None
        digest = hashlib.sha256(data).hexdigest()
        if book.digest not in (None, digest):
            raise MatchError(
                f"--openings: expected {book.file} unchanged since the match started, found different content; "
                "the match does not resume"
            )
        self.book = dataclasses.replace(book, digest=digest)
        data = data.removeprefix(codecs.BOM_UTF8)
        self.pgn = book.file.lower().endswith(".pgn")
        self.entries = (
            split_games(data)
            if self.pgn
            else [(n, line) for n, line in enumerate(data.splitlines(), 1) if line.strip()]
        )
        if not self.entries:
            raise MatchError(f"--openings: expected openings in {book.file!r}, found none; the match does not start")
        if book.order == "random":
            random.Random(seed).shuffle(self.entries)

    def __getitem__(self, index):
        """Returns opening number `index`. Raises MatchError if the entry of the file is not a valid opening."""
        if self.book is None and self.engine and not self.random_plies:
            return self._generated_opening(index)
        if self.book is None:
            return self._opening_without_file(random.Random(f"{self.seed}/{index}"))
        line, text = self.entries[(self.book.start - 1 + index) % len(self.entries)]
        text = text.decode("utf-8", "replace").strip()
        source = f"{self.book.file}:{line}"
        return self._parse_game(text, source) if self.pgn else self._parse_line(text, source)

    def _generated_opening(self, index):
        block, number = divmod(index, GENFENS_COUNT)
        seed = random.Random(f"{self.seed}/genfens {block}").getrandbits(32)
        if block not in self.generated:
            self.generated[block] = generated_openings(self.engine, self.variant, GENFENS_COUNT, seed)
        source = f"{self.engine.name}: genfens {GENFENS_COUNT} seed {seed}, opening {number + 1}"
        try:
            return Opening(self._parse_position(self.generated[block][number], source), source=source)
        except IndexError:
            raise MatchError(
                f"{source}: expected {GENFENS_COUNT} openings, got {len(self.generated[block])}; the match stops"
            ) from None

    def _opening_without_file(self, rng):
        fen, source = self.start, "start"
        if self.variant == "chess960":
            number = rng.randrange(960)
            fen, source = chess.Board.from_chess960_pos(number).fen(shredder=True), f"Chess960 position {number}"
        if not self.random_plies:
            return Opening(fen, source=source)
        return Opening(fen, random_moves(self.variant, fen, self.random_plies, rng), f"{source}, random moves")

    def _parse_line(self, text, source):
        position, _, moves = (text, "", "") if ";" in text else text.partition(" moves ")
        fen = None if position == "startpos" else self._parse_position(position, source)
        if not moves:
            return Opening(fen, source=source)
        if not has_rules(self.variant):
            raise MatchError(
                f"{source}: expected a position without moves for the variant {self.variant}, got {text!r}"
            )
        board = new_board(self.variant, fen)
        try:
            return Opening(fen, tuple(board.push_uci(move).uci() for move in moves.split()), source)
        except ValueError as error:
            raise MatchError(f"{source}: expected legal moves, got {text[:80]!r} ({error})") from None

    def _parse_position(self, text, source):
        if not has_rules(self.variant):
            return text
        try:
            if self.variant in GAMES:
                return new_board(self.variant, text).fen()
            board = new_board(self.variant)
            if re.search(r"\s\d+\s+\d+\s*$", text) and ";" not in text:
                board.set_fen(text)
            else:
                board.set_epd(text)
        except ValueError as error:
            raise MatchError(f"{source}: expected a position, got {text[:80]!r} ({error})") from None
        return self._require_legal(board, source).fen(shredder=board.chess960)

    def _parse_game(self, text, source):
        if not is_chess(self.variant):
            raise MatchError(f"{source}: expected a file of positions for the variant {self.variant}, got a PGN")
        game = chess.pgn.read_game(io.StringIO(text))
        if game is None or game.errors:
            raise MatchError(f"{source}: expected a game, got {game.errors[0] if game else 'none'}")
        board = game.board()
        if board.uci_variant != new_board(self.variant).uci_variant:
            raise MatchError(f"{source}: expected a game of {self.variant}, got one of {board.uci_variant}")
        self._require_legal(board, source)
        moves = [move.uci() for move in game.mainline_moves()][: self.book.plies]
        standard = board.fen() == type(board).starting_fen and self.variant != "chess960"
        return Opening(None if standard else board.fen(shredder=self.variant == "chess960"), tuple(moves), source)

    @staticmethod
    def _require_legal(board, source):
        if not board.is_valid():
            raise MatchError(f"{source}: expected a legal position, got {board.fen()!r} ({board.status()!r})")
        return board


def with_default_openings(settings):
    """Returns the settings of a new match. Without a book or a number of random moves it gets random openings."""
    variant = settings.variant
    if settings.book or settings.random_openings is not None or variant == "chess960":
        return settings
    if variant in GAMES:
        return dataclasses.replace(settings, random_openings=GAMES[variant].opening_plies)
    for index, engine in enumerate(settings.engines):
        if engine.protocol == "uci" and generated_openings(engine, variant, 1, 1):
            return dataclasses.replace(settings, genfens=index)
    return dataclasses.replace(settings, random_openings=RANDOM_PLIES if is_chess(variant) else 0)


def describe_openings(settings):
    """Returns in a few words where the openings of a match come from."""
    if settings.book:
        return f"{settings.book.file}, {settings.book.order} order"
    if settings.random_openings:
        return f"none, openings of {settings.random_openings} random moves, seed {settings.seed}"
    if settings.genfens is not None:
        return f"none, random openings by genfens of {settings.engines[settings.genfens].name}, seed {settings.seed}"
    if settings.variant == "chess960":
        return f"none, random start positions, seed {settings.seed}"
    return "none, each game begins at the start position"


def generated_openings(engine, variant, count, seed):
    """Returns the positions that an engine's command `genfens` prints, as OpenBench calls it; none without it."""
    words = [f"genfens {count} seed {seed} book None", "quit"]
    if variant == "chess960":
        words.insert(0, "setoption name UCI_Chess960 value true")
    elif variant != "chess":
        words.insert(0, f"setoption name UCI_Variant value {variant}")
    try:
        done = subprocess.run(
            [*engine.command, *words],
            cwd=engine.directory,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=GENFENS_TIMEOUT,
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    return [line.removeprefix(GENFENS_PREFIX).strip() for line in lines if line.startswith(GENFENS_PREFIX)]


def random_moves(variant, fen, plies, rng):
    """Returns `plies` random moves from a position after which the game is not over. Raises MatchError if there are none."""
    for _ in range(RANDOM_ATTEMPTS):
        board = new_board(variant, fen)
        while len(board.move_stack) < plies and not ending(board):
            board.push(rng.choice(board.opening_moves() if variant in GAMES else list(board.legal_moves)))
        if len(board.move_stack) == plies and not ending(board):
            return tuple(move.uci() for move in board.move_stack)
    raise MatchError(f"--random-openings: expected games of {variant} that go on after {plies} moves, found none")


def split_games(data):
    """Returns (line number, text) of each game in a PGN file, without parsing the games.

    A game starts at a tag that follows movetext or the start of the file.
    """
    games, in_tags = [], False
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        is_tag = PGN_TAG.match(line) is not None
        if is_tag and not in_tags:
            games.append((number, []))
        if games:
            games[-1][1].append(line)
        if line.strip():
            in_tags = is_tag
    return [(number, b"".join(lines)) for number, lines in games]
