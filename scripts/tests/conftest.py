"""Makes the scripts' modules importable and provides games between mock engines."""

import asyncio
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from duiyi_match.engines import Player
from duiyi_match.game import Game, GameRunner
from duiyi_match.openings import Opening
from duiyi_match.settings import Engine, Settings

MOCK_COMMAND = (sys.executable, str(Path(__file__).with_name("mock_engine.py")))


START = Opening()


def mock_engine(name, *words, **limits):
    """Returns a mock engine with the arguments `words`. The default limit is 100 nodes a move."""
    return Engine(name, (*MOCK_COMMAND, *words), **(limits or {"nodes": 100}))


@pytest.fixture
def play():
    """Returns a function that plays `games` games and returns the record, or the list of records. `white` is always White."""

    def run(white, black, opening=START, games=1, **settings):
        settings = Settings((white, black), **{"stall": 30.0, **settings})
        return asyncio.run(play_games(settings, opening, games))

    return run


async def play_games(settings, opening, games):
    players = [Player(engine, settings.stall) for engine in settings.engines]
    records = []
    for number in range(games):
        records.append(await GameRunner(settings, Game(number, 0, 0, 1, opening), players).play())
    for player in players:
        await player.quit()
    return records if games > 1 else records[0]
