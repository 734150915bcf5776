// The page of `search_log.py --html`. Scores are in hundredths of a unit; those of mates are near MATE_CP.

const { games, depths } = pageData;
const MATE_CP = 10_000_000; // As in scripts/duiyi_log/reading.py.
const SHOWN_UNITS = 10; // Charts of scores end here.
const [startGame, startMove] = pageData.start;
const state = { game: startGame, move: startMove };
const engines = [...new Set([...depths.map(row => row.engine), ...games.flatMap(game => game.moves.map(move => move.engine))])];

function scoreText(score) {
  if (score === null) return "–";
  const sign = score > 0 ? "+" : score < 0 ? "−" : "";
  if (Math.abs(score) > MATE_CP - 100_000) return `${sign}M${(MATE_CP - Math.abs(score)) / 100}`;
  return sign + (Math.abs(score) / 100).toFixed(2);
}

/** A series of points for each engine that has some. */
function seriesOf(rows, x, y, title) {
  return engines.map(name => ({ name, kind: "line", points: rows.flatMap((row, index) => (row.engine === name && y(row) !== null ? [{ x: x(row, index), y: y(row), title: title(row) }] : [])) }));
}

/** Draws a chart with a series for each engine. Leaves it out if it has points at one place only: a dot says nothing. */
function chartOf(id, label, x, y, series, more = {}) {
  byId(id).hidden = new Set(series.flatMap(({ points }) => points.map(point => point.x))).size < 2;
  if (!byId(id).hidden) drawChart(byId(id), { label, x, y, series, ...more });
}

function showAll() {
  const at = row => texts.depthPoint(row.engine, row.depth, row.searches);
  const depth = { label: texts.depthAxis, whole: true };
  const positive = field => row => Math.max(row[field], 1);
  // Few searches reach the largest depths, and those are of easy positions.
  const most = new Map(engines.map(name => [name, Math.max(...depths.filter(row => row.engine === name).map(row => row.searches))]));
  const common = depths.filter(row => 2 * row.searches >= most.get(row.engine));
  const draw = (id, label, x, y, fieldX, fieldY) => chartOf(id, label, x, y, seriesOf(common, fieldX, fieldY, at));
  draw("depth-time", texts.depthAgainstTime, { label: texts.medianTime, log: true }, depth, positive("time_ms"), row => row.depth);
  draw("depth-nodes", texts.depthAgainstNodes, { label: texts.medianNodes, log: true }, depth, positive("nodes"), row => row.depth);
  draw("growth", texts.growthByDepth, depth, { label: texts.growth, min: 0 }, row => row.depth, row => row.growth);
  draw("changed", texts.changesByDepth, depth, { label: texts.changes, min: 0, max: 100 },
    row => row.depth, row => (row.changed === null ? null : 100 * row.changed));
}

function showGame() {
  const { name, moves } = games[state.game];
  byId("game").value = state.game;
  byId("name").textContent = texts.gameName(name);
  byId("slider").max = moves.length - 1;
  byId("moves").replaceChildren(table("", texts.moveColumns, moves.map(move => [
    move.number, move.engine, move.text, scoreText(move.score), String(move.depth),
    move.seconds === null ? "–" : move.seconds.toFixed(3), move.nodes === null ? "–" : grouped(move.nodes),
  ])));
  showMove();
}

function showGameCharts() {
  const { moves } = games[state.game];
  const x = { label: texts.ply, whole: true, min: moves[0].ply + 1, max: Math.max(moves.at(-1).ply + 1, moves[0].ply + 2) };
  const title = move => texts.movePoint(move, scoreText(move.score));
  const choose = ply => goTo(moves.findIndex(move => move.ply + 1 === ply));
  const draw = (id, label, y, field) =>
    chartOf(id, texts.byPly(label), x, y, seriesOf(moves, move => move.ply + 1, field, title), { at: moves[state.move].ply + 1, choose });
  const largest = Math.max(1, ...moves.map(move => Math.abs(move.score ?? 0) / 100));
  const limit = Math.min(SHOWN_UNITS, Math.ceil(largest));
  draw("scores", texts.scoreForFirst, { label: texts.scoreAxis, min: -limit, max: limit }, move => (move.score === null ? null : move.score / 100));
  draw("depth", texts.depth, { label: texts.depthAxis, min: 0, whole: true }, move => move.depth);
  draw("nodes", texts.nodesPerMove, { label: texts.nodes, log: true }, move => (move.nodes === null ? null : Math.max(move.nodes, 1)));
  draw("times", texts.timePerMove, { label: texts.time, min: 0 }, move => move.seconds);
}

function showMove() {
  const { moves } = games[state.game];
  const move = moves[state.move];
  byId("slider").value = state.move;
  byId("place").textContent = `${move.number} ${move.text}`;
  byId("slider").setAttribute("aria-valuetext", texts.spoken(move));
  byId("moves").querySelectorAll("tbody tr").forEach((row, index) => row.toggleAttribute("aria-current", index === state.move));
  showGameCharts();
  byId("search").hidden = move.search === null;
  if (move.search) showSearch(move);
  history.replaceState(null, "", `#${state.game + 1}.${state.move + 1}`);
}

function showSearch(move) {
  const { search } = move;
  const { iterations } = search;
  const last = iterations.at(-1);
  byId("chosen").textContent = texts.searchOf(move, search.engine);
  byId("board").replaceChildren(drawPosition(search.variant, search.position, { size: 400, flipped: false, arrows: [{ move: search.best_move, kind: "best" }] }));
  const isChange = index => index > 0 && iterations[index].pv[0] !== iterations[index - 1].pv[0];
  const changes = iterations.filter((_, index) => isChange(index)).length;
  byId("sentence").textContent = texts.chose(search, scoreText(last.score), last.depth, grouped(search.nodes), grouped(search.time_ms), changes);
  const growth = index => (index > 0 && iterations[index - 1].nodes ? (iterations[index].nodes / iterations[index - 1].nodes) : null);
  byId("iterations").replaceChildren(table(texts.iterations, texts.iterationColumns, iterations.map((iteration, index) => [
    String(iteration.depth), String(iteration.seldepth), scoreText(iteration.score), grouped(iteration.nodes), growth(index)?.toFixed(2) ?? "–", grouped(iteration.time_ms),
    html(isChange(index) ? "strong" : "span", { textContent: isChange(index) ? texts.changed(iteration.pv[0]) : iteration.pv[0] }), iteration.pv.join(" "),
  ])));
  const points = field => engines.map(name => ({ name, kind: "line", points: name !== search.engine ? [] : iterations.map((iteration, index) => ({
    x: iteration.depth, y: field(iteration), kind: isChange(index) ? "changed" : undefined,
    title: texts.iterationPoint(iteration.depth, iteration.pv[0], scoreText(iteration.score), grouped(iteration.nodes)),
  })) }));
  const depth = { label: texts.depthWithDots, whole: true };
  const scores = iterations.map(iteration => iteration.score / 100).filter(score => Math.abs(score) <= 100 * SHOWN_UNITS);
  const bounds = scores.length ? { min: Math.min(...scores) - 0.1, max: Math.max(...scores) + 0.1 } : { min: -SHOWN_UNITS, max: SHOWN_UNITS };
  chartOf("iteration-scores", texts.scoreByDepth, depth, { label: texts.score, ...bounds }, points(iteration => iteration.score / 100));
  chartOf("iteration-nodes", texts.nodesByDepth, depth, { label: texts.nodes, log: true }, points(iteration => Math.max(iteration.nodes, 1)));
  showCounters("search-counters", search.counters);
}

// ---- Actions ----

/** Shows a table of counters, or nothing where the log has none. Its columns are engines, or searches of one of them. */
function showCounters(id, counters) {
  if (!counters) return byId(id).replaceChildren();
  const [first, ...columns] = counters.header;
  const rows = counters.rows.map(([name, ...cells]) => [texts.word(name), ...cells]);
  return byId(id).replaceChildren(table(texts.word(counters.title), [texts.word(first), ...columns.map(texts.column)], rows));
}

function goTo(move) {
  state.move = Math.min(Math.max(move, 0), games[state.game].moves.length - 1);
  showMove();
}

function goToGame(number) {
  if (!games[number]) return;
  Object.assign(state, { game: number, move: 0 });
  showGame();
}

const ACTIONS = {
  first: () => goTo(0),
  previous: () => goTo(state.move - 1),
  next: () => goTo(state.move + 1),
  last: () => goTo(Infinity),
  game: () => goToGame(state.game + 1),
  "previous-game": () => goToGame(state.game - 1),
};
const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", PageDown: "game", PageUp: "previous-game" };

function readAddress() {
  const [game, move] = location.hash.slice(1).split(".").map(Number);
  if (games[game - 1]) Object.assign(state, { game: game - 1, move: Math.min(Math.max(Math.trunc(move) - 1 || 0, 0), games[game - 1].moves.length - 1) });
  showGame();
}

/** Writes the heading and the tables of all searches. */
function showTables() {
  const count = games.reduce((sum, game) => sum + game.moves.length, 0);
  byId("title").textContent = document.title;
  byId("subject").textContent = texts.subject(games.length, grouped(count), engines);
  const { title, header, rows } = pageData.engines;
  byId("engines").replaceChildren(table(texts.word(title), header.map(texts.word), rows));
  showCounters("counters", pageData.counters);
  byId("game").replaceChildren(...games.map((game, number) => html("option", { value: number, textContent: `${number + 1}: ${texts.gameName(game.name)}` })));
  byId("depths").replaceChildren(table("", texts.depthColumns, depths.map(row => [
    String(row.depth), row.engine, String(row.searches), grouped(Math.round(row.time_ms)), grouped(Math.round(row.nodes)), row.nps === null ? "–" : grouped(Math.round(row.nps)),
    row.growth?.toFixed(2) ?? "–", row.changed === null ? "–" : `${Math.round(100 * row.changed)} %`, `${Math.round(100 * row.final)} %`,
  ])));
}

function start() {
  startLanguage();
  showTables();
  byId("language").addEventListener("click", () => {
    changeLanguage();
    showTables();
    showAll();
    showGame();
  });
  byId("all-counters").hidden = !pageData.counters;
  byId("depths").closest("details").hidden = depths.length === 0;
  byId("choice").hidden = games.length < 2;
  bindActions(ACTIONS, KEYS);
  byId("slider").addEventListener("input", event => goTo(Number(event.target.value)));
  byId("game").addEventListener("change", event => goToGame(Number(event.target.value)));
  byId("moves").addEventListener("click", event => {
    const row = event.target.closest("tbody tr");
    if (row) goTo([...row.parentNode.children].indexOf(row));
  });
  window.addEventListener("hashchange", readAddress);
  window.addEventListener("resize", () => { showAll(); showMove(); });
  showAll();
  readAddress();
}

start();
