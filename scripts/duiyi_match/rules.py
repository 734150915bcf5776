"""The rules of games other than chess, for the referee.

They follow the rules of the games, not the engine's code, so that each match also tests the engine's rules. A position never
changes: `play` returns the next one. Positions and moves are texts as in UCI. To add a game, add a subclass of `Position` to
`GAMES`. Go is in `go.py`.
"""

import functools
import itertools
import re
from string import ascii_lowercase, ascii_uppercase

import chess
from renju.check_forbid import get_foul_type

from .go import Go, SmallGo
from .position import RESULT_OF_WINNER, Position


class StonePosition(Position):
    """A game of dropping stones on the squares of a board. A row of `length` stones of one side wins."""

    width = height = length = 0
    exactly = ()
    """The sides for which a longer row does not win."""
    gravity = False
    """Whether a stone falls to the lowest free square of its file."""
    centre = None
    """Random openings use the squares that are at most this far from the centre of the board; None: all squares."""

    def __init_subclass__(cls):
        cls.squares = [(file, rank) for rank in range(cls.height) for file in range(cls.width)]
        cls.start_text = cls({}, chess.WHITE).text()

    def __init__(self, stones, turn):
        """`stones` has the side of each stone by its square (file, rank), from 0, in the order of play as far as known."""
        self.stones, self.turn = stones, turn

    @classmethod
    def parse(cls, text):
        found = re.fullmatch(r"([\dPp/]+)(?:\[[Pp]*\])? ([wb])(?: (?:-|\d+)){0,4}", " ".join(text.split()))
        if found is None:
            raise ValueError(f"expected ranks of P, p and numbers of free squares, then w or b, got {text!r}")
        board, side = found.groups()
        ranks = board.split("/")
        if len(ranks) != cls.height:
            raise ValueError(f"expected {cls.height} ranks, got {len(ranks)}")
        stones = {}
        for rank, line in zip(reversed(range(cls.height)), ranks):
            file = 0
            for token in re.findall(r"\d+|[Pp]", line):
                if token.isdigit():
                    file += int(token)
                else:
                    stones[file, rank] = token == "P"
                    file += 1
            if file != cls.width:
                raise ValueError(f"expected {cls.width} squares in a rank, got {line!r}")
        if cls.gravity and any(rank and (file, rank - 1) not in stones for file, rank in stones):
            raise ValueError(f"expected no free square below a stone, got {board!r}")
        return cls(stones, side == "w")

    def text(self):
        ranks = []
        for rank in reversed(range(self.height)):
            line = "".join({None: ".", True: "P", False: "p"}[self.stones.get((f, rank))] for f in range(self.width))
            ranks.append(re.sub(r"\.+", lambda free: str(len(free[0])), line))
        white = sum(self.stones.values())
        squares, black = self.width * self.height, len(self.stones) - white
        pocket = "P" * ((squares + 1) // 2 - white) + "p" * (squares // 2 - black)
        return f"{'/'.join(ranks)}[{pocket}] {'w' if self.turn else 'b'} - - 0 {1 + len(self.stones) // 2}"

    @functools.cached_property
    def ending(self):
        for side in (not self.turn, self.turn):
            if self._has_row(side):
                return RESULT_OF_WINNER[side], f"{ {3: 'three', 4: 'four', 5: 'five'}[self.length] } in a row"
        return (RESULT_OF_WINNER[None], "board full") if len(self.stones) == len(self.squares) else None

    def _has_row(self, side):
        own = {square for square, owner in self.stones.items() if owner == side}
        for file, rank in own:
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if (file - right, rank - up) in own:
                    continue  # not the first stone of its row
                length = 1
                while (file + length * right, rank + length * up) in own:
                    length += 1
                if length == self.length or (length > self.length and side not in self.exactly):
                    return True
        return False

    def free_squares(self):
        """Returns the squares on which a stone can be dropped; none if the game is over."""
        if self.ending:
            return []
        free = [square for square in self.squares if square not in self.stones]
        return [s for s in free if s[1] == 0 or (s[0], s[1] - 1) in self.stones] if self.gravity else free

    def moves(self):
        return [move_to(square) for square in self.free_squares()]

    def opening_moves(self):
        near = [square for square in self.free_squares() if self._is_central(square)]
        return [move_to(square) for square in near] or self.moves()

    def _is_central(self, square):
        middle = (self.width // 2, self.height // 2)
        return self.centre is None or all(abs(at - to) <= self.centre for at, to in zip(square, middle))

    def parse_move(self, text):
        found = re.fullmatch(r"(?:p@)?([a-z])(\d{1,2})", text.lower())
        square = found and (ascii_lowercase.index(found[1]), int(found[2]) - 1)
        if square not in self.squares:
            raise ValueError(f"expected a square like {move_to(self.squares[0])}")
        if self.ending:
            raise ValueError(f"the game is over: {self.ending[1]}")
        if square in self.stones:
            raise ValueError("the square is not free")
        if square not in self.free_squares():
            raise ValueError("the square below is free")
        return move_to(square)

    def play(self, move):
        return type(self)({**self.stones, square_of(move): self.turn}, not self.turn)


def move_to(square):
    """Returns the move that drops a stone on a square."""
    return f"P@{square_text(square)}"


def square_of(move):
    """Returns the square (file, rank), from 0, of a move like P@h8."""
    return square_of_text(move[2:])


class TicTacToe(StonePosition):
    variant, width, height, length, opening_plies = "tictactoe", 3, 3, 3, 2


class TicTacToe4(StonePosition):
    variant, width, height, length = "tictactoe4", 4, 4, 4


class ConnectFour(StonePosition):
    variant, width, height, length, gravity = "cfour", 7, 6, 4, True


class FreestyleGomoku(StonePosition):
    variant, width, height, length, centre, gomocup_rule = "gomokufreestyle", 15, 15, 5, 3, 0


class Gomoku(StonePosition):
    variant, width, height, length, exactly, centre, gomocup_rule = "gomoku", 15, 15, 5, (True, False), 3, 1


class FreestyleGomoku20(StonePosition):
    variant, width, height, length, centre, gomocup_rule = "gomokufreestyle20", 20, 20, 5, 3, 0


class Gomoku20(StonePosition):
    variant, width, height, length, exactly, centre, gomocup_rule = "gomoku20", 20, 20, 5, (True, False), 3, 1


class Renju(StonePosition):
    """The first player loses by an overline, two fours or two open threes."""

    variant, width, height, length, exactly, centre, gomocup_rule = "renju", 15, 15, 5, (True,), 3, 4
    is_forbidden = False
    """Whether the last move was forbidden. Not known of a position read from text."""

    @functools.cached_property
    def ending(self):
        return (RESULT_OF_WINNER[False], "forbidden move") if self.is_forbidden else super().ending

    def play(self, move):
        after = super().play(move)
        if self.turn:
            board = [[STONE_NUMBERS[self.stones.get((f, r))] for r in range(self.height)] for f in range(self.width)]
            after.is_forbidden = get_foul_type(board, *square_of(move)) != 0
        return after


STONE_NUMBERS = {None: 0, True: 1, False: 2}
"""The contents of a cell as the library `renju` numbers them."""


ROWS = ((1,), (2, 3), (4, 5, 6), (7, 8, 9, 10))
"""The points of Triangle War."""
UPWARD = [(ROWS[r][i], ROWS[r + 1][i], ROWS[r + 1][i + 1]) for r in range(3) for i in range(r + 1)]
DOWNWARD = [(ROWS[r][i], ROWS[r][i + 1], ROWS[r + 1][i + 1]) for r in range(1, 3) for i in range(r)]
TRIANGLES = UPWARD + DOWNWARD
"""The corners of the triangles, in the order of their owners in a position: flat side below, then flat side above."""
LINES = [line for a, b, c in UPWARD for line in ((a, b), (a, c), (b, c))]


class TriangleWar(Position):
    """Dots and boxes on a triangle of ten points in four rows: <http://poj.org/problem?id=1085>. A (White) moves first."""

    variant, start_text = "trianglewar", "- ......... A"

    def __init__(self, lines, owners, turn):
        """`lines` is the set of drawn lines (point, point); `owners` has the side of each closed triangle by its index."""
        self.lines, self.owners, self.turn = lines, owners, turn

    @classmethod
    def parse(cls, text):
        found = re.fullmatch(r"(-|\d+-\d+(?:,\d+-\d+)*) ([AB.]{9}) ([AB])", " ".join(text.split()))
        if found is None:
            raise ValueError(f"expected lines like 1-2,1-3, nine of A, B and ., then A or B, got {text!r}")
        drawn, owners, side = found.groups()
        lines = [tuple(sorted(map(int, line.split("-")))) for line in drawn.split(",") if line != "-"]
        if unknown := [line for line in lines if line not in LINES]:
            raise ValueError(f"expected lines between neighbouring points, got {'-'.join(map(str, unknown[0]))}")
        if len(set(lines)) < len(lines):
            raise ValueError(f"expected each line once, got {drawn}")
        position = cls(frozenset(lines), {i: o == "A" for i, o in enumerate(owners) if o != "."}, side == "A")
        if closed := position._closed() ^ position.owners.keys():
            raise ValueError(f"expected owners of the closed triangles only, got {owners}, wrong at {min(closed) + 1}")
        return position

    def text(self):
        lines = ",".join(f"{a}-{b}" for a, b in LINES if (a, b) in self.lines)
        owners = "".join({None: ".", True: "A", False: "B"}[self.owners.get(i)] for i in range(len(TRIANGLES)))
        return f"{lines or '-'} {owners} {'A' if self.turn else 'B'}"

    def _closed(self):
        """Returns the indices of the triangles whose three lines are drawn."""
        return {i for i, (a, b, c) in enumerate(TRIANGLES) if {(a, b), (a, c), (b, c)} <= self.lines}

    @functools.cached_property
    def ending(self):
        if len(self.lines) < len(LINES):
            return None
        white = sum(self.owners.values())
        black = len(self.owners) - white
        return RESULT_OF_WINNER[white > black], "all lines drawn", f"{white} to {black} triangles"

    def moves(self):
        return [f"{a}-{b}" for a, b in LINES if (a, b) not in self.lines]

    def parse_move(self, text):
        """Accepts the points of a line in both orders."""
        points = text.split("-")
        return super().parse_move("-".join(sorted(points, key=int)) if all(map(str.isdigit, points)) else text)

    def play(self, move):
        lines = self.lines | {tuple(map(int, move.split("-")))}
        closed = type(self)(lines, {}, self.turn)._closed() - self.owners.keys()
        owners = self.owners | dict.fromkeys(closed, self.turn)
        return type(self)(lines, owners, self.turn if closed else not self.turn)


SIDEWAYS = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
HORSE_JUMPS = [((x, y), (2 * x + side * y, 2 * y + side * x)) for x, y in SIDEWAYS for side in (1, -1)]
"""The jumps of a horse: the square that must be free, and the target."""
WORTH_MORE = {"n": "r", "c": "r", "a": "rcn", "b": "rcn"}
"""Pieces whose capture by this piece gains even if they are protected, for the rule of perpetual chase in xiangqi."""


class Xiangqi(Position):
    """Chinese chess. Red (White) moves first. A position that occurs for the third time is a draw, or a loss of the side that has
    given check with every move in between, or else has chased the same piece with every move. 60 moves of each side without a
    capture are a draw; every ply counts."""

    variant, score_unit, max_plies_without_capture = "xiangqi", 100, 120
    start_text = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"

    def __init__(self, pieces, turn, clock=0, number=1, previous=None):
        """`pieces` has the letter of each piece by its square (file, rank), from 0; `previous` is the position before."""
        self.pieces, self.turn, self.clock, self.number, self.previous = pieces, turn, clock, number, previous

    @classmethod
    def parse(cls, text):
        fields = text.split()
        ranks = fields[0].split("/") if fields else []
        if len(ranks) != 10 or len(fields) < 2 or fields[1] not in ("w", "r", "b"):
            raise ValueError(f"expected 10 ranks, then w or b, got {text!r}")
        pieces = {}
        for rank, line in zip(reversed(range(10)), ranks):
            file = 0
            for letter in line:
                if letter in "123456789":
                    file += int(letter)
                elif letter in "KABENHRCPkabenhrcp":
                    pieces[file, rank] = letter.translate(str.maketrans("EHeh", "BNbn"))
                    file += 1
                else:
                    raise ValueError(f"expected pieces KABNRCP or kabnrcp, got {letter!r}")
            if file != 9:
                raise ValueError(f"expected 9 squares in a rank, got {line!r}")
        if sorted(letter for letter in pieces.values() if letter in "Kk") != ["K", "k"]:
            raise ValueError(f"expected one king of each side, got {fields[0]!r}")
        clock, number = (int(field) for field in (*fields[4:6], "0", "1")[:2]) if len(fields) == 6 else (0, 1)
        return cls(pieces, fields[1] != "b", clock, number)

    def text(self):
        ranks = []
        for rank in reversed(range(10)):
            line = "".join(self.pieces.get((file, rank), ".") for file in range(9))
            ranks.append(re.sub(r"\.+", lambda free: str(len(free[0])), line))
        return f"{'/'.join(ranks)} {'w' if self.turn else 'b'} - - {self.clock} {self.number}"

    @functools.cached_property
    def ending(self):
        if not self._legal_moves:
            return RESULT_OF_WINNER[not self.turn], "checkmate" if self.in_check else "stalemate"
        if repetition := self._repetition():
            return repetition
        return (RESULT_OF_WINNER[None], "60-move rule") if self.clock >= self.max_plies_without_capture else None

    def _repetition(self):
        """Returns the ending by a third occurrence; None without one. A capture cannot be taken back."""
        occurrences, position, reached = 1, self, []
        while position.clock and position.previous:
            reached.append(position)
            position = position.previous
            if position.turn == self.turn and position.pieces == self.pieces:
                occurrences += 1
                if occurrences == 3:
                    break
        else:
            return None
        for reason, is_victim in (("perpetual check", _is_always_checked), ("perpetual chase", _is_always_chased)):
            white, black = is_victim(reached, True), is_victim(reached, False)
            if white != black:
                return RESULT_OF_WINNER[white], reason
            if white:
                break
        return RESULT_OF_WINNER[None], "repetition"

    def chased(self):
        """Returns the squares of the pieces that the last move chases: it threatens them, and the same piece did not before."""
        start, target = self.last_move()
        before, now = self.previous._threats(), self._passed()._threats()
        return {victim for piece, victim in now if (start if piece == target else piece, victim) not in before}

    def last_move(self):
        """Returns the start and the target of the last move."""
        start = next(square for square in self.previous.pieces if square not in self.pieces)
        letter = self.previous.pieces[start]
        return start, next(sq for sq in self.pieces if self.pieces[sq] == letter != self.previous.pieces.get(sq))

    def _passed(self):
        return type(self)(self.pieces, not self.turn)

    def _threats(self):
        """Returns (start, target) of the captures with gain: the captured piece is unprotected or worth more.

        Kings and pawns do not threaten. Kings and pawns on their side of the river are not threatened. Two pieces of a kind that
        attack each other do not threaten each other.
        """
        threats = set()
        for start, target in self._legal_steps:
            piece, victim = self.pieces[start].lower(), self.pieces.get(target, "k").lower()
            if piece in "kp" or victim == "k" or (victim == "p" and not self._is_home(target[1])):
                continue
            is_mutual = piece == victim and (target, start) in self._passed()._legal_steps
            is_unprotected = not any(to == target for _, to in self._after(start, target)._legal_steps)
            if victim in WORTH_MORE.get(piece, "") or (is_unprotected and not is_mutual):
                threats.add((start, target))
        return threats

    def moves(self):
        return [] if self.ending else self._legal_moves

    @functools.cached_property
    def _legal_moves(self):
        return [square_text(start) + square_text(target) for start, target in self._legal_steps]

    @functools.cached_property
    def _legal_steps(self):
        """The legal moves as (start, target)."""
        steps = self._moves_without_check()
        return [step for step in steps if not _is_attacked(self._after(*step).pieces, self.turn)]

    @functools.cached_property
    def in_check(self):
        """Whether the king of the side to move is attacked."""
        return _is_attacked(self.pieces, self.turn)

    def _moves_without_check(self):
        """Yields all moves (start, target), also those that leave the king attacked."""
        for (file, rank), letter in self.pieces.items():
            if letter.isupper() != self.turn:
                continue
            for target in getattr(self, f"_{letter.lower()}")(file, rank):
                on_board = 0 <= target[0] < 9 and 0 <= target[1] < 10
                if on_board and (target not in self.pieces or self.pieces[target].isupper() != self.turn):
                    yield (file, rank), target

    def _is_home(self, rank):
        """Whether a rank is on the own side of the river."""
        return rank < 5 if self.turn else rank >= 5

    def _in_palace(self, squares):
        ranks = range(3) if self.turn else range(7, 10)
        return [(file, rank) for file, rank in squares if 3 <= file <= 5 and rank in ranks]

    def _k(self, file, rank):
        return self._in_palace((file + x, rank + y) for x, y in SIDEWAYS)

    def _a(self, file, rank):
        return self._in_palace((file + x, rank + y) for x, y in DIAGONAL)

    def _b(self, file, rank):
        free = [(x, y) for x, y in DIAGONAL if (file + x, rank + y) not in self.pieces]
        return [(file + 2 * x, rank + 2 * y) for x, y in free if self._is_home(rank + 2 * y)]

    def _n(self, file, rank):
        return [(file + x, rank + y) for (i, j), (x, y) in HORSE_JUMPS if (file + i, rank + j) not in self.pieces]

    def _p(self, file, rank):
        forward = [(file, rank + (1 if self.turn else -1))]
        return forward if self._is_home(rank) else [*forward, (file - 1, rank), (file + 1, rank)]

    def _r(self, file, rank):
        for direction in SIDEWAYS:
            free, first, _ = _look(self.pieces, (file, rank), direction)
            yield from free
            if first:
                yield first

    def _c(self, file, rank):
        for direction in SIDEWAYS:
            free, _, second = _look(self.pieces, (file, rank), direction)
            yield from free
            if second:
                yield second

    def play(self, move):
        return self._after(*(square_of_text(text) for text in re.findall(r"[a-i]\d+", move)))

    def _after(self, start, target):
        pieces = {**self.pieces, target: self.pieces[start]}
        del pieces[start]
        clock = 0 if target in self.pieces else self.clock + 1
        return type(self)(pieces, not self.turn, clock, self.number + (not self.turn), self)


def _is_always_checked(positions, side):
    """Returns whether `side` was in check after each of the opponent's moves that led to these positions, newest first."""
    return all(position.in_check for position in positions if position.turn == side)


def _is_always_chased(positions, side):
    """Returns whether each of the opponent's moves that led to these positions, newest first, chased the same piece of `side`."""
    chased = None
    for position in positions:
        if position.turn == side:
            chased = position.chased() if chased is None else chased & position.chased()
        elif chased is not None:
            start, target = position.last_move()
            chased = {start if square == target else square for square in chased}
        if not chased and chased is not None:
            return False
    return True


def _look(pieces, square, direction):
    """Returns the free squares in a direction and the first two pieces' squares, None where there is none."""
    free, found = [], []
    while len(found) < 2:
        square = (square[0] + direction[0], square[1] + direction[1])
        if not (0 <= square[0] < 9 and 0 <= square[1] < 10):
            break
        if square in pieces:
            found.append(square)
        elif not found:
            free.append(square)
    return free, *(*found, None, None)[:2]


def _is_attacked(pieces, side):
    """Returns whether a piece, or the other king on an open file, attacks the king of `side`."""
    file, rank = next(square for square, letter in pieces.items() if letter == ("K" if side else "k"))

    def is_enemy(square, kind):
        return pieces.get(square) == (kind.lower() if side else kind)

    for x, y in SIDEWAYS:
        _, first, second = _look(pieces, (file, rank), (x, y))
        if is_enemy(first, "R") or is_enemy(second, "C") or (x == 0 and is_enemy(first, "K")):
            return True
    if any(
        is_enemy(square, "P") for square in ((file - 1, rank), (file + 1, rank), (file, rank + (1 if side else -1)))
    ):
        return True
    for x, y in DIAGONAL:  # the square that blocks a horse is next to the horse, so diagonal to the king
        horses = ((file + 2 * x, rank + y), (file + x, rank + 2 * y))
        if (file + x, rank + y) not in pieces and any(is_enemy(square, "N") for square in horses):
            return True
    return False


def square_text(square):
    """Returns the name of a square (file, rank), from 0."""
    return f"{ascii_lowercase[square[0]]}{square[1] + 1}"


def square_of_text(text):
    """Returns the square (file, rank), from 0, of its name."""
    return ascii_lowercase.index(text[0]), int(text[1:]) - 1


NUMBER = "[-+]?[0-9]+"


class GameTree(Position):
    """A tree as text: `NAME=PAYOFF` is a leaf and `NAME(CHILD CHILD ...)` an inner node, which may have an estimate
    (`NAME=ESTIMATE(...)`). Both may have no name. MAX (White) and MIN take turns."""

    variant, start_text = "gametree", "MAX A(B(E=3 F=12) C(G=8 H=2) D(I=4 J=6))"
    opening_plies = 0

    def __init__(self, name, children, number, turn):
        """`children` are (name, children, number) of the nodes below. The number is a payoff or an estimate, or None."""
        self.name, self.children, self.number, self.turn = name, children, number, turn
        self.payoff = None if children else number

    @classmethod
    def parse(cls, text):
        tokens = re.findall(r"\s+\(|[()=]|[^\s()=]+", text.strip(), re.ASCII)  # " (" is another token than "("
        named_side = re.match(r"\s*(max|min)\s+(?![\s=])", text, re.IGNORECASE | re.ASCII)
        turn = not (named_side and tokens.pop(0).upper() == "MIN")
        inner_names = itertools.chain(ascii_uppercase, (f"N{number}" for number in itertools.count(27)))

        def take(expected):
            if not tokens or not re.fullmatch(expected, tokens[0].strip()):
                raise ValueError(f"expected a tree like {cls.start_text!r}, got {text!r}, wrong before {tokens[:3]}")
            return tokens.pop(0).strip()

        def is_next(token):
            return bool(tokens) and tokens[0].strip() == token

        def node(parent=None, place=1):
            if parent and re.fullmatch(NUMBER, "".join(tokens[:1])) and tokens[1:2] not in (["("], ["="]):
                return f"{parent.lower()}{place}", [], int(tokens.pop(0))
            name, children, number = None if is_next("(") else take(r"[^()=]+"), [], None
            follows = take("[(=]")
            if follows == "=":
                number = int(take(NUMBER))
                follows = take(r"\(") if is_next("(") else None
            if follows:
                letter = next(inner_names)
                name = name or letter
                children.append(node(name))
                while not is_next(")"):
                    children.append(node(name, len(children) + 1))
                take(r"\)")
                names = [re.sub("[A-Z]+", lambda letters: letters[0].lower(), child[0]) for child in children]
                if len(set(names)) < len(names):
                    raise ValueError(f"expected children of different names, got {' '.join(names)} in {text!r}")
            return name, children, number

        root = node()
        if tokens:
            raise ValueError(f"expected one tree, got {' '.join(tokens[:3])!r} after it")
        return cls(*root, turn)

    def text(self):
        def node(name, children, number):
            text = name if number is None else f"{name}={number}"
            return f"{text}({' '.join(node(*child) for child in children)})" if children else text

        return f"{'MAX' if self.turn else 'MIN'} {node(self.name, self.children, self.number)}"

    @functools.cached_property
    def ending(self):
        if self.payoff is None:
            return None
        return RESULT_OF_WINNER[self.payoff > 0 if self.payoff else None], "leaf", f"{self.name}={self.payoff}"

    def moves(self):
        return [name for name, _, _ in self.children]

    def play(self, move):
        (child,) = (child for child in self.children if child[0] == move)
        return type(self)(*child, not self.turn)


GAMES = {
    game.variant: game
    for game in (
        TicTacToe,
        TicTacToe4,
        ConnectFour,
        FreestyleGomoku,
        Gomoku,
        FreestyleGomoku20,
        Gomoku20,
        Renju,
        TriangleWar,
        Xiangqi,
        Go,
        SmallGo,
        GameTree,
    )
}
"""The games whose rules are here, by their value of `UCI_Variant`."""
