"""The schedule of a match: pairings, and the games that are still to be played.

A round plays every pairing once, with two games of reversed colours from one opening. Games and pairs have numbers from 0 that
depend on the settings alone, so a resumed match knows which are missing.
"""

import itertools

from .game import Game


def pairings(settings):
    """Returns the pairings of a round as pairs of engine indices, the lower index first.

    In a round robin all engines play each other. In a gauntlet the first `seeds` engines do, and each plays all the others.
    """
    seeds = len(settings.engines) if settings.tournament == "roundrobin" else settings.seeds
    return [pair for pair in itertools.combinations(range(len(settings.engines)), 2) if pair[0] < seeds]


def game_count(settings):
    """Returns the number of games of the match."""
    return 2 * settings.rounds * len(pairings(settings))


def names_of_game(settings, number, rounds):
    """Returns the names of White and Black in game `number` of a match of `rounds` rounds, or None if it has no such game."""
    plan = pairings(settings)
    if not 0 <= number < 2 * rounds * len(plan):
        return None
    first, second = (settings.engines[index].name for index in plan[number // 2 % len(plan)])
    return (first, second) if number % 2 == 0 else (second, first)


def remaining_games(settings, openings, results):
    """Yields the games that `results` lacks. After an SPRT decision only started pairs are completed. Raises MatchError."""
    plan = pairings(settings)
    for pair in range(settings.rounds * len(plan)):
        if results.is_decided and 2 * pair > max(results.games_done):
            return
        numbers = [number for number in (2 * pair, 2 * pair + 1) if number not in results.games_done]
        if not numbers or (results.is_decided and len(numbers) == 2):
            continue
        round_number, index = divmod(pair, len(plan))
        opening, (first, second) = openings[round_number], plan[index]
        for number in numbers:
            colours = (first, second) if number % 2 == 0 else (second, first)
            game_of_round = number - 2 * round_number * len(plan)
            yield Game(number, pair, *colours, opening, f"{round_number + 1}.{game_of_round + 1}")
