"""The results of a match so far: counts and statistics, as text and as JSON."""

import collections

from .game import reason_text
from .load import delay_warning
from .openings import describe_openings
from .ranking import cross_table, ranking, table
from .schedule import pairings
from .statistics import Pentanomial

WHITE_HALF_POINTS = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}
"""White's points for each result, in half points."""


class PairingScore:
    """The results of engine `first` against engine `second`, from the view of `first`."""

    def __init__(self, first, second, sprt):
        self.first, self.second, self.sprt = first, second, sprt
        self.wins = self.losses = self.draws = 0
        self.counts = [0] * 5
        self.half_pairs = {}
        self.decision = None
        """(hypothesis, pairs, LLR) when the SPRT first reached a bound."""

    def add(self, pair, points):
        """Adds a game of pair number `pair`. `points` are the first engine's, in half points."""
        self.wins += points == 2
        self.draws += points == 1
        self.losses += points == 0
        if pair not in self.half_pairs:
            self.half_pairs[pair] = points
            return
        self.counts[self.half_pairs.pop(pair) + points] += 1
        if self.sprt and not self.decision:
            llr = self.sprt.llr(self.pentanomial)
            if hypothesis := self.sprt.decision(llr):
                self.decision = hypothesis, self.pentanomial.pairs, llr

    @property
    def games(self):
        return self.wins + self.losses + self.draws

    @property
    def pentanomial(self):
        return Pentanomial(tuple(self.counts))

    def view(self, name):
        """Returns (wins, losses, draws, counts of pairs) from the view of one of the two engines."""
        if name == self.first:
            return self.wins, self.losses, self.draws, self.counts
        return self.losses, self.wins, self.draws, self.counts[::-1]

    def to_json(self):
        pentanomial, games = self.pentanomial, self.games
        (elo, elo_error), (nelo, nelo_error) = pentanomial.elo(), pentanomial.nelo()
        data = {
            "engine": self.first,
            "opponent": self.second,
            "games": games,
            "wins": self.wins,
            "losses": self.losses,
            "draws": self.draws,
            "score": (self.wins + self.draws / 2) / games if games else None,
            "draw_ratio": self.draws / games if games else None,
            "pairs": pentanomial.pairs,
            "pentanomial": list(pentanomial.counts),
            "level_pairs": pentanomial.drawn_pair_ratio(),
            "elo": elo,
            "elo_error": elo_error,
            "nelo": nelo,
            "nelo_error": nelo_error,
            "los": pentanomial.los(),
        }
        if self.sprt:
            low, high = self.sprt.bounds()
            data["sprt"] = vars(self.sprt) | {"llr": self.sprt.llr(pentanomial), "low": low, "high": high}
            hypothesis, pairs, llr = self.decision or (None, None, None)
            data["sprt"] |= {"decision": hypothesis, "decided_after_pairs": pairs, "decided_with_llr": llr}
        return data

    def lines(self):
        """Yields the lines of the report."""
        data = self.to_json()
        elo, nelo = with_error(data["elo"], data["elo_error"]), with_error(data["nelo"], data["nelo_error"])
        yield f"Elo     {elo}, normalised {nelo}, LOS {probability(data['los'])}"
        score = f"+{data['wins']} -{data['losses']} ={data['draws']}, score {percent(data['score'])}"
        yield f"Games   {data['games']}: {score}, draws {percent(data['draw_ratio'])}"
        drawn = percent(data["level_pairs"])
        yield f"Pairs   {data['pairs']}: {data['pentanomial']} for 0, 1/2, 1, 1 1/2, 2 points, drawn {drawn}"
        if self.sprt:
            test = data["sprt"]
            state = (
                f"{test['decision']} accepted after {test['decided_after_pairs']} pairs"
                if test["decision"]
                else "undecided"
            )
            bounds, elos = (
                f"({test['low']:.2f}, {test['high']:.2f})",
                f"{test['model']} Elo {test['elo0']:g} against {test['elo1']:g}",
            )
            yield f"SPRT    LLR {test['llr']:.2f} {bounds}, {elos}: {state}"

    def summary(self):
        """Returns a short version of the report, for the progress display."""
        pentanomial = self.pentanomial
        text = f"+{self.wins} -{self.losses} ={self.draws}"
        if pentanomial.pairs:
            text += f", Elo {with_error(*pentanomial.elo(), digits=1)}"
        if self.sprt:
            text += f", LLR {self.sprt.llr(pentanomial):.2f}"
        return text


class Results:
    """All results of a match. A game that is added twice counts once."""

    def __init__(self, settings):
        self.settings = settings
        names = self.names = [engine.name for engine in settings.engines]
        self.scores = {
            (names[i], names[j]): PairingScore(names[i], names[j], settings.sprt) for i, j in pairings(settings)
        }
        self.games_done = set()
        self.move_sequences, self.repeated_games = set(), 0
        self.terminations = collections.Counter()
        self.faults, self.delays = [], []
        self.spent = {e.name: collections.Counter() for e in settings.engines}

    def add(self, record):
        """Adds the record of a game. Returns False if that game was added before."""
        if record["game"] in self.games_done:
            return False
        self.games_done.add(record["game"])
        self.terminations[record["termination"]] += 1
        if digest := record.get("moves"):  # absent in journals of older versions
            self.repeated_games += digest in self.move_sequences
            self.move_sequences.add(digest)
        if "delay" in record:
            self.delays.append(record["delay"])
        for name, spent in record["spent"].items():
            self.spent[name].update(spent)
        if record.get("lines"):
            fault = {k: record[k] for k in ("white", "black", "termination", "detail", "fault", "lines")}
            # The journal counts games from 0, people from 1.
            self.faults.append({"game": record["game"] + 1, **fault})
        if record["result"] in WHITE_HALF_POINTS:  # not "*"
            points, players = WHITE_HALF_POINTS[record["result"]], (record["white"], record["black"])
            if score := self.scores.get(players):
                score.add(record["pair"], points)
            else:
                self.scores[players[::-1]].add(record["pair"], 2 - points)
        return True

    @property
    def is_decided(self):
        """Whether the SPRT has reached a bound."""
        return any(score.decision for score in self.scores.values())

    @property
    def ranking(self):
        """The Rank of each engine, the best score first."""
        return ranking(self.names, self.scores.values())

    def summary(self):
        """Returns the state of the match in a few words, for the progress display."""
        if len(self.scores) == 1:
            (score,) = self.scores.values()
            return score.summary()
        return ", ".join(f"{rank.name} {percent(rank.score)}" for rank in self.ranking if rank.games)

    def to_json(self, state):
        engines = {}
        for name, spent in self.spent.items():
            moves, seconds = spent["moves"], spent["seconds"]
            engines[name] = {
                "moves": moves,
                "nodes": spent["nodes"],
                "seconds": round(seconds, 3),
                "nps": round(spent["nodes"] / seconds) if seconds else None,
                "mean_depth": round(spent["depth"] / moves, 2) if moves else None,
            }
        return {
            "state": state,
            "games": len(self.games_done),
            "repeated_games": self.repeated_games,
            "longest_delay": max(self.delays, default=None),
            "ranking": [rank.to_json() for rank in self.ranking],
            "results": [score.to_json() for score in self.scores.values()],
            "terminations": dict(self.terminations.most_common()),
            "faults": self.faults,
            "engines": engines,
            "settings": self.settings.to_json(),
        }

    def _match_lines(self):
        (score,) = self.scores.values()
        return [f"{score.first} against {score.second}", *(f"  {line}" for line in score.lines())]

    def _tournament_lines(self):
        """Returns the ranking, the cross table, and for a gauntlet the Elo of each pairing."""
        ranks, scores = self.ranking, self.scores.values()
        rows = [["", "engine", "Elo", "+/-", "games", "points", "score", "draws"]]
        for place, rank in enumerate(ranks, 1):
            elo, error = rank.pentanomial.elo()
            figures = [
                "unknown" if value is None else f"{value:{form}}" for value, form in ((elo, "+.2f"), (error, ".2f"))
            ]
            draws = rank.draws / rank.games if rank.games else None
            counts = [str(rank.games), f"{rank.points:g}", percent(rank.score), percent(draws)]
            rows.append([str(place), rank.name, *figures, *counts])
        lines = [*table(rows), "", *cross_table(ranks, scores), ""]
        if self.settings.tournament == "gauntlet":
            lines += [f"{score.first} against {score.second}: {score.summary()}" for score in scores] + [""]
        return lines

    def report(self):
        """Returns the report that is printed at the end."""
        lines = self._tournament_lines() if len(self.scores) > 1 else self._match_lines()
        terminations = ", ".join(f"{name} {count}" for name, count in self.terminations.most_common())
        lines.append(f"Ends    {terminations or 'none'}")
        lines.append(f"Book    {describe_openings(self.settings)}")
        if self.repeated_games:
            lines.append(
                f"Warning {self.repeated_games} of {len(self.games_done)} games repeat an earlier game move by move, so the "
                "errors above are too small; more different openings avoid this"
            )
        if warning := delay_warning(self.settings, self.delays):
            lines.append(warning)
        for fault in self.faults[-5:]:
            lines.append(f"Fault   game {fault['game']}: {reason_text(fault['termination'], fault['detail'])}")
        if len(self.faults) > 5:
            lines.append(
                f"        and {len(self.faults) - 5} more; the journal has all failures with the last lines of the engines"
            )
        return "\n".join(lines)


def with_error(value, error, digits=2):
    if value is None:
        return "unknown"
    return f"{value:+.{digits}f} +/- {'unknown' if error is None else f'{error:.{digits}f}'}"


def percent(fraction):
    return "unknown" if fraction is None else f"{100 * fraction:.1f} %"


def probability(fraction):
    """Formats a probability that is never certain."""
    text = percent(fraction)
    return {"100.0 %": "> 99.9 %", "0.0 %": "< 0.1 %"}.get(text, text)
