"""Writes games as PGN. python-chess cannot write moves of games that it does not know, so this module does."""

import textwrap

import chess
import chess.engine

TERMINATION_TAGS = {
    "time": "time forfeit",
    "illegal move": "rules infraction",
    "crash": "abandoned",
    "stall": "abandoned",
    "disagreement": "unterminated",
    "draw adjudication": "adjudication",
    "win adjudication": "adjudication",
    "tablebase adjudication": "adjudication",
    "move limit": "adjudication",
}
"""PGN tag Termination for each termination of a game record; "normal" for all others."""


def score_text(score, unit):
    """Formats a python-chess score for a PGN comment: in units of `unit` (pawns in chess), or moves to mate."""
    if score is None:
        return "-"
    if score.is_mate():
        mate = score.mate()
        won = mate > 0 or score == chess.engine.MateGiven
        return f"{'+' if won else '-'}M{abs(mate)}"
    return f"{score.score() / unit:+.2f}"


def move_comment(info, seconds, unit):
    """Formats score (mover's view), depth, time and nodes of a move, as in `+0.31/12 0.103s, n=45120`."""
    score = info.get("score")
    text = f"{score_text(score and score.relative, unit)}/{info.get('depth', 0)} {seconds:.3f}s"
    return f"{text}, n={info['nodes']}" if "nodes" in info else text


def time_control_text(engine):
    """Returns the time control of an engine as in the PGN standard. `1/move` is 1 second per move, `-` no time control."""
    control = engine.time_control
    if control is None:
        return f"{engine.st:g}/move" if engine.st else "-"
    moves = f"{control.moves}/" if control.moves else ""
    return f"{moves}{control.base:g}" + (f"+{control.increment:g}" if control.increment else "")


def time_control_tags(white, black):
    """Returns the tag TimeControl, or a tag for each side if they differ."""
    first, second = time_control_text(white), time_control_text(black)
    if first == second:
        return {"TimeControl": first}
    return {"WhiteTimeControl": first, "BlackTimeControl": second}


def game_text(headers, moves, first_move_number):
    """Formats a game. `moves` has (side, text, comment) for each move."""
    tags = "".join(
        '[{} "{}"]\n'.format(k, str(v).replace("\\", "\\\\").replace('"', '\\"')) for k, v in headers.items()
    )
    tokens, number, last_side = [], first_move_number, None
    for k, (side, text, comment) in enumerate(moves):
        if side == chess.WHITE and k and last_side == chess.BLACK:
            number += 1
        if side == chess.WHITE or k == 0:
            tokens.append(f"{number}." if side == chess.WHITE else f"{number}...")
        tokens.append(text)
        if comment:
            tokens.append("{" + comment.replace("}", ")").replace("\n", " ") + "}")
        last_side = side
    tokens.append(headers["Result"])
    return f"{tags}\n{textwrap.fill(' '.join(tokens), 100, break_long_words=False, break_on_hyphens=False)}\n\n"
