"""The program as an implementation of the rules, for tests that compare it with others in random games."""

import os
import re
import subprocess

from duiyi_match.position import RESULT_OF_WINNER


def number_of_games(usual):
    """Returns the environment variable DUIYI_RANDOM_GAMES, or `usual` without it."""
    return int(os.environ.get("DUIYI_RANDOM_GAMES", usual))


class Program:
    """The program as an implementation of the rules."""

    def __init__(self, path):
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1 << 16
        )

    def lines_until(self, commands, last):
        self.process.stdin.write(commands)
        self.process.stdin.flush()
        lines = []
        while not lines or not lines[-1].startswith(last):
            lines.append(self.process.stdout.readline().rstrip("\n"))
            assert lines[-1] or len(lines) < 1000, "the program has ended"
        return lines

    def position(self, root, moves):
        """Returns the position and the set of legal moves."""
        position = f"position fen {root} moves {' '.join(moves)}\n".replace(" moves \n", "\n")
        lines = self.lines_until(position + "d\ngo perft 1\n", "Nodes searched: ")
        (fen,) = (line.removeprefix("Fen: ") for line in lines if line.startswith("Fen: "))
        return fen, {line.removesuffix(": 1") for line in lines if line.endswith(": 1") and " " not in line[:-3]}

    def result(self, turn):
        """Returns the result of the current position, in which `turn` has no legal move."""
        *_, score, reply = self.lines_until("go depth 1\n", "bestmove")
        assert reply == "bestmove (none)"
        kind, number = re.search(r"score (mate|cp) (-?\d+)", score).groups()
        if kind == "mate":
            assert number == "0"
            return RESULT_OF_WINNER[not turn]
        return RESULT_OF_WINNER[None if number == "0" else (int(number) > 0) == turn]
