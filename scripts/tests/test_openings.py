"""Openings with and without a file."""

import pytest

from duiyi_match.boards import new_board
from duiyi_match.errors import MatchError
from duiyi_match.openings import Openings
from duiyi_match.referee import ending
from duiyi_match.rules import GAMES
from duiyi_match.settings import Book

PGN_GAMES = """[Event "a"]
[Result "1/2-1/2"]

1. e4 {[%clk 1:00]
[%eval 0.3]} e5 2. Nf3 Nc6 1/2-1/2

[Event "b"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]

1. e4 *
[Event "c"]
[Variant "Atomic"]

1. e3 *
"""


@pytest.fixture
def book(tmp_path):
    def write(name, text, **options):
        path = tmp_path / name
        path.write_text(text, newline="")
        return Book(str(path), **options)

    return write


def test_epd_and_fen_lines_yield_positions_in_order(book):
    lines = (
        "4k3/8/8/8/8/8/4P3/4K3 w - - 3 9\r\n\r\n"
        "4k3/8/8/8/8/8/4P3/4K3 b - -\n"
        '4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 3; fmvn 8; id "x 1 2";\n'
    )
    openings = Openings(book("x.epd", lines), "chess", 1)
    assert [openings[k].fen.split()[1:] for k in range(4)] == [
        ["w", "-", "-", "3", "9"],
        ["b", "-", "-", "0", "1"],
        ["w", "-", "-", "3", "8"],
        ["w", "-", "-", "3", "9"],
    ], "the book repeats"
    assert openings[1].source.endswith("x.epd:3")


def test_pgn_games_yield_moves_and_positions(book):
    openings = Openings(book("x.pgn", PGN_GAMES), "chess", 1)
    assert openings[0].fen is None and openings[0].moves == ("e2e4", "e7e5", "g1f3", "b8c6")
    assert openings[1].fen.startswith("4k3/") and openings[1].moves == ("e2e4",)
    assert openings[1].source.endswith("x.pgn:7")
    short = Openings(book("x.pgn", PGN_GAMES, plies=3), "chess", 1)
    assert short[0].moves == ("e2e4", "e7e5", "g1f3")
    with pytest.raises(MatchError, match="expected a game of chess, got one of atomic"):
        openings[2]
    assert Openings(book("x.pgn", PGN_GAMES, start=3), "atomic", 1)[0].moves == ("e2e3",)


def test_random_order_is_permutation_fixed_by_seed(book):
    text = "".join(f"4k3/8/8/8/8/8/4P3/4K3 w - - 0 {n}\n" for n in range(1, 21))

    def order(seed):
        openings = Openings(book("x.epd", text, order="random"), "chess", seed)
        return [openings[k].fen.split()[-1] for k in range(20)]

    assert order(5) == order(5) != order(6)
    assert sorted(order(5), key=int) == [str(n) for n in range(1, 21)]


@pytest.mark.parametrize(
    "name, text, message",
    [
        ("x.epd", "", "expected openings in"),
        ("x.epd", "rubbish\n", "x.epd:1: expected a position, got 'rubbish'"),
        ("x.epd", "\n8/8/8/8/8/8/8/8 w - - 0 1\n", "x.epd:2: expected a legal position"),
        ("x.pgn", "no games here\n", "expected openings in"),
        ("x.pgn", '[Event "x"]\n\n1. e5 *\n', "x.pgn:1: expected a game, got illegal san"),
    ],
)
def test_invalid_opening_error_names_file_and_line(book, name, text, message):
    with pytest.raises(MatchError) as error:
        Openings(book(name, text), "chess", 1)[0]
    assert message in str(error.value) and "\n" not in str(error.value)


def test_missing_file_is_error():
    with pytest.raises(MatchError, match="No such file"):
        Openings(Book("/nowhere/x.epd"), "chess", 1)


def test_chess960_without_book_yields_start_positions():
    openings = Openings(None, "chess960", 1)
    fens = {openings[k].fen for k in range(20)}
    assert len(fens) > 15 and openings[3] == Openings(None, "chess960", 1)[3]
    assert Openings(None, "chess", 1)[3].fen is None


def test_positions_of_unknown_games_are_unchanged(book):
    openings = Openings(book("x.txt", "7 w\n5 b\n6 w moves take1\n"), "nim", 1)
    assert openings[1].fen == "5 b" and openings[1].moves == ()
    with pytest.raises(MatchError, match="x.txt:3: expected a position without moves for the variant nim"):
        openings[2]


def test_lines_have_positions_and_moves(book):
    lines = "startpos\nstartpos moves h8 P@i9\n15/" + "15/" * 13 + "p14 w moves b1\n"
    openings = Openings(book("x.txt", lines), "gomoku", 1)
    assert (openings[0].fen, openings[0].moves) == (None, ())
    assert (openings[1].fen, openings[1].moves) == (None, ("P@h8", "P@i9"))
    assert openings[2].fen.endswith("/p14[" + "P" * 113 + "p" * 111 + "] w - - 0 1")
    assert openings[2].moves == ("P@b1",) and openings[2].source.endswith("x.txt:3")
    chess = Openings(book("x.epd", "startpos moves e2e4 e7e5\n4k3/8/8/8/8/8/4P3/4K3 w - - moves e2e4\n"), "chess", 1)
    assert (chess[0].fen, chess[0].moves) == (None, ("e2e4", "e7e5"))
    assert chess[1].fen == "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1" and chess[1].moves == ("e2e4",)


@pytest.mark.parametrize(
    "variant, line, message",
    [
        ("gomoku", "startpos moves h8 h8", "(illegal move: 'h8', the square is not free)"),
        ("chess", "startpos moves e2e5", "expected legal moves, got 'startpos moves e2e5'"),
        ("cfour", "7/7/7/7/7/6P/7 b", "expected a position, got '7/7/7/7/7/6P/7 b' (expected 6 ranks, got 7)"),
        ("cfour", "startpos P@a1", "expected a position, got 'startpos P@a1'"),
    ],
)
def test_invalid_line_error_names_file_and_reason(book, variant, line, message):
    with pytest.raises(MatchError) as error:
        Openings(book("x.txt", f"\n{line}\n"), variant, 1)[0]
    assert str(error.value).count("x.txt:2: expected") == 1 and message in str(error.value)


def test_endless_device_is_no_book():
    with pytest.raises(MatchError, match=r"--openings: expected a file, got '/dev/zero' \(a device, not a file\)"):
        Openings(Book("/dev/zero"), "chess", 1)


@pytest.mark.parametrize("variant", ["chess", "chess960", "atomic", *GAMES])
def test_random_openings_are_fixed_by_the_seed_and_do_not_end_the_game(variant):
    plies = 1 if variant == "gametree" else 5

    def openings(seed):
        source = Openings(None, variant, seed, plies)
        return [(source[k].fen, source[k].moves) for k in range(30)]

    first = openings(1)
    assert first == openings(1)
    assert (first != openings(2)) and len(set(first)) > 2
    for fen, moves in first:
        board = new_board(variant, fen)
        for move in moves:
            board.push_uci(move)
        assert len(moves) == plies and ending(board) is None
    if variant == "gomoku20":
        files = {move[2] for _, moves in first for move in moves}
        assert files <= set("hijklmn") and len(files) == 7, "near the centre"


def test_random_openings_longer_than_the_centre_continue_outside():
    moves = Openings(None, "gomoku", 1, 60)[0].moves
    near = [move for move in moves if move[2] in "efghijk" and 5 <= int(move[3:]) <= 11]
    assert len(near) == 49 and len(moves) == 60


def test_random_openings_that_no_game_reaches_are_an_error():
    with pytest.raises(MatchError, match="expected games of tictactoe that go on after 9 moves, found none"):
        Openings(None, "tictactoe", 1, 9)[0]
