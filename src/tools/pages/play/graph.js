// The graph of the line that is looked at, the game or a variation: what the first side could expect after each move, by short searches.

const GRAPH_LIMITS = "nodes 20000";
/** The expected results of positions that were searched, by game and position, from 0 to 1 for the first side. */
const evaluations = new Map();
const evaluationKey = (variant, position) => `${variant} ${position}`;

/** The positions of the line, from the start. */
function positionsOf({ line: { state } }) {
  return [state.start, ...state.played.map(({ position }) => position)];
}

/** What the result at the end of the line is worth; null if it goes on. */
function resultValue({ line, isVariation, forfeit }) {
  if (forfeit !== null && !isVariation) return forfeit.side;
  if (!line.state.result) return null;
  const { winner } = line.state.result;
  return winner === null ? 0.5 : 1 - winner;
}

/** Searches each position that has no evaluation yet. Ends early if `isVoid` says so. `onStep` is called after each. */
async function evaluateGame(game, engine, isVoid, onStep) {
  const { variant, line: { path, state } } = game;
  const positions = positionsOf(game);
  for (let ply = 0; ply < positions.length; ply++) {
    const key = evaluationKey(variant, positions[ply]);
    if (evaluations.has(key) || (ply === path.length && resultValue(game) !== null)) continue;
    const found = await engine.search(game.questionOf(path.slice(0, ply)), { limits: GRAPH_LIMITS, lines: 1 });
    if (isVoid()) return;
    const best = found?.lines[0];
    const side = ply < path.length ? state.played[ply].side : state.side;
    if (best) evaluations.set(key, side === 0 ? best.expected : 1 - best.expected);
    onStep();
  }
}

/** Draws the graph of the positions that have an evaluation. */
function drawGraph(box, game, choose) {
  const positions = positionsOf(game);
  const last = positions.length - 1;
  const value = ply => (ply === last ? resultValue(game) : null) ?? evaluations.get(evaluationKey(game.variant, positions[ply]));
  const points = positions.flatMap((_, ply) => (value(ply) === undefined ? [] : [{ x: ply, y: 100 * value(ply) }]));
  box.hidden = points.length < 2 || last < 2;
  if (box.hidden) return;
  const label = texts.expects(sideName(game.variant, 0));
  drawChart(box, {
    label,
    x: { label: texts.ply, min: 0, max: last, whole: true },
    y: { label, min: 0, max: 100, ticks: [0, 25, 50, 75, 100] },
    series: [{ name: label, kind: "area", points }],
    at: game.view,
    choose,
  });
}
