// The levels of the engine, from beginner to full strength: how far a search goes, and how a move is chosen.

/**
 * A level searches to `limits` (the words after `go`) and finds its best `lines` moves. It plays the best, or with the
 * probability `slip` the next one, and so on: so it errs as people do, and games differ. `method` is a value of
 * the option Search Method: a search as textbooks have it.
 */
const LEVELS = [
  { name: "beginner", limits: "depth 1", lines: 6, slip: 0.5 },
  { name: "easy", limits: "depth 2", lines: 4, slip: 0.3 },
  { name: "casual", limits: "nodes 1500", lines: 3, slip: 0.15 },
  { name: "club", limits: "nodes 20000", lines: 2, slip: 0.08 },
  { name: "strong", limits: "nodes 200000", lines: 1, slip: 0 },
  { name: "full", limits: "movetime 3000", lines: 1, slip: 0 },
  { name: "textbook", limits: "depth 3", lines: 1, slip: 0, method: "alphabeta-hard" },
];

/** Chooses among the moves of a search's lines, best first. */
function chooseMove(lines, best, slip) {
  const move = lines.find(({ score }) => score.mate === 1 || Math.random() >= slip);
  return move?.pv[0] ?? best;
}
