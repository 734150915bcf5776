// The page of `duiyi analyse --html`. The index comes first. Each game has a review and records, as in `analyse --json`, in an
// element of its own, which is read when the game is chosen.

const { variant, unit, index } = pageData;
const state = { timer: null, number: 0, game: null, ply: 0, threshold: 0, flipped: false };
const WAIT_MS = 30; // Between two looks at a file that the browser still reads.
const MARKS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
const PHASES = ["opening", "middlegame", "endgame"];
/** The names of both sides in the language of the page. */
const sidesNow = () => pageData.sides.map(texts.side);
/** A move in the language of the page. `side` is white for the first side. */
const moveText = (text, side) => texts.move(text, side === "white" ? 0 : 1, variant);
const percent = (value, digits = 1) => `${value.toFixed(digits)} %`;

const gameName = ({ players, result }) => `${players.join(" – ")}, ${result}`;
const dots = position => (position.side === "white" ? "." : "…");

/** The move played in a position, with its number. */
const numberedMove = (position, move) => `${position.number}${dots(position)} ${moveText(move, position.side)}`;

/** A score for the first side as people read it: `+0.31`, or `#−3` for a mate in three moves by Black. */
function scoreText(score, side) {
  if (!score) return "–";
  const sign = side === "white" ? 1 : -1;
  if (score.mate === 0) return "#";
  if (score.mate !== undefined) return `#${sign * score.mate}`.replace("-", "−");
  const value = sign * score.cp / unit;
  return `${value > 0 ? "+" : ""}${value.toFixed(unit === 1 ? 0 : 2)}`.replace("-", "−");
}

/** The moves of a line with their numbers, from a position of the game. */
function lineText(position, moves) {
  let { number, side } = position;
  return moves.map((move, index) => {
    const start = side === "white" ? `${number}. ` : index === 0 ? `${number}… ` : "";
    const text = start + moveText(move, side);
    number += side === "black";
    side = side === "white" ? "black" : "white";
    return text;
  }).join(" ");
}

/** The listed plies: those of moves that lost at least the threshold. */
function listed(game) {
  return game.positions.flatMap((position, ply) => (position.move !== undefined && position.expected_lost >= state.threshold ? [ply] : []));
}

// ---- The chosen position ----

function showPosition() {
  const { game } = state;
  const [position, record] = [game.positions[state.ply], game.records[state.ply]];
  const drawn = drawPosition(variant, record.position, {
    size: 400, flipped: state.flipped,
    arrows: [
      ...(position.move && position.move !== position.best_move ? [{ move: position.move, kind: "played" }] : []),
      ...(position.best_move ? [{ move: position.best_move, kind: "best" }] : []),
    ],
  });
  byId("board").replaceChildren(drawn);
  const text = sentence(game, position, record);
  byId("sentence").textContent = text;
  const facts = [
    // The end of a game by mate has no score to show.
    ...(record.lines[0]?.score?.mate === 0 ? [] : [[texts.score, scoreText(record.lines[0]?.score, position.side)]]),
    [texts.expects(sidesNow()[0]), percent(100 * position.expected)],
    ...(position.move === undefined ? [] : [[texts.accuracy, percent(position.accuracy)]]),
    [texts.search, texts.searchFact(record.depth, grouped(record.nodes), grouped(record.ms))],
  ];
  byId("facts").replaceChildren(...facts.flatMap(([term, content]) => [html("dt", { textContent: term }), html("dd", { textContent: content })]));
  const lines = record.lines.filter(line => line.pv.length);
  byId("lines").hidden = lines.length === 0;
  byId("lines").replaceChildren(html("summary", { textContent: lines.length > 1 ? texts.lines(lines.length) : texts.bestLine }),
    html("ol", { className: "lines" }, ...lines.map(line => html("li", {}, html("b", { textContent: scoreText(line.score, position.side) }), ` ${lineText(position, line.pv)}`))));
  const slider = byId("slider");
  slider.value = state.ply;
  byId("place").textContent = position.move === undefined ? texts.endPlace(state.ply) : numberedMove(position, record.played);
  slider.setAttribute("aria-valuetext", text);
  const moves = byId("moves");
  for (const item of moves.children) item.removeAttribute("aria-current");
  const current = moves.querySelector(`[data-ply="${state.ply}"]`);
  if (current) {
    current.setAttribute("aria-current", "true");
    scrollIntoBox(moves, current);
  }
  showGraph();
  history.replaceState(null, "", `#${state.number + 1}.${state.ply}`);
}

/** What the chosen move did. */
function sentence(game, position, record) {
  if (position.move === undefined) return texts.endOfGame(game.result);
  const move = numberedMove(position, record.played);
  if (record.played === record.best) return texts.isBest(move);
  const lost = position.expected_lost > 0 ? percent(100 * position.expected_lost) : null;
  return texts.judged(move, lost, texts.marks[position.mark] ?? "", moveText(record.best, position.side));
}

function showGraph() {
  const { game } = state;
  const points = game.positions.map((position, ply) => ({ x: ply, y: 100 * position.expected }));
  const marks = game.positions.flatMap((position, ply) => (position.mark ? [{
    x: ply + 1, y: 100 * game.positions[ply + 1].expected, kind: position.mark,
    title: numberedMove(position, game.records[ply].played) + MARKS[position.mark],
  }] : []));
  const starts = PHASES.map(phase => [texts.phases[phase], game.positions.findIndex(position => position.phase === phase)]).filter(([, ply]) => ply >= 0);
  const first = game.positions[0];
  const numberOf = ply => String(first.number + Math.floor((ply + (first.side === "black")) / 2));
  const last = game.positions.length - 1;
  const plies = Array.from({ length: last + 1 }, (_, ply) => ply).filter(ply => (ply + (first.side === "black")) % 2 === 0);
  const step = Math.max(1, [1, 2, 5, 10, 20, 50, 100].find(count => plies.length / count <= 10) ?? 200);
  const [side] = sidesNow();
  drawChart(byId("graph"), {
    label: texts.graph(side, last, marks.length),
    x: { label: texts.moveAxis, min: 0, max: Math.max(last, 1), ticks: plies.filter((ply, index) => index % step === 0), format: numberOf },
    y: { label: texts.expectsPercent(side), min: 0, max: 100, ticks: [0, 25, 50, 75, 100] },
    series: [{ name: texts.expectedResult(side), kind: "area", points: points.concat(marks).sort((a, b) => a.x - b.x) }],
    rules: starts.length > 1 ? starts.map(([label, x]) => ({ x, label })) : [],
    at: state.ply,
    choose: goTo,
  });
}

// ---- The chosen game ----

function showGame() {
  const { game } = state;
  byId("game").value = state.number;
  byId("name").textContent = gameName(index[state.number]);
  const tags = new Map(game.tags);
  const place = ["Event", "Site", "Date", "Round"].map(name => tags.get(name)).filter(value => value && !/^[?.]+$/.test(value));
  byId("opening").textContent = [game.opening && `${game.opening.eco} ${game.opening.name}`, ...place].filter(Boolean).join(" · ");
  byId("slider").max = game.positions.length - 1;
  byId("players").replaceChildren(playerTable(texts.players, game.players));
  for (const row of byId("games").querySelectorAll("tbody tr")) row.removeAttribute("aria-current");
  byId("games").querySelectorAll("tbody tr")[state.number]?.setAttribute("aria-current", "true");
  showMoves();
  showPosition();
}

/** Lists the moves that lost at least the threshold. Two moves stand in a row. */
function showMoves() {
  const { game } = state;
  const plies = listed(game);
  byId("listed").textContent = state.threshold ? texts.listed(plies.length, game.positions.length - 1) : "";
  byId("moves").replaceChildren(...plies.map((ply, index) => {
    const [position, record] = [game.positions[ply], game.records[ply]];
    const hasNumber = position.side === "white" || index === 0 || plies[index - 1] !== ply - 1 || state.threshold > 0;
    const button = html("button", { type: "button", onclick: () => goTo(ply) },
      hasNumber ? html("span", { className: "number", textContent: `${position.number}${dots(position)}` }) : "", moveText(record.played, position.side), html("b", { textContent: MARKS[position.mark] ?? "" }));
    const item = html("li", { className: position.mark ?? "" }, button);
    item.dataset.ply = ply;
    if (position.side === "black" && hasNumber && state.threshold === 0) item.classList.add("alone");
    if (state.threshold > 0) item.append(html("span", { textContent: ` −${percent(100 * position.expected_lost, 0)}; ${moveText(record.best, position.side)} ${scoreText(record.lines[0]?.score, position.side)}` }));
    return item;
  }));
  byId("moves").classList.toggle("chosen", state.threshold > 0);
}

/** Accuracy, loss and marks of players, in total and by phase. */
function playerTable(caption, players) {
  const row = (name, totals) => [name, String(totals.moves), percent(totals.accuracy_sum / totals.moves), (totals.centipawn_loss / totals.moves).toFixed(1),
    percent(100 * totals.expected_lost / totals.moves, 2), ...totals.marks.map(String)];
  const rows = players.flatMap(player => {
    if (player.moves === 0) return [[player.name, "0", "–", "–", "–", "0", "0", "0"]];
    const phases = PHASES.filter(phase => player.phases[phase]);
    return [row(html("b", { textContent: player.name }), player), ...(phases.length > 1 ? phases.map(phase => row(texts.inPhase(texts.phases[phase]), player.phases[phase])) : [])];
  });
  return table(caption, texts.playerColumns, rows);
}

/** The index of a file with several games. */
function showIndex() {
  const rows = index.map((game, number) => {
    const link = html("a", { href: `#${number + 1}.0`, textContent: game.players.join(" – ") });
    const accuracy = game.accuracy.map(value => (value === null ? "–" : percent(value)));
    return [String(number + 1), link, game.result, String(game.plies), ...accuracy, game.blunders.join(" : "), game.opening ? `${game.opening.eco} ${game.opening.name}` : ""];
  });
  byId("games").replaceChildren(table("", texts.gameColumns(sidesNow()), rows));
  byId("totals").replaceChildren(playerTable(texts.allGames, pageData.players));
  byId("game").replaceChildren(...index.map((game, number) => html("option", { value: number, textContent: `${number + 1}: ${gameName(game)}` })));
  byId("index").hidden = byId("choice").hidden = index.length < 2;
}

// ---- Actions ----

function goTo(ply) {
  state.ply = Math.min(Math.max(ply, 0), state.game.positions.length - 1);
  showPosition();
}

function goToListed(direction) {
  const plies = listed(state.game).filter(ply => (ply - state.ply) * direction > 0);
  if (plies.length) goTo(direction > 0 ? plies[0] : plies.at(-1));
}

const ACTIONS = {
  first: () => goTo(0),
  previous: () => goTo(state.ply - 1),
  next: () => goTo(state.ply + 1),
  last: () => goTo(Infinity),
  mark: () => goToListed(1),
  "previous-mark": () => goToListed(-1),
  lines: () => { byId("lines").open = !byId("lines").open; },
  flip: () => { state.flipped = !state.flipped; showPosition(); },
};
const KEYS = {
  ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", PageDown: "mark", PageUp: "previous-mark", l: "lines", f: "flip",
};

/** The review and the records of a game, or null while the browser has not read its element to the end. */
function readGame(number) {
  const part = document.getElementsByClassName("part")[number];
  return part && (part.nextElementSibling || document.readyState !== "loading") ? JSON.parse(part.textContent) : null;
}

/** Shows a game, as soon as it can be read. */
function chooseGame(number, ply) {
  clearTimeout(state.timer);
  const game = number === state.number && state.game ? state.game : readGame(number);
  if (!game) {
    state.timer = setTimeout(chooseGame, WAIT_MS, number, ply);
    return;
  }
  if (!state.game) bind();
  Object.assign(state, { number, game, ply: Math.min(Math.max(Math.trunc(ply) || 0, 0), game.positions.length - 1) });
  showGame();
}

/** Binds the controls of a game. */
function bind() {
  bindActions(ACTIONS, KEYS);
  byId("slider").addEventListener("input", event => goTo(Number(event.target.value)));
  byId("threshold").addEventListener("change", event => { state.threshold = Number(event.target.value); showMoves(); showPosition(); });
  window.addEventListener("resize", showGraph);
}

/** Shows the game and the ply that the address names, as `#2.14`. */
function readAddress() {
  const [game, ply] = location.hash.slice(1).split(".").map(Number);
  chooseGame(index[game - 1] ? game - 1 : 0, ply);
}

/** Writes what all games have in common. */
function showHeading() {
  const { nodes, movetime, depth, threads, hash } = pageData.settings;
  const limits = [nodes && texts.nodes(grouped(nodes)), movetime && texts.ms(grouped(movetime)), depth && texts.depth(depth)].filter(Boolean).join(texts.or) || texts.nodes("1,000,000");
  const moves = index.reduce((sum, game) => sum + game.plies, 0);
  byId("title").textContent = document.title;
  byId("subject").textContent = texts.subject(variant, index.length, grouped(moves), limits, threads, hash);
}

function start() {
  startLanguage();
  showHeading();
  byId("language").addEventListener("click", () => {
    changeLanguage();
    showHeading();
    showIndex();
    if (state.game) showGame();
  });
  if (index.length === 0) {
    byId("controls").hidden = true;
    document.querySelector(".sheet").hidden = true;
    return;
  }
  showIndex();
  byId("game").addEventListener("change", event => chooseGame(Number(event.target.value), 0));
  window.addEventListener("hashchange", readAddress);
  document.addEventListener("DOMContentLoaded", () => { if (!state.game) readAddress(); });
  readAddress();
}

start();
