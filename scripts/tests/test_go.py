"""The rules of Go: single positions, and random games beside the program and beside GNU Go."""

import random
import shutil
import subprocess

import pytest
from rules_program import number_of_games

from duiyi_match.boards import new_board
from duiyi_match.go import PASS, point_text

GNUGO = shutil.which("gnugo") or shutil.which("/usr/games/gnugo")
SIZES = [5] * 60 + [7] * 20 + [9] * 15 + [13] * 4 + [19]
"""The sizes of random games, one for each hundredth of them: a game on a large board takes long."""
TWO_FOR_ONE = "4/4/PPp1/1p1p w - 0 0 1"
"""White gives two stones and takes one back: the stones are as before."""


def position(variant, size):
    return f"{'/'.join([str(size)] * size)} b - 0 {7 if variant == 'go' else 0} 1"


def random_move(rng, moves):
    """Returns a move. Passes are rare, so that games go on until stones are captured."""
    return (
        PASS if len(moves) == 1 or rng.random() < 0.02 else rng.choice(sorted(move for move in moves if move != PASS))
    )


def test_superko_forbids_a_move_that_is_no_simple_ko():
    board = new_board("go", TWO_FOR_ONE)
    for move in ("a1", "c1"):
        board.push_uci(move)
    assert "b1" not in board.legal_moves and PASS in board.legal_moves


def test_repetition_in_smallgo_ends_the_game_for_the_side_that_lost_more():
    board = new_board("smallgo", TWO_FOR_ONE)
    for move in ("a1", "c1", "b1", PASS):
        board.push_uci(move)
    assert board.position.ending is None
    board.push_uci("a1")
    assert board.position.ending == ("1-0", "repetition")


@pytest.mark.parametrize(
    "fen, ending",
    [
        ("1P1/PPP/3 b - 2 6.5 5", ("1-0", "two passes", "Black by 2.5")),
        ("1P2/pP2/pP2/pP2 w - 2 9 5", ("1/2-1/2", "two passes", "draw")),
        ("2/2 b - 2 0.5 2", ("0-1", "two passes", "White by 0.5")),
    ],
)
def test_points_are_the_area_and_the_komi(fen, ending):
    assert new_board("go", fen).position.ending == ending


@pytest.mark.parametrize("text", ["2/2", "2/2 x", "2/3 b", "Pp/pP b", "2/2 b - 3", "2/2 b - 0 7 1 1", "1 b"])
def test_malformed_position_is_an_error(text):
    with pytest.raises(ValueError, match="expected"):
        new_board("go", text)


@pytest.mark.parametrize("variant, sizes", [("go", (2, 3, 5, 5, 7, 9)), ("smallgo", (2, 3, 4, 5, 7))])
def test_random_games_agree_with_program(uci, variant, sizes):
    uci.process.stdin.write(f"setoption name UCI_Variant value {variant}\n")
    rng, endings = random.Random(variant), set()
    for number in range(number_of_games(30)):
        root = position(variant, sizes[number % len(sizes)])
        board = new_board(variant, root)
        while board.ply() < 500:
            fen, moves = uci.position(root, board.move_stack)
            assert moves == set(board.legal_moves), f"{root} moves {board.move_stack}"
            assert fen == board.fen()
            if board.position.ending:
                break
            board.push(random_move(rng, moves))
        if not moves:
            assert uci.result(board.turn) == board.position.ending[0], f"{root} moves {board.move_stack}"
        endings.add(board.position.ending and board.position.ending[:2])
    assert {("1-0", "two passes"), ("0-1", "two passes")} <= endings


class GnuGo:
    """GNU Go, by GTP."""

    def __init__(self):
        command = [GNUGO, "--mode", "gtp", "--positional-superko", "--level", "0"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def answer(self, *commands):
        """Returns the reply to the last command."""
        self.process.stdin.write("".join(f"{command}\n" for command in commands))
        self.process.stdin.flush()
        for command in commands:
            lines = [self.process.stdout.readline().strip()]
            while lines[-1]:
                lines.append(self.process.stdout.readline().strip())
            assert lines[0].startswith("="), f"{command}: {lines}"
        return " ".join(lines).removeprefix("=").split()


@pytest.fixture
def gnugo():
    if GNUGO is None:
        pytest.skip("gnugo is not installed")
    gnugo = GnuGo()
    yield gnugo
    with gnugo.process as process:
        process.stdin.write("quit\n")


def test_random_games_agree_with_gnugo(uci, gnugo):
    """Compares the program with GNU Go, which knows superko."""
    uci.process.stdin.write("setoption name UCI_Variant value go\n")
    rng = random.Random(37)
    for number in range(number_of_games(100)):
        size = SIZES[(37 * number) % len(SIZES)]
        root, moves, passes, colours = position("go", size), [], 0, ("black", "white")
        gnugo.answer(f"boardsize {size}", "clear_board")
        while passes < 2 and len(moves) < 4 * size * size:
            colour = colours[len(moves) % 2]
            _, legal = uci.position(root, moves)
            theirs = {vertex.lower() for vertex in gnugo.answer(f"all_legal {colour}")}
            assert legal - {PASS} == theirs - {PASS}, f"{root} moves {' '.join(moves)}"
            moves.append(random_move(rng, legal))
            passes = passes + 1 if moves[-1] == PASS else 0
            gnugo.answer(f"play {colour} {moves[-1]}")


def test_files_have_no_letter_i():
    assert [point_text((file, 0)) for file in (7, 8, 18)] == ["h1", "j1", "t1"]
