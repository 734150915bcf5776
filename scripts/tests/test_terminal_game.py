"""Games at a terminal: moves and words, whole games of every kind, records, and the pipe, where nothing changes."""

import random
import subprocess

import pytest
from test_terminal import Terminal

UTF8 = {"LC_ALL": "C.UTF-8"}
MAX_MOVES = 400


@pytest.fixture
def play(program):
    """Returns a function that starts the program in a terminal with these arguments, and waits for the person's turn."""

    def start(*arguments, **environment):
        terminal = Terminal(program, *arguments, columns=200, **environment)
        if arguments:
            terminal.expect("your move")
        terminal.expect("> ")
        return terminal

    return start


def say(terminal, line, pattern):
    """Types a line at a prompt and returns the text up to the prompt after `pattern`."""
    terminal.type(line + "\r")
    return terminal.expect(pattern) + terminal.expect("> ")


@pytest.mark.parametrize(
    "variant, move",
    [
        ("chess", "e2e4"),
        ("chess", "Nf3"),
        ("xiangqi", "h3e3"),
        ("xiangqi", "C2=5"),
        ("xiangqi", "炮二平五"),
        ("gomokufreestyle", "h10"),
        ("cfour", "e"),
        ("tictactoe", "b2"),
        ("trianglewar", "1-2"),
        ("gametree", "B"),
        ("go", "e5"),
    ],
)
def test_bare_move_at_prompt_is_played_and_answered(play, variant, move):
    terminal = play(**UTF8)
    if variant != "chess":
        say(terminal, f"setoption name UCI_Variant value {variant}", "position set to its start")
    say(terminal, "setoption name UCI_LimitStrength value true", "true")
    text = say(terminal, move, "your move|the game is over")
    assert " you: " in text and " Duiyi: " in text
    terminal.type("quit\r")
    assert terminal.end() == 0


def test_command_wins_over_move_of_the_same_text(play):
    terminal = play("play", "--variant", "cfour", "--level", "1")
    say(terminal, "d", "Fen: ")
    assert "you: P@d1" in say(terminal, "move d", "your move")
    terminal.type("quit\r")
    assert terminal.end() == 0


def test_line_that_is_no_command_and_no_move_gets_one_reason(play):
    terminal = play()
    say(terminal, "e2e5", r'unknown command: "e2e5".*as a move: expected a legal move')
    say(terminal, "isready please", "readyok")
    terminal.type("quit\r")
    assert terminal.end() == 0


@pytest.mark.parametrize(
    "variant", ["chess", "xiangqi", "gomokufreestyle", "cfour", "tictactoe", "trianglewar", "gametree", "smallgo"]
)
def test_whole_game(play, variant):
    choice = random.Random(variant)
    terminal = play("play", "--variant", variant, "--level", "casual", **UTF8)
    for _ in range(MAX_MOVES):
        # The prompt may stand there once more before the list.
        moves = say(terminal, "moves", r"moves\s*\n[>\s]*[^>\s].*\n").split("moves")[-1]
        move = choice.choice(moves.strip("> \r\n").split())
        if "the game is over" in say(terminal, f"move {move}", "your move|the game is over"):
            break
    else:
        pytest.fail(f"no end after {MAX_MOVES} moves")
    if variant != "gametree":
        say(terminal, "undo", "your move")
    say(terminal, "new", "your move")
    terminal.type("quit\r")
    assert terminal.end() == 0


def test_undo_swap_resign_and_hint(play):
    terminal = play("play", "--level", "1")
    say(terminal, "e4", "White to move.*your move")
    say(terminal, "Nc3", "White to move.*your move")
    assert "1-0" not in say(terminal, "undo", "White to move.*your move")
    text = say(terminal, "d", "Fen: .*")
    assert "w KQkq" in text and "4P3" in text and "2N5" not in text, "Two plies are taken back."
    say(terminal, "hint", "hint: \\S+, ")
    assert "White Duiyi:" in say(terminal, "swap", "Black to move.*your move")
    say(terminal, "resign", "You resign: White wins")
    say(terminal, "e5", "the game is over")
    say(terminal, "undo", "the game goes on")
    terminal.type("quit\r")
    assert terminal.end() == 0


def test_game_is_saved_and_goes_on(play, tmp_path):
    path = tmp_path / "game.pgn"
    terminal = play("play", "--variant", "xiangqi", "--level", "2", "--side", "black")
    say(terminal, f"save {path}", r"\nsaved")
    record = path.read_text()
    assert record.startswith('[Event "Game against Duiyi"]') and '[White "Duiyi, easy (about 1100)"]' in record
    say(terminal, f"save {path}", r"\nsaved")
    path.with_name("own.pgn").write_text('[Event "mine"]\n\n*\n')
    say(terminal, f"save {path.with_name('own.pgn')}", "expected no file or a game saved by Duiyi, found another one")
    terminal.type("quit\r")
    assert terminal.end() == 0
    terminal = play("play", str(path))
    say(terminal, f"play {tmp_path / 'own.pgn'}", "your move")
    terminal.type("quit\r")
    assert terminal.end() == 0


def test_game_of_go_is_saved_as_sgf_and_goes_on(play, tmp_path):
    path = tmp_path / "game.sgf"
    terminal = play("play", "--variant", "go", "--level", "1")
    say(terminal, "e5", "your move")
    for _ in range(2):
        say(terminal, f"save {path}", r"\nsaved")
    record = path.read_text()
    assert (
        record.startswith("(;GM[1]FF[4]CA[UTF-8]AP[Duiyi:") and "SZ[9]KM[7]RU[Chinese]EV[Game against Duiyi]" in record
    )
    assert "PW[Duiyi, beginner (about 800)]" in record and ";B[ee];W[" in record
    say(terminal, "resign", "You resign: White wins")
    say(terminal, f"save {path}", r"\nsaved")
    assert "RE[W+R]" in path.read_text()
    terminal.type("quit\r")
    assert terminal.end() == 0
    terminal = play("play", str(path))
    assert "x" in say(terminal, "d", "Fen: ") + terminal.text
    terminal.type("quit\r")
    assert terminal.end() == 0


def test_last_move_is_marked_in_colour_and_not_without(program, play):
    terminal = play("play", "--level", "1", "--side", "white", **UTF8)
    terminal.type("e4\r")
    while "your move" not in terminal.text:
        terminal.read_more()
    assert "\x1b[7m♙\x1b[0m" in terminal.text and "♜" in terminal.text
    terminal.type("quit\r")
    assert terminal.end() == 0
    terminal = Terminal(program, "play", "--level", "1", NO_COLOR="1")
    terminal.expect("(?s)r n b q k b n r.*your move")
    terminal.type("quit\r")
    assert terminal.end() == 0


def test_history_is_kept_across_runs(play, tmp_path):
    environment = {"DUIYI_HISTORY": str(tmp_path / "lines" / "history")}
    terminal = play(**environment)
    say(terminal, "isready", "readyok")
    terminal.type("quit\r")
    assert terminal.end() == 0
    terminal = play(**environment)
    terminal.type("\x1b[A\x1b[A")
    terminal.expect("> isready")
    terminal.type("\r")
    terminal.expect("readyok")
    terminal.type("quit\r")
    assert terminal.end() == 0


def test_moves_and_words_from_a_pipe_are_unknown_commands(program):
    lines = "e2e4\nhint\nsave x\nmove e2e4\nswap\n"
    run = subprocess.run([program], input=lines, capture_output=True, text=True, timeout=60)
    replies = run.stdout.splitlines()
    assert len(replies) == 5 and all(reply.startswith("info string unknown command: ") for reply in replies)


def test_play_from_a_pipe(program):
    lines = "e2e4\nmove e7e5\nquit\n"
    run = subprocess.run(
        [program, "play", "--level", "beginner", "--side", "second"],
        input=lines,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == 0 and "White Duiyi: " in run.stdout and "Black to move: your move" in run.stdout
    assert "as a move: expected" in run.stdout and "Black you: e5" in run.stdout


def played_from_a_pipe(program, lines, *arguments):
    """Returns what `duiyi play` prints for these lines at the lowest level."""
    command = [program, "play", "--level", "beginner", *arguments]
    run = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, timeout=60)
    assert run.returncode == 0
    return run.stdout


def test_record_that_cannot_be_read_leaves_the_game_as_it_was(program, tmp_path):
    saved = tmp_path / "w.pgn"
    lines = ["e4", "resign", "play missing.pgn", "e5", "undo", "d4", f"save {saved}"]
    out = played_from_a_pipe(program, lines)
    assert "previous position kept" in out and "move ignored" in out and "White you: d4" in out
    assert '[White "?"]' in saved.read_text()
    out = played_from_a_pipe(program, ["a3"], "missing.pgn")
    assert "White you: a3" in out and "Black Duiyi: " in out


def test_game_that_is_over_is_neither_resigned_nor_swapped(program, tmp_path):
    record, saved = tmp_path / "mate.pgn", tmp_path / "saved.pgn"
    record.write_text('[Event "x"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 *\n')
    out = played_from_a_pipe(program, ["Qxf7#", "resign", f"save {saved}"], str(record))
    assert "resign: the game is over, ignored" in out and '[Result "1-0"]' in saved.read_text()
    out = played_from_a_pipe(program, ["e4", "resign", "swap"])
    assert out.rstrip().endswith("swap: the game is over, ignored")


def test_score_of_a_hint_belongs_to_no_move(program):
    out = played_from_a_pipe(program, ["hint", "e4"])
    assert "White you: e4\n" in out


def test_arguments_that_name_no_level_or_game_are_refused(program):
    for arguments, expected in (
        (["--level", "7"], "level: expected beginner, easy, casual, club, strong, full, a number from 1 to 6"),
        (["--variant", "draughts"], "possible values: chess"),
    ):
        run = subprocess.run([program, "play", *arguments], capture_output=True, text=True, timeout=60)
        assert run.returncode == 2 and expected in run.stderr


def test_unknown_side_is_named_and_the_side_to_move_is_the_person_s(program):
    command = [program, "play", "--level", "beginner", "--side", "green"]
    run = subprocess.run(command, input="quit\n", capture_output=True, text=True, timeout=60)
    assert '--side: expected White, Black, first or second, got "green", you have the side to move' in run.stdout
    assert "White to move: your move" in run.stdout
