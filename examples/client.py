#!/usr/bin/env python3
"""A client of the protocol: lets the program play a game against itself on the clock and prints moves and result.

    examples/client.py ./duiyi [VARIANT [SECONDS]]

It knows no rules, only protocol.md: `bestmove` is the move to play, and `d` says when the game is over.
"""

import subprocess
import sys
import time


class Engine:
    """The program, which reads and writes lines."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def read_until(self, word):
        """Returns the lines up to the first one that begins with `word`."""
        lines = []
        for line in self.process.stdout:
            lines.append(line.strip())
            if line.startswith("info string "):
                print(line.strip(), file=sys.stderr)
            if lines[-1].split(" ")[0] == word:
                return lines
        sys.exit(f"client.py: expected {word!r} from the program, got the end of its output; the game stops")

    def result(self):
        """Returns the result of the position, or None if the game goes on."""
        self.send("d\nisready")
        results = [line for line in self.read_until("readyok") if line.startswith("Result: ")]
        return results[0].removeprefix("Result: ") if results else None


def play(path, variant, seconds):
    engine, moves, ms, increment = Engine(path), [], int(1000 * seconds), int(10 * seconds)
    engine.send("uci")
    words = [line.split(" var ") for line in engine.read_until("uciok") if line.startswith("option name UCI_Variant ")]
    variants = words[0][1:] if words else ["chess"]
    if variant not in variants:
        engine.send("quit")
        sys.exit(f"client.py: expected one of {', '.join(variants)}, got {variant!r}; no game starts")
    engine.send(f"setoption name UCI_Variant value {variant}\nucinewgame\nposition startpos")
    while (result := engine.result()) is None:
        # One clock for both sides: the program moves for both, so it has half the time for each.
        started_at = time.monotonic()
        engine.send(f"go wtime {ms} winc {increment} btime {ms} binc {increment}")
        move = engine.read_until("bestmove")[-1].split(" ")[1]
        ms = max(1, ms + increment - round(1000 * (time.monotonic() - started_at)))
        moves.append(move)
        print(len(moves), move, flush=True)
        engine.send(f"position startpos moves {' '.join(moves)}")
    print(result)
    engine.send("quit")
    engine.process.wait()


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 4:
        sys.exit("usage: client.py PROGRAM [VARIANT [SECONDS]]")
    program, variant, seconds = [*sys.argv[1:], *["chess", "2"][len(sys.argv) - 2 :]]
    try:
        seconds = float(seconds)
    except ValueError:
        sys.exit(f"client.py: expected a number of seconds, got {seconds!r}; no game starts")
    try:
        play(program, variant, seconds)
    except OSError as error:
        sys.exit(f"client.py: {error}; the game stops")
