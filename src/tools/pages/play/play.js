// The page: what its controls do, and when the engine thinks.

/** The shortest time of a move by the engine, in milliseconds, so that the reader sees it. */
let moveTime = 350;
/** The boards of Go that the page offers: ranks and files. */
const GO_SIZES = [9, 13, 19];
/** After this many failures without a move between them the engine is left alone. */
const MAX_FAILURES = 3;

let rules = null;
let engine = null;
let game = null;
let board = null;
/** The games of this engine. */
let variants = [];
/** The number of the last call of `think`: what an earlier one finds is void. */
let thought = 0;
let isAnalysing = false;
let analysed = [];
/** The game after the last move of the engine, and the figures of its search. */
let lastSearch = { path: null, figures: null };
let hintMove = null;
/** What the reader sets up, or null. */
let editor = null;
let failures = 0;

function refresh() {
  hintMove = null;
  analysed = [];
  draw();
  think();
}

function draw() {
  document.body.classList.toggle("editing", editor !== null);
  if (editor) return drawEditor();
  const { variant, viewed, settings } = game;
  const last = game.view > 0 ? game.line.state.played[game.view - 1].move : null;
  xiangqiHasLetters = settings.letters;
  board.render({
    variant, position: viewed.position, last, arrows: arrows(),
    moves: game.isPlayable ? viewed.moves : [],
    check: viewed.in_check ? viewed.side : null,
    flipped: game.isFlipped,
    label: texts.board(texts.games[variant]),
  });
  write(byId("status"), hintMove ? texts.hintIs(hintMove.text) : statusText(game));
  showMoves(byId("moves"), game, node => {
    game.showMove(node);
    refresh();
  });
  byId("position-text").textContent = viewed.position;
  byId("off-board").replaceChildren(...board.movesOffBoard().map(move =>
    html("button", { type: "button", textContent: moveText(variant, move, viewed.side), onclick: () => playMove(move.move) })));
  byId("go-on").hidden = game.isLast;
  byId("size-field").hidden = variant !== "go";
  byId("letters-field").hidden = variant !== "xiangqi";
  byId("set-up").hidden = !Editor.knows(variant);
  byId("random-start").hidden = game.state.starts === 1;
  byId("level-field").hidden = settings.opponent === "none";
  for (const field of document.querySelectorAll(".of-clock")) field.hidden = !game.clock.isOn;
  showClocks(byId("clocks"), game);
  setDisabled({
    takeBack: game.moves.length === 0, hint: !game.isPlayable || viewed.moves.length === 0, resign: game.isOver || settings.opponent === "both",
    turn: ["cfour", "trianglewar", "gametree"].includes(variant),
    analyse: isEngineAlone(), showSearch: viewed.moves.length === 0,
    graph: game.line.path.length < 2, first: game.view === 0, back: game.view === 0,
    forward: game.view === game.line.path.length, last: game.view === game.line.path.length,
  });
  drawAnalysis();
  drawGraph(byId("graph"), game, goTo);
}

/** Draws what the reader sets up, and below it the pieces to choose from, the sides, and what ends it. */
function drawEditor() {
  const { variant, text, side } = editor;
  const label = texts.board(texts.games[variant]);
  const change = act => value => {
    act(value);
    draw();
  };
  board.render({
    variant, position: text, last: null, arrows: [], moves: [], check: null, flipped: game.isFlipped, label, onCell: change(cell => editor.put(cell)),
  });
  write(byId("status"), texts.settingUp);
  const button = (content, act, isChosen = null) => {
    const element = html("button", { type: "button", onclick: act }, content);
    if (isChosen !== null) element.setAttribute("aria-pressed", String(isChosen));
    return element;
  };
  const palette = editor.pieces.map(piece => {
    const picture = svg("svg", { viewBox: "0 0 48 48", "aria-hidden": "true" }, svg("g", { class: boardClass(variant) }, drawPiece(variant, piece, 24, 24, 48)));
    const element = button(picture, change(() => { editor.piece = piece; }), editor.piece === piece);
    element.className = "palette";
    element.ariaLabel = pieceName(variant, piece);
    return element;
  });
  const sides = [0, 1].map(number => button(texts.toMove(sideName(variant, number)).replace(/[.。]$/, ""), change(() => { editor.side = number; }), side === number));
  byId("off-board").replaceChildren(...palette, ...sides, button(texts.clear, change(() => editor.clear())),
    button(texts.done, endSettingUp), button(texts.cancel, () => { editor = null; refresh(); }));
}

/** Begins a game at what the reader has set up, or says what is wrong with it. */
function endSettingUp() {
  const { candidates } = editor;
  const errors = candidates.map(text => rules.ask({ variant: game.variant, position: text }).error);
  const first = errors.findIndex(error => !error);
  if (first < 0) return showFailure(errors.at(-1));
  leaveGame(() => {
    editor = null;
    byId("failure").hidden = true;
    game.load(candidates[first]);
    writeChoices();
    refresh();
  });
}

function setDisabled(states) {
  for (const [action, isDisabled] of Object.entries(states)) document.querySelector(`[data-go="${action}"]`).disabled = isDisabled;
}

/** Whether the engine plays against itself now: then it has no time to analyse. */
function isEngineAlone() {
  return game.settings.opponent === "both" && game.isLast && !game.isOver;
}

function arrows() {
  if (hintMove) return [{ move: hintMove.move, kind: "best" }];
  return analysed.map(({ pv }, index) => ({ move: pv[0], kind: index === 0 ? "best" : "other" })).reverse();
}

function drawAnalysis() {
  const [best] = analysed;
  byId("analyse").textContent = isAnalysing ? texts.stop : texts.analyse;
  byId("analyse").setAttribute("aria-pressed", String(isAnalysing));
  const ofMove = lastSearch.path === game.path && game.isLast ? lastSearch.figures : null;
  byId("numbers").textContent = best ? figuresText(best) : ofMove ? texts.ofMove(figuresText(ofMove)) : "";
  showLines(byId("analysis-lines"), game, analysed);
  const expected = best && (game.viewed.side === 0 ? best.expected : 1 - best.expected);
  showBar(byId("bar"), isAnalysing ? expected ?? 0.5 : null, game.isFlipped, hasStones(game.variant));
}

/** The figures of a search. The branching factor is the mean number of moves that a position cost: nodes^(1/depth). */
function figuresText({ depth, nodes, nps }) {
  return texts.figures(depth, grouped(nodes), grouped(nps), depth > 0 ? (nodes ** (1 / depth)).toFixed(1) : "–");
}

// ---- The engine ----

/** Lets the engine do what the game asks for now: play a move, analyse, or nothing. */
async function think() {
  const number = ++thought;
  if (editor) return engine.stop();
  const { viewed, settings } = game;
  if (game.isLast && !game.isOver && game.isEngine(viewed.side)) {
    const level = LEVELS[settings.level];
    const limits = level.method ? null : game.clock.limits;
    // With little time the reader sees a move for a shorter time.
    const least = limits ? Math.min(moveTime, game.clock.now[viewed.side] / 50) : moveTime;
    const [found] = await Promise.all([engine.search(game.question(), { ...level, ...(limits && { limits }) }), pause(least)]);
    if (number !== thought || !found?.best) return;
    failures = 0;
    game.play(found.best);
    lastSearch = { path: game.path, figures: found.lines[0] ?? null };
    refresh();
    const { side, ...move } = game.tree[game.path.at(-1)];
    byId("spoken").textContent = texts.plays(sideName(game.variant, side), moveText(game.variant, move, side));
  } else if (isAnalysing && viewed.moves.length) {
    const lines = Math.min(Number(byId("lines").value), viewed.moves.length);
    await engine.search(game.question(), { limits: "depth 240", lines }, found => {
      if (number !== thought) return;
      analysed = found;
      evaluations.set(evaluationKey(game.variant, viewed.position), viewed.side === 0 ? found[0].expected : 1 - found[0].expected);
      draw();
    });
  } else {
    engine.stop();
  }
}

const pause = milliseconds => new Promise(end => setTimeout(end, milliseconds));

function showFailure(text) {
  byId("failure").hidden = false;
  byId("failure").textContent = text;
}

function engineFailed(message) {
  failures += 1;
  showFailure(texts.failed(message));
  if (failures < MAX_FAILURES) think();
}

async function showHint() {
  const number = ++thought;
  const found = await engine.search(game.question(), { limits: "nodes 200000", lines: 1 });
  if (number !== thought || !found?.best) return;
  const { line } = rules.ask(game.question({ line: [found.best] }));
  hintMove = { move: found.best, text: moveText(game.variant, line[0], game.viewed.side) };
  draw();
  if (isAnalysing) think();
}

async function showGraph() {
  isAnalysing = false;
  refresh();
  const number = ++thought;
  await evaluateGame(game, engine, () => number !== thought, draw);
  if (number === thought) think();
}

// ---- Actions ----

function played(moves) {
  if (moves.length === 1) return playMove(moves[0].move);
  ask(texts.promotion, moves.map(({ move }) => {
    const piece = game.viewed.side === 0 ? move.at(-1).toUpperCase() : move.at(-1);
    const picture = svg("svg", { viewBox: "0 0 48 48", "aria-hidden": "true" }, drawPiece(game.variant, piece, 24, 24, 48));
    return { label: pieceName(game.variant, piece), content: picture, act: () => playMove(move) };
  }));
}

function playMove(move) {
  byId("failure").hidden = true;
  const error = game.play(move);
  if (error) return engineFailed(error);
  failures = 0;
  refresh();
}

/** Asks a question. Each answer has a label, a content (element or text) and an action. */
function ask(question, answers) {
  const dialog = byId("asking");
  const close = act => () => {
    dialog.close();
    act();
  };
  byId("question").textContent = question;
  byId("answers").replaceChildren(
    ...answers.map(({ label, content, act }) => {
      const button = html("button", { type: "button", onclick: close(act), title: label }, content);
      button.setAttribute("aria-label", label);
      return button;
    }),
    html("button", { type: "button", onclick: close(() => {}), textContent: texts.cancel }));
  dialog.showModal();
}

/** Does what ends the game; first asks if it is being played. */
function leaveGame(act) {
  if (game.path.length < 2 || game.isOver) act();
  else ask(texts.leaveQuestion, [{ label: texts.leave, content: texts.leave, act }]);
}

function goTo(ply) {
  game.show(ply);
  refresh();
}

/** The position with which a new game begins; "" is the usual one. */
function startOf(variant) {
  const { size } = game.settings;
  return variant === "go" ? `${Array(size).fill(size).join("/")} b` : "";
}

function begin(variant, position = startOf(variant)) {
  byId("failure").hidden = true;
  editor = null;
  game.begin(variant, position);
  byId("variant").value = variant;
  writeChoices();
  refresh();
}

function resign() {
  const side = game.settings.opponent === "first" ? 1 : game.settings.opponent === "second" ? 0 : game.state.side;
  ask(texts.resignQuestion, [{ label: texts.yes, content: texts.yes, act: () => {
    game.lose(side, "resigned");
    refresh();
  } }]);
}

/** Shows the clocks, and ends the game if the time of the side to move is up. */
function tick() {
  if (!game.clock.isOn || editor) return;
  const { side } = game.state;
  if (game.clock.isRunning && game.clock.now[side] === 0) {
    game.lose(side, "time");
    refresh();
  } else {
    showClocks(byId("clocks"), game);
  }
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    byId("exchange-note").textContent = texts.copied;
  } catch {
    byId("exchange").value = text;
    byId("exchange").select();
    byId("exchange-note").textContent = texts.notCopied;
  }
}

/** Saves the record as a file. */
function save() {
  const { record, variant } = game;
  const format = record.startsWith("(") ? "sgf" : "pgn";
  const type = { sgf: "application/x-go-sgf", pgn: "application/x-chess-pgn" }[format];
  const address = URL.createObjectURL(new Blob([record], { type }));
  html("a", { href: address, download: `duiyi-${variant}.${format}` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

async function openFile(file) {
  const bytes = await file.arrayBuffer();
  try {
    byId("exchange").value = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Older Chinese records.
    byId("exchange").value = new TextDecoder("gb18030").decode(bytes);
  }
  load();
}

function load() {
  const text = byId("exchange").value;
  const error = text.trim() ? game.load(text) : texts.nothingToLoad;
  byId("exchange-note").textContent = error || [texts.loaded, ...game.warnings].join(" ");
  if (error) return;
  byId("variant").value = game.variant;
  writeChoices();
  refresh();
}

const ACTIONS = {
  newGame: () => leaveGame(() => begin(game.variant)),
  randomStart: () => leaveGame(() => {
    const number = 1 + Math.floor(Math.random() * (game.state.starts - 1));
    begin(game.variant, rules.ask({ variant: game.variant, number }).start);
  }),
  takeBack: () => {
    game.takeBack();
    refresh();
  },
  hint: showHint,
  turn: () => {
    game.settings.flipped = !game.settings.flipped;
    game.save();
    draw();
  },
  resign,
  first: () => goTo(0),
  back: () => goTo(game.view - 1),
  forward: () => goTo(game.view + 1),
  last: () => goTo(game.line.path.length),
  graph: showGraph,
  goOn: () => {
    game.goOnFrom(game.line.path.slice(0, game.view));
    refresh();
  },
  analyse: () => {
    isAnalysing = !isAnalysing;
    refresh();
  },
  showSearch: () => {
    const { page, error } = rules.ask(game.question({ trace: true }));
    if (error) return showFailure(error);
    open(URL.createObjectURL(new Blob([page], { type: "text/html" })));
  },
  copyPosition: () => copy(game.viewed.position),
  copyLink: () => copy(location.href.replace(/#.*/, "") + game.link),
  copyRecord: () => copy(game.record),
  setUp: () => {
    editor = new Editor(game);
    refresh();
    byId("board").focus();
  },
  load,
  save,
  open: () => byId("file").click(),
};

const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

// ---- Controls ----

/** Fills the lists of choices in the page's language. */
function writeChoices() {
  const option = (value, text) => html("option", { value, textContent: text });
  const sides = [0, 1].map(side => sideName(game.variant, side));
  byId("variant").replaceChildren(...Object.entries(texts.games).filter(([name]) => variants.includes(name)).map(([name, text]) => option(name, text)));
  byId("variant").value = game.variant;
  byId("opponent").replaceChildren(...Object.entries(texts.opponents).map(([name, text]) => option(name, text(sides))));
  byId("opponent").value = game.settings.opponent;
  byId("level").replaceChildren(...LEVELS.map(({ name }, index) => option(index, texts.levels[name])));
  byId("level").value = game.settings.level;
  byId("size").replaceChildren(...GO_SIZES.map(size => option(size, `${size} × ${size}`)));
  byId("size").value = game.settings.size;
  byId("letters").checked = game.settings.letters;
  byId("clock").replaceChildren(...Object.entries(texts.clocks).map(([name, text]) => option(name, text(sides))));
  for (const name of ["clock", "minutes", "increment"]) byId(name).value = game.settings[name];
}

function bindControls() {
  bindActions(ACTIONS, KEYS);
  window.addEventListener("hashchange", () => {
    const error = location.hash && game.follow(location.hash);
    if (error) showFailure(texts.badLink(error));
    else if (location.hash) begin(game.variant, game.position);
    forgetLink();
  });
  byId("variant").addEventListener("change", ({ target }) => {
    const { value } = target;
    target.value = game.variant;
    leaveGame(() => begin(value));
  });
  byId("size").addEventListener("change", ({ target }) => {
    const size = Number(target.value);
    target.value = game.settings.size;
    leaveGame(() => {
      game.settings.size = size;
      begin(game.variant);
    });
  });
  byId("lines").addEventListener("change", refresh);
  byId("file").addEventListener("change", event => {
    if (event.target.files.length) openFile(event.target.files[0]);
    event.target.value = "";
  });
  const onSetting = (name, value) => byId(name).addEventListener("change", event => {
    game.settings[name] = value(event.target);
    if (name === "opponent") game.settings.flipped = null;
    // A game that is being played keeps its times.
    if (name === "clock" || (["minutes", "increment"].includes(name) && game.path.length === 0)) game.clock.reset();
    game.save();
    refresh();
  });
  onSetting("opponent", ({ value }) => value);
  onSetting("level", ({ value }) => Number(value));
  onSetting("letters", ({ checked }) => checked);
  onSetting("clock", ({ value }) => value);
  for (const name of ["minutes", "increment"]) {
    onSetting(name, input => {
      input.value = Math.min(Math.max(Math.trunc(Number(input.value)), Number(input.min)), Number(input.max));
      return Number(input.value);
    });
  }
  setInterval(tick, 100);
  window.addEventListener("pagehide", () => game.save());
  byId("language").addEventListener("click", () => {
    changeLanguage();
    writeChoices();
    draw();
  });
}

/** Drops the link from the address, so that a reload keeps the game that goes on from it. */
function forgetLink() {
  if (location.hash) history.replaceState(null, "", location.href.replace(/#.*/, ""));
}

/** What the browser lacks to run the engine; empty if nothing. */
function lacking() {
  const needs = { WebAssembly: "WebAssembly" in window, DecompressionStream: "DecompressionStream" in window, Worker: "Worker" in window, dialog: "HTMLDialogElement" in window };
  return Object.keys(needs).filter(name => !needs[name]);
}

async function main() {
  startLanguage();
  const status = byId("status");
  const lacks = lacking();
  if (lacks.length) {
    status.textContent = texts.tooOld(lacks.join(", "));
    return;
  }
  status.textContent = texts.loading;
  const module = await unpackEngine(byId("engine").textContent.trim());
  byId("engine").remove();
  rules = new Rules(module);
  await rules.start();
  engine = new Engine(module, engineFailed);
  variants = Object.keys(texts.games).filter(variant => !rules.ask({ variant }).error);
  game = new Game(rules);
  forgetLink();
  board = new Board(byId("board"), byId("spoken"), played);
  bindControls();
  writeChoices();
  byId("variant").disabled = false;
  if (game.linkError) showFailure(texts.badLink(game.linkError));
  refresh();
  document.body.dataset.ready = "true";
}

main().catch(error => {
  // An engine that does not compile needs what the browser has not.
  const isTooOld = "WebAssembly" in window && error instanceof WebAssembly.CompileError;
  byId("status").textContent = isTooOld ? texts.tooOld("SIMD of WebAssembly") : texts.cannotStart(String(error));
});
