"""An engine of GTP for the tests, configured by KEY=VALUE arguments.

script=D4,pass,...  plays these, then passes
at=N                number of the `genmove`, from 1, that triggers `do` (1)
do=crash            exits with code 7              do=stall   ignores all input for an hour
do=late             answers MS milliseconds late   ms=MS
do=reply            answers TEXT instead of a move  text=TEXT
do=talk             writes lines before the answer that are no answer
refuse=WORD         refuses this command
options=yes         knows `lz-setoption`
log=FILE            appends its input to FILE
"""

import sys
import time

ARGUMENTS = dict(word.split("=", 1) for word in sys.argv[1:])
COMMANDS = [
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "list_commands",
    "time_settings",
    "time_left",
    "quit",
]


def send(text):
    sys.stdout.buffer.write(text.encode("latin-1"))
    sys.stdout.flush()


class Engine:
    def __init__(self):
        self.script = [move for move in ARGUMENTS.get("script", "").split(",") if move]
        self.requests = 0
        self.commands = COMMANDS + (["lz-setoption"] if "options" in ARGUMENTS else [])

    def answer(self, line):
        """Returns the answer to a command without its number."""
        word = line.partition(" ")[0]
        if word == ARGUMENTS.get("refuse") or word not in self.commands:
            return "?", "unknown command"
        if word == "list_commands":
            return "=", "\n".join(self.commands)
        return "=", self.move() if word == "genmove" else ""

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
            send("thinking\r\n\r\n\xff\n")
        move = self.script.pop(0) if self.script else "PASS"
        return ARGUMENTS["text"] if action == "reply" else move


def main():
    engine = Engine()
    for line in sys.stdin:
        number, _, command = line.strip().partition(" ")
        if "log" in ARGUMENTS:
            with open(ARGUMENTS["log"], "a", encoding="utf-8") as file:
                file.write(f"{command}\n")
        sign, text = engine.answer(command)
        send(f"{sign}{number} {text}\r\n\r\n")
        if command == "quit":
            return


if __name__ == "__main__":
    main()
