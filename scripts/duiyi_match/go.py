"""The rules of Go, for the referee: stones in a dictionary, chains and areas found by flood fill."""

import functools
import re

from .position import RESULT_OF_WINNER, Position

FILES = "abcdefghjklmnopqrst"
"""The letters of the files: there is no i."""
PASS = "pass"
POSITION = re.compile(r"([\dPp/]+) ([bw])(?: (-|[a-t]\d+)(?: ([012])(?: (-?\d+(?:\.[05])?)(?: (\d+))?)?)?)?")
"""Ranks, side, ko, passes, komi, number; the last four may be left out from the end on."""


class Go(Position):
    """Area scoring, positional superko, no suicide; two passes end the game. Black moves first: the side `chess.WHITE`."""

    variant, score_unit, sizes, komi = "go", 10, range(2, 20), 7.0
    start_text = "9/9/9/9/9/9/9/9/9 b - 0 7 1"

    def __init__(self, size, stones, turn, ko=None, passes=0, komi=0.0, number=1, earlier=frozenset(), previous=None):
        """`stones` has the side of each stone by its point (file, rank), from 0. `earlier` has the stones of all positions
        since the root of the game, this one included."""
        self.size, self.stones, self.turn, self.ko, self.passes, self.komi = size, stones, turn, ko, passes, komi
        self.number, self.previous = number, previous
        self.earlier = earlier | {self._all_stones(stones)}

    @classmethod
    def empty_board(cls, size=None, komi=None):
        """Returns the start of a game; None for the size and the komi of the start position."""
        start = cls.parse(cls.start_text)
        return cls(size or start.size, {}, True, komi=start.komi if komi is None else komi)

    @staticmethod
    def _all_stones(stones):
        return frozenset(stones.items())

    @classmethod
    def parse(cls, text):
        found = POSITION.fullmatch(" ".join(text.split()))
        if found is None:
            raise ValueError(f"expected ranks of P, p and numbers, b or w, ko, passes, komi and number, got {text!r}")
        board, side, ko, passes, komi, number = found.groups()
        ranks = board.split("/")
        size = len(ranks)
        if size not in cls.sizes:
            raise ValueError(f"expected {cls.sizes[0]} to {cls.sizes[-1]} ranks, got {size}")
        stones = {}
        for rank, line in zip(reversed(range(size)), ranks):
            cells = [
                c for token in re.findall(r"\d+|[Pp]", line) for c in ("." * int(token) if token.isdigit() else token)
            ]
            if len(cells) != size:
                raise ValueError(f"expected {size} points in a rank, got {line!r}")
            stones |= {(file, rank): cell == "P" for file, cell in enumerate(cells) if cell != "."}
        point = None if ko in (None, "-") else point_of(ko)
        komi = cls.komi if komi is None else float(komi)
        position = cls(size, stones, side == "b", point, int(passes or 0), komi, int(number or 1))
        if any(not position._liberties(position._chain(point, stones), stones) for point in stones):
            raise ValueError(f"expected a liberty for every chain, got {board!r}")
        return position

    def text(self):
        ranks = []
        for rank in reversed(range(self.size)):
            line = "".join({None: ".", True: "P", False: "p"}[self.stones.get((f, rank))] for f in range(self.size))
            ranks.append(re.sub(r"\.+", lambda free: str(len(free[0])), line))
        ko = point_text(self.ko) if self.ko else "-"
        return f"{'/'.join(ranks)} {'b' if self.turn else 'w'} {ko} {self.passes} {self.komi:g} {self.number}"

    def _neighbours(self, point):
        file, rank = point
        around = ((file + 1, rank), (file - 1, rank), (file, rank + 1), (file, rank - 1))
        return [(f, r) for f, r in around if 0 <= f < self.size and 0 <= r < self.size]

    def _chain(self, point, stones):
        """Returns all points that are joined to `point` by points with the same content."""
        chain, todo = {point}, [point]
        while todo:
            for neighbour in self._neighbours(todo.pop()):
                if neighbour not in chain and stones.get(neighbour) == stones.get(point):
                    chain.add(neighbour)
                    todo.append(neighbour)
        return chain

    def _liberties(self, chain, stones):
        return {neighbour for point in chain for neighbour in self._neighbours(point) if neighbour not in stones}

    def _after(self, point):
        """Returns the stones after a stone of the side to move on `point`, and the captured points."""
        stones = {**self.stones, point: self.turn}
        captured = set()
        for neighbour in self._neighbours(point):
            if stones.get(neighbour) == (not self.turn) and neighbour not in captured:
                chain = self._chain(neighbour, stones)
                if not self._liberties(chain, stones):
                    captured |= chain
        return {p: side for p, side in stones.items() if p not in captured}, captured

    def _is_repetition(self, stones):
        """Whether a move may not lead to these stones, by positional superko."""
        return self._all_stones(stones) in self.earlier

    def _is_legal(self, point):
        if point in self.stones or point == self.ko:
            return False
        stones, _ = self._after(point)
        return bool(self._liberties(self._chain(point, stones), stones)) and not self._is_repetition(stones)

    @functools.cached_property
    def ending(self):
        if self.passes < 2:
            return None
        points = self.area_difference() - self.komi
        winner = None if points == 0 else points > 0
        name = {True: "Black", False: "White", None: "draw"}[winner]
        return RESULT_OF_WINNER[winner], "two passes", name if winner is None else f"{name} by {abs(points):g}"

    def area_difference(self):
        """Returns Black's points minus White's: stones, and free points that reach stones of one side only."""
        difference, seen = sum(1 if side else -1 for side in self.stones.values()), set()
        for point in ((file, rank) for file in range(self.size) for rank in range(self.size)):
            if point not in self.stones and point not in seen:
                region = self._chain(point, self.stones)
                seen |= region
                owners = {self.stones[n] for p in region for n in self._neighbours(p) if n in self.stones}
                if len(owners) == 1:
                    difference += len(region) if owners == {True} else -len(region)
        return difference

    @functools.cached_property
    def legal(self):
        if self.passes == 2:
            return []
        points = ((file, rank) for rank in range(self.size) for file in range(self.size))
        return [PASS, *(point_text(point) for point in points if self._is_legal(point))]

    def moves(self):
        return self.legal

    def opening_moves(self):
        """Leaves out the pass."""
        return self.moves()[1:] or self.moves()

    def play(self, move):
        number = self.number + (not self.turn)
        if move == PASS:
            stones, ko, passes = self.stones, None, self.passes + 1
        else:
            point, passes, ko = point_of(move), 0, None
            stones, captured = self._after(point)
            chain = self._chain(point, stones)
            if len(captured) == len(chain) == len(self._liberties(chain, stones)) == 1:
                (ko,) = captured
        return type(self)(self.size, stones, not self.turn, ko, passes, self.komi, number, self.earlier, self)


class SmallGo(Go):
    """Boards up to 7x7 without superko, for proofs: a position that occurs again ends the game."""

    variant, score_unit, sizes, komi = "smallgo", 2, range(2, 8), 0.0
    start_text = "4/4/4/4 b - 0 0 1"

    def _is_repetition(self, stones):
        return False

    @functools.cached_property
    def ending(self):
        state, lost, position = self._state(), 0, self
        while position.previous:
            before = position.previous
            counts = [list(p.stones.values()).count(not before.turn) for p in (before, position)]
            lost += (counts[0] - counts[1]) * (1 if before.turn else -1)
            position = before
            if position._state() == state:
                winner = None if lost == 0 else lost > 0
                return RESULT_OF_WINNER[winner], "repetition"
        return super().ending

    def _state(self):
        return self.stones, self.turn, self.ko, self.passes


def point_text(point):
    return f"{FILES[point[0]]}{point[1] + 1}"


def point_of(text):
    """Returns the point (file, rank), from 0, of a move like d4."""
    return FILES.index(text[0]), int(text[1:]) - 1
