"""A page in headless Firefox (Debian package firefox-esr), driven by WebDriver BiDi: <https://w3c.github.io/webdriver-bidi/>."""

import asyncio
import json
import re
import subprocess
from threading import Thread

from tornado.websocket import websocket_connect

MAX_MESSAGE = 1 << 26
TIMEOUT = 60
"""Seconds for an answer."""


class Firefox:
    """Has the methods of the other driver's pages that `test_play.py` needs for boards of cells."""

    def __init__(self, program, profile):
        command = [program, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        found = None
        while found is None:
            line = self.process.stderr.readline()
            assert line, "Firefox has ended"
            found = re.search(r"WebDriver BiDi listening on (ws://\S+)", line)
        # A thread of its own: the driver of the other browser has a loop in this one.
        self.loop = asyncio.new_event_loop()
        Thread(target=self.loop.run_forever, daemon=True).start()
        self.number = 0
        self.socket = self.run(self.connect(f"{found[1]}/session"))
        self.call("session.new", capabilities={})
        self.context = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def run(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(TIMEOUT)

    async def connect(self, address):
        return await websocket_connect(address, max_message_size=MAX_MESSAGE)

    def call(self, method, **parameters):
        return self.run(self.answer(method, parameters))

    async def answer(self, method, parameters):
        self.number += 1
        await self.socket.write_message(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(await self.socket.read_message())
            if message.get("id") == self.number:
                assert message["type"] == "success", message
                return message["result"]

    def goto(self, address):
        self.call("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def evaluate(self, code, argument=None):
        """Returns the value of an expression, or of a function of `argument`."""
        expression = code if argument is None else f"({code})({json.dumps(argument)})"
        answer = self.call(
            "script.evaluate",
            expression=f'JSON.stringify({expression}) ?? "null"',
            target={"context": self.context},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    @property
    def mouse(self):
        return self

    def click(self, x, y):
        moves = [{"type": "pointerMove", "x": round(x), "y": round(y)}]
        moves += [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        actions = [{"type": "pointer", "id": "mouse", "actions": moves}]
        self.call("input.performActions", context=self.context, actions=actions)

    def close(self):
        self.call("browser.close")
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.process.stderr.close()
        self.process.wait(TIMEOUT)
