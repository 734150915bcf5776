"""What happened in searches: tables of their counters (option `Search Counters`, see protocol.md)."""

from .reading import PARTS, group_by_engine
from .tables import Table

MAX_COLUMNS = 6
"""Searches of one position that a table shows side by side."""

DEPTHS = ((1, 3), (4, 6), (7, 9), (10, 14), (15, 31))
"""The ranges of depths, in plies, for the re-searches of late move reductions. The last has all larger depths."""


def total(searches):
    """Returns the sums of the counters of searches, with their nodes, or None if none has counters."""
    counted = [search for search in searches if search.counters]
    if not counted:
        return None
    sums = {"nodes": sum(search.nodes for search in counted), "searches": len(counted)}
    timed = [search.times_us for search in counted if search.times_us]
    sums["ms"] = {part: sum(times[part] for times in timed) / len(timed) / 1000 if timed else None for part in PARTS}
    for search in counted:
        for name, value in search.counters.items():
            if isinstance(value, list):
                sums[name] = [a + b for a, b in zip(sums.get(name, [0] * len(value)), value)]
            else:
                sums[name] = sums.get(name, 0) + value
    return sums


def share(part, whole):
    return 100 * part / whole if whole else None


def values(sums):
    """Returns {name: (value, unit)} of what the counters say, in the order of a table. A value is None without events."""
    main_nodes = sums["nodes"] - sums["quiescence_nodes"]
    thousand = main_nodes / 1000
    cutoffs, tried = sums["cutoffs"], sums["null_move_tries"]
    per_thousand = {
        "TT cutoffs, exact": sums["tt_cutoffs_exact"],
        "TT cutoffs, lower bound": sums["tt_cutoffs_lower"],
        "TT cutoffs, upper bound": sums["tt_cutoffs_upper"],
        "null moves tried": tried,
    }
    after = {
        "futility skips": sums["futility_skips"],
        "late-move skips (nodes)": sums["late_move_skips"],
        "history skips": sums["history_skips"],
        "SEE skips": sums["see_skips"],
        "check extensions": sums["check_extensions"],
        "singular extensions": sums["singular_extensions"],
        "double extensions": sums["double_extensions"],
        "negative extensions": sums["negative_extensions"],
        "multi-cuts": sums["multi_cuts"],
    }
    rows = {
        "searches": (sums["searches"], ""),
        "nodes": (sums["nodes"], ""),
        "quiescence": (share(sums["quiescence_nodes"], sums["nodes"]), "%"),
    }
    for name, count in zip(("first", "second", "third", "later"), cutoffs):
        rows[f"cutoffs at the {name} move"] = (share(count, sum(cutoffs)), "%")
    rows["TT hits"] = (share(sums["tt_hits"], sums["tt_probes"]), "%")
    rows |= {name: (count / thousand if thousand else None, "/1000") for name, count in per_thousand.items()}
    rows["null moves that cut off"] = (share(sums["null_move_cutoffs"], tried), "%")
    rows["LMR re-searches"] = (share(sum(sums["lmr_researches"]), sum(sums["lmr_searches"])), "%")
    for low, high in DEPTHS:
        again, all_moves = (sum(sums[name][low : high + 1]) for name in ("lmr_researches", "lmr_searches"))
        name = f"LMR re-searches at depth {low} " + (f"to {high}" if high < DEPTHS[-1][1] else "and more")
        rows[name] = (share(again, all_moves), "%")
    rows |= {name: (count / thousand if thousand else None, "/1000") for name, count in after.items()}
    rows["aspiration fail lows"] = (sums["aspiration_fail_lows"], "")
    rows["aspiration fail highs"] = (sums["aspiration_fail_highs"], "")
    corrections = sums["corrections"]
    rows["mean correction"] = (sums["correction_sum"] / corrections if corrections else None, "cp")
    parts = ("before the search", "search of the main thread", "wait for other threads", "wait for stop")
    rows |= {f"time a search, {name}": (sums["ms"][part], "ms") for name, part in zip(parts, PARTS)}
    return rows


def value_text(value, unit):
    if value is None:
        return "-"
    if not unit:
        return str(value)
    return f"{value:.1f}" + (f" {unit}" if unit in ("%", "ms") else "")


def change_text(before, after, unit):
    """Returns the change of a value: in points if it is a share, else in percent."""
    if before is None or after is None:
        return "-"
    if unit == "%":
        return f"{after - before:+.1f}"
    return f"{100 * (after - before) / before:+.1f} %" if before else "-"


def columns_of(searches):
    """Returns the (name, searches) pairs to compare: the engines, or the searches of one engine if they have one position."""
    engines = group_by_engine(searches)
    is_one_position = len({(search.variant, search.position) for search in searches}) == 1
    if len(engines) == 1 and is_one_position and 1 < len(searches) <= MAX_COLUMNS:
        return [(f"search {search.number}", [search]) for search in searches]
    return list(engines.items())


def counter_table(searches, title="Counters (per 1,000 nodes of the main search unless %)"):
    """Returns the table of the counters of searches, or None if none has them. Two columns have the change beside them."""
    columns = [(name, values(sums)) for name, group in columns_of(searches) if (sums := total(group))]
    if not columns:
        return None
    names = list(columns[0][1])
    is_pair = len(columns) == 2
    rows = []
    for name in names:
        pairs = [column[name] for _, column in columns]
        cells = [value_text(*pair) for pair in pairs]
        if is_pair:
            (before, unit), (after, _) = pairs
            cells.append(change_text(before, after, unit))
        rows.append((name, *cells))
    return Table(title, ("counter", *(name for name, _ in columns), *(["change"] if is_pair else [])), rows)
