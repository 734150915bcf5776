"""A Gomocup engine for the tests, configured by KEY=VALUE arguments.

script=X,Y;X,Y;...  plays these squares, then the first free square of the highest rank with one
at=N                number of the request for a move, from 1, that triggers `do` (1)
do=crash            exits with code 7              do=stall   ignores all input for an hour
do=late             replies MS milliseconds late   ms=MS
do=reply            replies TEXT instead of a move  text=TEXT
do=talk             prints other lines before the move
start=silent        never answers START            start=crash   exits at once with code 1
start=TEXT          answers START with TEXT
log=FILE            appends its input to FILE
"""

import sys
import time

ARGUMENTS = dict(word.split("=", 1) for word in sys.argv[1:])
TALK = [
    "",
    "MESSAGE depth 3 ev 7",
    "DEBUG 1,1",
    "12 nodes",
    "SUGGEST 0,0",
    "UNKNOWN",
    "MESSAGE \xff",
    "OK",
    "x" * 100_000,
]


def send(text):
    sys.stdout.buffer.write(text.encode("latin-1") + b"\r\n")
    sys.stdout.flush()


class Brain:
    def __init__(self):
        self.size, self.stones, self.requests = 0, set(), 0
        self.script = [square for square in ARGUMENTS.get("script", "").split(";") if square]

    def command(self, line):
        word, _, rest = line.partition(" ")
        if word == "START":
            self.size, self.stones = int(rest), set()
            if ARGUMENTS.get("start") != "silent":
                send(ARGUMENTS.get("start", "OK"))
        elif word == "BEGIN":
            self.move()
        elif word == "TURN":
            self.stones.add(tuple(map(int, rest.split(","))))
            self.move()
        elif word == "BOARD":
            self.stones = set()
        elif word == "DONE":
            self.move()
        elif word == "INFO":
            if rest.startswith("game_type"):
                send("UNKNOWN key")
        elif word[:1].isdigit():
            self.stones.add(tuple(map(int, word.split(",")[:2])))

    def move(self):
        self.requests += 1
        action = self.requests == int(ARGUMENTS.get("at", 1)) and ARGUMENTS.get("do")
        if action == "crash":
            sys.stderr.write("about to crash\n")
            sys.exit(7)
        if action == "stall":
            time.sleep(3600)
        if action == "late":
            time.sleep(float(ARGUMENTS["ms"]) / 1000)
        if action == "talk":
            for line in TALK:
                send(line)
        free = ((x, y) for y in reversed(range(self.size)) for x in range(self.size) if (x, y) not in self.stones)
        square = tuple(map(int, self.script.pop(0).split(","))) if self.script else next(free)
        self.stones.add(square)
        send(ARGUMENTS["text"] if action == "reply" else "{},{}".format(*square))


def main():
    if ARGUMENTS.get("start") == "crash":
        sys.exit(1)
    brain = Brain()
    for line in sys.stdin:
        if "log" in ARGUMENTS:
            with open(ARGUMENTS["log"], "a", encoding="utf-8") as file:
                file.write(line)
        if line.strip() == "END":
            return
        brain.command(line.strip())


if __name__ == "__main__":
    main()
