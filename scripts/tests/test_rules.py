"""The rules of games other than chess: single positions, and random games beside the program and beside OpenSpiel."""

import random
import re

import chess
import pytest
from rules_program import number_of_games

from duiyi_match.boards import new_board
from duiyi_match.position import RESULT_OF_WINNER
from duiyi_match.rules import GAMES, LINES, TRIANGLES, move_to, square_of_text

EMPTY_15 = "/".join(["15"] * 14)
RANDOM_GAMES = {
    "gametree": 100,
    "gomokufreestyle": 50,
    "gomoku": 50,
    "gomokufreestyle20": 20,
    "gomoku20": 20,
    "renju": 50,
}
"""Random games that are compared with the program; 1,000 if not named. A position of gomoku has many moves."""


TREES = (
    "MAX A(B(E=3 F=12) C(G=8 H=2) D(I=4 J=6))",
    "MIN a(b=0 c(d(e=-3 f=4) g=5))",
    "MAX MAX(MIN(moving=1 y=-1) z=0)",
    "MAX r=1(a=-2(b=1 c=0) d=4)",
    "MIN ((3 +12)(-2 x(9 1)))",
)


def ending(variant, fen):
    return GAMES[variant].parse(fen).ending


@pytest.mark.parametrize(
    "variant, fen, expected",
    [
        ("tictactoe", "PPP/pp1/3 b", ("1-0", "three in a row")),
        ("tictactoe", "p1P/Pp1/P1p w", ("0-1", "three in a row")),
        ("tictactoe", "PpP/PpP/pPp b", ("1/2-1/2", "board full")),
        ("tictactoe", "PPP/ppp/3 w", ("0-1", "three in a row")),  # the side that moved last has won
        ("tictactoe", "PPP/ppp/3 b", ("1-0", "three in a row")),
        ("tictactoe4", "3P/2P1/1P2/p1pp b", None),
        ("tictactoe4", "3P/2P1/1P2/P1pp b", ("1-0", "four in a row")),
        ("tictactoe4", "PPP1/4/4/ppp1 w", None),
        ("cfour", "7/7/3p3/2pP3/1pPP3/pPPp3 w", ("0-1", "four in a row")),
        ("cfour", "7/7/7/P6/P6/P2pppp w", ("0-1", "four in a row")),
        ("cfour", "pPpPpPp/pPpPpPp/PpPpPpP/PpPpPpP/pPpPpPp/pPpPpPp w", ("1/2-1/2", "board full")),
        ("gomoku", f"{EMPTY_15}/4PPPPP6 b", ("1-0", "five in a row")),
        ("gomoku", f"{EMPTY_15}/4PPPPPP5 b", None),
        ("gomokufreestyle", f"{EMPTY_15}/4PPPPPP5 b", ("1-0", "five in a row")),
        ("gomoku", f"{EMPTY_15}/10ppppp w", ("0-1", "five in a row")),
        ("gomoku", f"{EMPTY_15}/4PPPP1PP4 b", None),
        ("gomoku20", "/".join(["20"] * 15 + [f"{9 + n}p{10 - n}" for n in range(5)]) + " w", ("0-1", "five in a row")),
        ("xiangqi", "3k5/3P5/3P5/9/9/9/9/9/9/4K4 b", ("1-0", "checkmate")),
        ("xiangqi", "3k5/9/3P5/9/9/9/9/9/9/4K4 b", ("1-0", "stalemate")),
        ("xiangqi", "3k5/9/9/9/9/9/9/9/9/R4K3 w", None),
        ("xiangqi", "3k5/9/9/9/9/9/9/9/9/R4K3 w - - 119 60", None),
        ("xiangqi", "3k5/9/9/9/9/9/9/9/9/R4K3 w - - 120 61", ("1/2-1/2", "60-move rule")),
        ("xiangqi", "3k5/9/3P5/9/9/9/9/9/9/4K4 b - - 120 61", ("1-0", "stalemate")),
        ("trianglewar", "1-2,1-3,2-3 A........ A", None),
        ("gametree", "MIN leaf=-5", ("0-1", "leaf", "leaf=-5")),
        ("gametree", "MAX leaf=0", ("1/2-1/2", "leaf", "leaf=0")),
    ],
)
def test_ending_of_position(variant, fen, expected):
    assert ending(variant, fen) == expected


@pytest.mark.parametrize(
    "variant, fen, move, reason",
    [
        ("tictactoe", "P2/3/3 b", "P@a3", "the square is not free"),
        ("tictactoe", "P2/3/3 b", "P@d1", "expected a square like P@a1"),
        ("tictactoe", "P2/3/3 b", "a4", "expected a square like P@a1"),
        ("tictactoe", "PPP/pp1/3 b", "P@c1", "the game is over: three in a row"),
        ("cfour", "7/7/7/7/7/3P3 b", "P@d1", "the square is not free"),
        ("cfour", "7/7/7/7/7/3P3 b", "P@d3", "the square below is free"),
        ("gomoku", f"{EMPTY_15}/7P7 b", "P@a0", "expected a square like P@a1"),
        ("xiangqi", "3k5/9/9/9/9/9/9/9/9/R4K3 w", "f1g1", "expected one of a1"),
        ("trianglewar", "1-2 ......... B", "1-2", "expected one of 1-3 2-3 "),
        ("trianglewar", "1-2 ......... B", "1-4", "expected one of 1-3 2-3 "),
        ("gametree", "MAX A(B=1 C=2)", "D", "expected one of B C"),
    ],
)
def test_illegal_move_has_a_reason(variant, fen, move, reason):
    board = new_board(variant, fen)
    with pytest.raises(ValueError) as error:
        board.push_uci(move)
    assert str(error.value).startswith(f"illegal move: {move!r}, {reason}")
    assert board.fen() == GAMES[variant].parse(fen).text() and not board.move_stack


@pytest.mark.parametrize(
    "variant, text",
    [
        ("tictactoe", "3/3 w"),
        ("tictactoe", "4/3/3 w"),
        ("tictactoe", "3/3/3"),
        ("tictactoe", "3/3/3 x"),
        ("tictactoe", "3/3/2K w"),
        ("tictactoe", "3/3/3[Q] w"),
        ("tictactoe", "3/3/3 w - - 0 1 2"),
        ("cfour", "7/7/7/7/3P3/7 b"),
        ("xiangqi", "3k5/9/9/9/9/9/9/9/4K4 w"),
        ("xiangqi", "3k5/9/9/9/9/9/9/9/9/4K4 x"),
        ("xiangqi", "3k6/9/9/9/9/9/9/9/9/4K4 w"),
        ("xiangqi", "3k5/9/9/9/9/9/9/9/9/9 w"),
        ("xiangqi", "3k5/9/9/9/9/9/9/9/9/4K3Q w"),
        ("trianglewar", "1-4 ......... A"),
        ("trianglewar", "1-2,2-1 ......... A"),
        ("trianglewar", "1-2,1-3,2-3 ......... A"),
        ("trianglewar", "1-2 A........ A"),
        ("trianglewar", "- ........ A"),
        ("gametree", "A"),
        ("gametree", "A(B=1"),
        ("gametree", "A(B=1) C"),
        ("gametree", "A(B=x)"),
        ("gametree", "A(B=1 b=2)"),
        ("gametree", "(C(1)(2))"),
        ("gametree", "A(3\u3000 4)"),
    ],
)
def test_malformed_position_is_an_error(variant, text):
    with pytest.raises(ValueError, match="expected"):
        new_board(variant, text)


def test_closed_triangle_keeps_the_turn_and_can_be_two():
    board = new_board("trianglewar")
    for move in ("2-1", "3-2", "3-1"):
        board.push_uci(move)
    assert board.fen() == "1-2,1-3,2-3 A........ A" and board.turn == chess.WHITE
    board = new_board("trianglewar", "1-2,1-3,2-5,3-5 ......... B")
    board.push_uci("2-3")
    assert board.fen() == "1-2,1-3,2-3,2-5,3-5 B.....B.. B", "the triangles 1-2-3 and 2-3-5"
    assert len(LINES) == 18 and len(TRIANGLES) == 9


@pytest.mark.parametrize(
    "row, move, expected",
    [
        ("3PPP1PP6", "g8", ("0-1", "forbidden move")),
        ("3P1P1P1P5", "g8", ("0-1", "forbidden move")),
        ("3PPPP1P6", "h8", ("0-1", "forbidden move")),
        ("2PP1PP8", "e8", ("1-0", "five in a row")),
        ("3P1PP8", "h8", None),
    ],
)
def test_first_player_loses_in_renju_by_a_forbidden_move(row, move, expected):
    board = new_board("renju", f"{'15/' * 7}{row}{'/15' * 7} w")
    board.push_uci(move)
    assert board.position.ending == expected


@pytest.mark.parametrize(
    "pieces, expected",
    [
        ("4k4/9/9/9/9/2n6/9/9/3R5/5K3", ("0-1", "perpetual chase")),
        ("2rrk4/9/9/9/9/2n6/9/9/3R5/5K3", ("1/2-1/2", "repetition")),
    ],
)
def test_perpetual_chase_in_xiangqi_loses(pieces, expected):
    board = new_board("xiangqi", f"{pieces} w")
    for move in 2 * ["d2c2", "c5d7", "c2d2", "d7c5"]:
        assert board.position.ending is None
        board.push_uci(move)
    assert board.position.ending == expected


@pytest.mark.parametrize(
    "moves, expected",
    [
        ("a1d1 d10e10 d1e1 e10d10 e1d1 d10e10 d1e1 e10d10 e1d1", ("0-1", "perpetual check")),
        ("a1a2 d10d9 a2a1 d9d10 a1a2 d10d9 a2a1 d9d10", ("1/2-1/2", "repetition")),
    ],
)
def test_third_occurrence_in_xiangqi_ends_the_game(moves, expected):
    board = new_board("xiangqi", "3k5/9/9/9/9/9/9/9/9/R4K3 w")
    for move in moves.split():
        assert board.position.ending is None
        board.push_uci(move)
    assert board.position.ending == expected


def test_board_after_pop_and_copy_has_its_moves():
    board = new_board("cfour")
    board.push_uci("P@d1")
    before = board.fen()
    board.push_uci("d2")
    copy = board.copy()
    assert board.pop() == "P@d2" and board.fen() == before and board.turn == chess.BLACK
    assert copy.move_stack == ["P@d1", "P@d2"] and copy.root().fen() == new_board("cfour").fen()
    assert copy.copy(stack=False).fen() == copy.fen() and not copy.copy(stack=False).move_stack


def as_printed(variant, fen):
    """Returns the position as the program prints it: in gomoku without the stones in hand."""
    return re.sub(r"\[\w*\]", "", fen) if variant.startswith(("gomoku", "renju")) else fen


@pytest.mark.parametrize("variant", [variant for variant in GAMES if variant not in ("xiangqi", "go", "smallgo")])
def test_random_games_agree_with_program(uci, variant):
    uci.process.stdin.write(f"setoption name UCI_Variant value {variant}\n")
    rng, results = random.Random(variant), set()
    for number in range(number_of_games(RANDOM_GAMES.get(variant, 1000))):
        root = TREES[number % len(TREES)] if variant == "gametree" else GAMES[variant].start_text
        board = new_board(variant, root)
        while True:
            fen, moves = uci.position(root, board.move_stack)
            assert moves == set(board.legal_moves), f"{root} moves {board.move_stack}"
            assert fen == as_printed(variant, board.fen())
            if not moves:
                break
            assert not board.position.ending
            # Stones near the centre make games short, others reach every square.
            board.push(rng.choice(rng.choice((board.opening_moves(), board.legal_moves))))
        result = uci.result(board.turn)
        assert result == board.position.ending[0], f"{root} moves {board.move_stack}"
        results.add(result)
    assert {"1-0", "0-1"} <= results


XIANGQI_PLIES = 200
"""The most plies of a random game of xiangqi."""


def xiangqi_games(number):
    """Yields the board in each position of random games, except those that end the game."""
    rng = random.Random("xiangqi")
    for _ in range(number):
        board = new_board("xiangqi")
        while board.ply() < XIANGQI_PLIES and not board.position.ending:
            yield board
            captures = [
                move
                for move in board.legal_moves
                if square_of_text(re.findall(r"[a-i]\d+", move)[1]) in board.position.pieces
            ]
            board.push(rng.choice(captures if captures and rng.random() < 0.2 else board.legal_moves))


def test_random_games_of_xiangqi_agree_with_program(uci):
    uci.process.stdin.write("setoption name UCI_Variant value xiangqi\n")
    for board in xiangqi_games(number_of_games(5)):
        fen, moves = uci.position(GAMES["xiangqi"].start_text, board.move_stack)
        assert moves == set(board.legal_moves), f"moves {board.move_stack}"
        assert fen == board.fen()


def test_random_games_of_xiangqi_agree_with_fairy_stockfish():
    pyffish = pytest.importorskip("pyffish", reason="pyffish (scripts/requirements-optional.txt) is not installed")
    for board in xiangqi_games(number_of_games(100)):
        assert set(pyffish.legal_moves("xiangqi", board.fen(), [])) == set(board.legal_moves), board.fen()


def test_random_games_of_program_agree_with_fairy_stockfish(uci):
    pyffish = pytest.importorskip("pyffish", reason="pyffish (scripts/requirements-optional.txt) is not installed")
    uci.process.stdin.write("setoption name UCI_Variant value xiangqi\n")
    rng = random.Random(31)
    for _ in range(number_of_games(20)):
        fen = GAMES["xiangqi"].start_text
        for _ in range(XIANGQI_PLIES):
            legal = pyffish.legal_moves("xiangqi", fen, [])
            assert uci.position(fen, [])[1] == set(legal), fen
            fen = pyffish.get_fen("xiangqi", fen, [rng.choice(legal)]) if legal else None
            if fen is None or int(fen.split()[4]) >= 120:  # Here the 60-move rule ends the game.
                break


OPEN_SPIEL = {
    "tictactoe": "tic_tac_toe",
    "tictactoe4": "mnk(m=4,n=4,k=4)",
    "cfour": "connect_four",
    "gomokufreestyle": "gomoku(size=15)",
    "gomokufreestyle20": "gomoku(size=20)",
}


@pytest.mark.parametrize("variant", OPEN_SPIEL)
def test_random_games_agree_with_open_spiel(uci, variant):
    """Compares both the script's rules and the program with OpenSpiel."""
    pyspiel = pytest.importorskip("pyspiel", reason="open-spiel (scripts/requirements-optional.txt) is not installed")
    uci.process.stdin.write(f"setoption name UCI_Variant value {variant}\n")
    game, rng, results = pyspiel.load_game(OPEN_SPIEL[variant]), random.Random(variant), set()
    width, root = GAMES[variant].width, GAMES[variant].start_text

    def action(square):
        return square[0] if variant == "cfour" else square[0] + width * square[1]

    for _ in range(number_of_games(200 if width < 15 else 25)):
        board, state = new_board(variant), game.new_initial_state()
        while True:
            squares = {action(square): square for square in board.position.free_squares()}
            legal = [] if state.is_terminal() else state.legal_actions()
            assert sorted(squares) == sorted(legal)
            fen, moves = uci.position(root, board.move_stack)
            assert fen == as_printed(variant, board.fen()) and moves == {move_to(square) for square in squares.values()}
            if state.is_terminal():
                break
            chosen = rng.choice(sorted(squares))
            board.push_uci(move_to(squares[chosen]))
            state.apply_action(chosen)
        points = state.returns()[0]
        result = RESULT_OF_WINNER[points > 0 if points else None]
        assert board.position.ending[0] == result == uci.result(board.turn)
        results.add(result)
    assert {"1-0", "0-1"} <= results
