// The graph of the game: what the first side could expect after each move, by short searches.

const GRAPH_LIMITS = "nodes 20000";
/** The expected results of positions that were searched, by game and position, from 0 to 1 for the first side. */
const evaluations = new Map();
const evaluationKey = (variant, position) => `${variant} ${position}`;

/** The positions of the game, from the start. */
function positionsOf({ state }) {
  return [state.start, ...state.played.map(({ position }) => position)];
}

/** What the result of a finished game is worth; null if it goes on. */
function resultValue({ state, resigned }) {
  if (resigned !== null) return resigned;
  if (!state.result) return null;
  const { winner } = state.result;
  return winner === null ? 0.5 : 1 - winner;
}

/** Searches each position that has no evaluation yet. Ends early if `isVoid` says so. `onStep` is called after each. */
async function evaluateGame(game, engine, isVoid, onStep) {
  const { variant, position, moves } = game;
  const positions = positionsOf(game);
  for (let ply = 0; ply < positions.length; ply++) {
    const key = evaluationKey(variant, positions[ply]);
    if (evaluations.has(key) || (ply === moves.length && resultValue(game) !== null)) continue;
    const found = await engine.search({ variant, position, moves: moves.slice(0, ply) }, { limits: GRAPH_LIMITS, lines: 1 });
    if (isVoid()) return;
    const best = found?.lines[0];
    const side = ply < moves.length ? game.state.played[ply].side : game.state.side;
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
