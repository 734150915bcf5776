"""A UCI engine for the tests, configured by KEY=VALUE arguments.

script=M,M,...   plays these moves, then the alphabetically first legal move
score=CP         score that it reports for every position; `none` for no score
at=N             number of the `go` command, from 1, that triggers `do` (1)
do=crash         exits with code 7              do=stall     ignores all input for an hour
do=late          replies MS milliseconds late   ms=MS
do=reply         replies `bestmove TEXT`        text=TEXT
do=early         sends an extra `bestmove TEXT` (e2e4) at the `isready` before that `go`
do=junk          prints invalid lines before a valid reply
ponder=first     expects the alphabetically first reply and ponders; last expects the last; other text is sent as it is
do=hasty         replies to `go ponder` at once, which UCI forbids
start=plain      has no option Ponder
start=silent     never sends `uciok`            start=crash  exits at once with code 1
log=FILE         appends its input to FILE
limit=FILE       writes its limit on the size of files to FILE
take=N           maximum number to take in the game `nim` (3); engines with different N disagree on the rules
fen=TEXT         text appended to the positions that `d` prints
genfens=MOVES    prints random openings of this number of moves for the argument `genfens N seed S book None`
lost=TEXT        score reported at the end of a game (mate 0)
"""

import random
import resource
import sys
import time
from pathlib import Path

import chess

ARGUMENTS = dict(word.split("=", 1) for word in sys.argv[1:] if "=" in word)
COMMANDS = [word for word in sys.argv[1:] if "=" not in word]
JUNK = [
    b"",
    b"info",
    b"info depth x score cp",
    b"info score cp 1e9 nodes -",
    b"info string \xff\xfe",
    b"\xc3\x28",
    b"bestmovee2e4",
    b"readyok readyok",
    b"info pv e2e5 e1e8",
    b"option name",
    b"uciok",
    b"id",
    b"x" * 100_000,
    b"info depth 3 score mate nodes 12 nps 5 hashfull 1000 currmove z9z9",
    b"error: segmentation fault (not really)",
]


def send(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


class Nim:
    """Players take 1 to `take` from a heap in turn. A player who cannot move loses. A position is `HEAP w` or `HEAP b`."""

    def __init__(self, text, take):
        heap, self.side = text.split()[:2]
        self.heap, self.take = int(heap), take

    def moves(self):
        return [f"take{n}" for n in range(1, min(self.take, self.heap) + 1)]

    def play(self, move):
        self.heap -= int(move[4:])
        self.side = "b" if self.side == "w" else "w"

    def fen(self):
        return f"{self.heap} {self.side}"


class Chess:
    def __init__(self, text, chess960):
        self.board = chess.Board(chess.STARTING_FEN if text == "startpos" else text, chess960=chess960)

    def moves(self):
        return sorted(move.uci() for move in self.board.legal_moves)

    def play(self, move):
        self.board.push_uci(move)

    def fen(self):
        return self.board.fen()


class Engine:
    def __init__(self):
        self.go_count, self.isready_seen, self.variant, self.chess960 = 0, False, "chess", False
        self.script = [move for move in ARGUMENTS.get("script", "").split(",") if move]
        self.take = int(ARGUMENTS.get("take", 3))
        self.game, self.pondering = Chess("startpos", False), False

    def command(self, words):
        if words[0] == "uci":
            send("id name Mock")
            send("option name Hash type spin default 1 min 1 max 64")
            send("option name Debug Log File type string default")
            if ARGUMENTS.get("start") != "plain":
                send("option name Ponder type check default false")
            send("option name UCI_Variant type combo default chess var chess var nim")
            send("option name UCI_Chess960 type check default false")
            if ARGUMENTS.get("start") != "silent":
                send("uciok")
        elif words[0] == "isready":
            if (
                ARGUMENTS.get("do") == "early"
                and self.go_count + 1 == int(ARGUMENTS.get("at", 1))
                and self.isready_seen
            ):
                send(f"bestmove {ARGUMENTS.get('text', 'e2e4')}")
            send("readyok")
            self.isready_seen = True
        elif words[:3] == ["setoption", "name", "UCI_Variant"]:
            self.variant = words[-1]
        elif words[:3] == ["setoption", "name", "UCI_Chess960"]:
            self.chess960 = words[-1] == "true"
        elif words[0] == "position":
            self.position(words[1:])
        elif words[0] == "d":
            send(f"Fen: {self.game.fen()}{ARGUMENTS.get('fen', '')}")
        elif words[:2] == ["go", "perft"]:
            moves = self.game.moves()
            send("".join(f"{move}: 1\n" for move in moves) + f"\nNodes searched: {len(moves)}\n")
        elif words[:2] == ["go", "ponder"]:
            self.pondering = True
            if ARGUMENTS.get("do") == "hasty":
                self.stop_pondering()
        elif words[0] == "ponderhit" and self.pondering:
            self.pondering = False
            self.go_count += 1
            self.go(words)
        elif words[0] == "stop" and self.pondering:
            self.stop_pondering()
        elif words[0] == "go":
            assert not self.pondering
            self.go_count += 1
            self.go(words)

    def stop_pondering(self):
        self.pondering = False
        send(f"bestmove {self.game.moves()[0]}")

    def position(self, words):
        moves = words[words.index("moves") + 1 :] if "moves" in words else []
        root = " ".join(words[: words.index("moves")] if moves else words).removeprefix("fen ")
        if self.variant == "nim":
            self.game = Nim("7 w" if root == "startpos" else root, self.take)
        else:
            self.game = Chess(root, self.chess960)
        for move in moves:
            self.game.play(move)

    def go(self, words):
        action = self.go_count == int(ARGUMENTS.get("at", 1)) and ARGUMENTS.get("do")
        moves = self.game.moves()
        if not moves:
            send(f"info depth 0 score {ARGUMENTS.get('lost', 'mate 0')}\nbestmove (none)")
            return
        if action == "crash":
            sys.stderr.write("about to crash\n")
            sys.stderr.flush()
            sys.exit(7)
        if action == "stall":
            time.sleep(3600)
        if action == "late":
            time.sleep(float(ARGUMENTS["ms"]) / 1000)
        if action == "junk":
            for line in JUNK:
                sys.stdout.buffer.write(line + b"\n")
        score = ARGUMENTS.get("score", "13")
        if score != "none":
            send(f"info depth 5 seldepth 9 score cp {score} nodes 1234 nps 1000 time 1 pv {moves[0]}")
        move = self.script.pop(0) if self.script else moves[0]
        if action == "junk":
            sys.stdout.write(" \t ")
        send(f"bestmove {ARGUMENTS['text'] if action == 'reply' else move}{self.expected_reply(move)}")

    def expected_reply(self, move):
        """Returns the end of the line `bestmove` with the move to ponder."""
        text = ARGUMENTS.get("ponder")
        if text in ("first", "last"):
            self.game.play(move)
            moves = self.game.moves()
            text = moves and moves[0 if text == "first" else -1]
        return f" ponder {text}" if text else ""


def print_openings(command):
    _, count, _, seed, _, _ = command.split()
    choices = random.Random(int(seed))
    for _ in range(int(count)):
        board = chess.Board()
        for _ in range(int(ARGUMENTS["genfens"])):
            board.push(choices.choice(list(board.legal_moves)))
        send(f"info string genfens {board.fen()}")


def main():
    if COMMANDS:
        if "genfens" in ARGUMENTS:
            print_openings(COMMANDS[0])
        return
    if ARGUMENTS.get("start") == "crash":
        sys.exit(1)
    engine = Engine()
    if "limit" in ARGUMENTS:
        size, maximum = resource.getrlimit(resource.RLIMIT_FSIZE)
        Path(ARGUMENTS["limit"]).write_text(str(size))
        # Its own log may be longer.
        resource.setrlimit(resource.RLIMIT_FSIZE, (maximum, maximum))
    for line in sys.stdin:
        if "log" in ARGUMENTS:
            with open(ARGUMENTS["log"], "a", encoding="utf-8") as file:
                file.write(line)
        words = line.split()
        if words[:1] == ["quit"]:
            return
        if words:
            engine.command(words)


if __name__ == "__main__":
    main()
