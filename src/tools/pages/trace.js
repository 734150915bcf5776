// The page of `duiyi trace --html`. The data are the documents of `trace --json`; a panel shows one of them at one step.

const MAX_PAGE_NODES = 10000;
const ALL_DRAWN = 400; // Up to this number of nodes the whole tree is drawn, above it only what is in view.
const BOARDS_DRAWN = 300; // Up to this number of nodes the boards are drawn in the nodes.
const MAX_LISTED_CUTOFFS = 40;
const MIN_FIT = 0.8; // The least scale to which a tree is fitted.
const SHOWN_FIELDS = ["value", "meaning", "v", "window", "alpha", "beta"]; // What a node shows of its state.
const EXAMPLES = [
  ["worked", "MAX A(B(E=3 F=12) C(G=8 H=2) D(I=4 J=6))"],
  ["seven", "MAX A(B(D=9 E=7 F=8) C(G=2 H=11 I=5 J=13))"],
  ["bags", "MAX you(red(pen=4 book=10 lamp=6) green(stone=1 ring=50 watch=30) blue(cup=5 ball=7 kite=9))"],
];

const embedded = pageData.traces;
const isTree = embedded[0].variant === "gametree";
const state = { step: 0, sync: "step", panels: [], quizzes: false, hidesLeaves: false, tree: null, depth: null, traces: new Map(), timer: null };

/** A value as people read it: with a real minus sign, and in the unit of the game. The plies to the end of `win in 3` stay. */
function shown(value, unit = 1) {
  if (value === null || value === undefined) return "";
  const number = /(?<![\w.]|(?:win|loss) in )[-+]?(\d+|inf)(?!\w)/g;
  return texts.ends(String(value)).replace(number, text => {
    if (text.endsWith("inf")) return text.replace("inf", "∞").replace("-", "−");
    return (unit === 1 ? text : (Number(text) / unit).toFixed(2)).replace("-", "−");
  });
}

const MEANING_SIGNS = { exact: "", "at-most": "≤ ", "at-least": "≥ " };

/** The first 200 characters of a text. */
function shorten(text) {
  return text.length > 200 ? `${text.slice(0, 200)} …` : text;
}

// ---- The model of a trace ----

/** Adds to a document what the page draws: nodes with children, size and place, and the node of each step. */
function buildModel(trace, tree) {
  const nodes = trace.tree.map((node, index) => ({
    ...node, index, children: [], ply: 0, path: node.move, leaf: null, firstStep: null, payoff: null, below: null,
  }));
  const byPath = new Map();
  for (const node of nodes) {
    if (node.parent !== null) {
      const parent = nodes[node.parent];
      parent.children.push(node);
      node.ply = parent.ply + 1;
      if (node.parent !== 0) node.path = `${parent.path} ${node.move}`;
    }
    byPath.set(`${node.ply} ${node.path}`, node);
  }
  let [visited, cut] = [0, 0];
  const steps = trace.steps.map((step, number) => {
    const node = byPath.get(`${step.ply} ${step.node}`);
    node.firstStep ??= number;
    if (step.step === "leaf") node.leaf = step;
    if (step.step === "enter" || step.step === "leaf") visited += 1;
    if (step.step === "cutoff") cut += 1;
    const child = step.step === "value" ? node.children.find(other => other.move === step.move) : null;
    return { ...step, at: node, child, visited, cut };
  });
  if (tree) addPayoffs(trace, nodes[0], tree.root);
  const model = { trace, nodes, steps, byPath, keys: new Map(steps.map((step, number) => [stepKey(step), number])) };
  model.hasBoards = trace.variant !== "gametree" && nodes.length <= BOARDS_DRAWN && Boolean(drawBoard(trace.variant, trace.position, 40));
  model.boardSize = trace.variant.startsWith("chess") ? 88 : trace.variant === "tictactoe" ? 42 : 64;
  measure(model);
  return model;
}

const stepKey = step => `${step.ply} ${step.node} ${step.step} ${step.move ?? ""}`;

/** Sets what the text of a tree tells about a node: the payoff of a leaf, and the nodes of a subtree that was cut off. */
function addPayoffs(trace, root, rootSource) {
  const sign = node => (trace.perspective === "MAX" || node.player === "MAX" ? 1 : -1);
  const walk = (node, source, depth) => {
    if (node.value === null) node.below = countNodes(source, depth);
    node.isInner = source.value === null;
    if (source.value !== null) node.payoff = String(sign(node) * source.value);
    const sources = new Map(source.children.map(child => [child.name, child]));
    for (const child of node.children) walk(child, sources.get(child.move), depth - 1);
  };
  walk(root, rootSource, trace.depth);
}

/** Sets the size and the place of each node. */
function measure(model) {
  const { nodes, trace } = model;
  const hasWindow = trace.steps[0].alpha !== undefined;
  const heights = [];
  const textWidth = (text, size) => [...text].length * size;
  for (const node of nodes) {
    const isInner = !node.leaf && node.value !== null;
    const label = node.leaf ? shown(node.leaf.value, trace.unit) : "";
    const board = model.hasBoards && node.position ? model.boardSize : 0;
    const window = isInner && hasWindow ? 58 : 0;
    node.shapeWidth = Math.max(34, textWidth(label, 8) + 12);
    node.width = Math.max(node.shapeWidth, board, window, textWidth(node.move, 8)) + 2;
    node.height = 18 + board + (isInner ? (board ? 22 : 32) + 16 + (hasWindow ? 30 : 2) : 28);
    heights[node.ply] = Math.max(heights[node.ply] ?? 0, node.height);
  }
  model.width = layOut(nodes[0]) + 16;
  const tops = [8];
  for (const height of heights) tops.push(tops.at(-1) + height + 38);
  for (const node of nodes) {
    node.x += 8;
    node.y = tops[node.ply];
  }
  model.height = tops.at(-1) - 30;
}

/** What is known after step `last`: a map from nodes to their state. Goes on from the last snapshot if that was earlier. */
function snapshot(model, last) {
  const isEarlier = model.known && model.knownTo <= last && model.knownTo < model.steps.length - 1;
  const first = isEarlier ? model.knownTo + 1 : 0;
  const known = isEarlier ? model.known : new Map();
  [model.known, model.knownTo] = [known, last];
  const at = node => {
    if (!known.has(node)) known.set(node, { status: "seen" });
    return known.get(node);
  };
  for (const step of model.steps.slice(first, last + 1)) {
    const entry = at(step.at);
    const window = step.after ?? step;
    if (step.alpha !== undefined) entry.window = { alpha: window.alpha, beta: window.beta };
    if (step.step === "enter") entry.v = step.v;
    if (step.step === "leaf") entry.value = step.value;
    if (step.step === "cutoff") {
      entry.isCutoff = true;
      for (const name of step.left_out) at(step.at.children.find(child => child.move === name)).status = "cut";
    }
    if (step.step === "value") {
      entry.v = step.is_best ? step.value : step.best_before ?? entry.v;
      if (step.is_best) entry.best = step.child;
      Object.assign(at(step.child), { status: "done", value: step.child.value, meaning: step.child.meaning });
    }
  }
  if (last === model.steps.length - 1) {
    Object.assign(at(model.nodes[0]), { status: "done", value: model.nodes[0].value, meaning: model.nodes[0].meaning });
  }
  const path = new Set();
  for (let node = model.steps[last].at; node; node = model.nodes[node.parent]) path.add(node);
  return { known, path, current: model.steps[last].at };
}

// ---- Drawing ----

/** Draws the tree. What has not changed since the last step stays in the document. */
function drawTree(panel) {
  const { model, box, zoom } = panel;
  const { known, path, current } = snapshot(model, panel.step);
  const isWhole = model.nodes.length <= ALL_DRAWN;
  const view = {
    left: box.scrollLeft / zoom - 200, right: (box.scrollLeft + box.clientWidth) / zoom + 200,
    top: box.scrollTop / zoom - 300, bottom: (box.scrollTop + box.clientHeight) / zoom + 300,
  };
  const isInView = (left, right, top, bottom) => isWhole || (right > view.left && left < view.right && bottom > view.top && top < view.bottom);
  const [edges, shapes] = panel.svg.children;
  const before = panel.drawn;
  panel.drawn = new Map();
  const draw = (layer, name, look, create) => {
    const old = before.get(name);
    if (old?.look === look) {
      before.delete(name);
      panel.drawn.set(name, old);
    } else {
      const element = create();
      layer.append(element);
      panel.drawn.set(name, { look, element });
    }
  };
  for (const node of model.nodes) {
    const entry = known.get(node);
    const status = entry?.status ?? "unseen";
    const classes = ["node", node.player.toLowerCase(), status];
    if (path.has(node)) classes.push("path");
    if (node === current) classes.push("current");
    const parent = model.nodes[node.parent];
    if (parent && isInView(Math.min(node.x, parent.x), Math.max(node.x, parent.x), parent.y, node.y)) {
      const kind = status === "cut" ? "cut" : path.has(node) ? "path" : known.get(parent)?.best === node ? "best" : status;
      const bottom = known.has(parent) || parent.position ? parent.height : 52;
      draw(edges, `edge ${node.index}`, `${kind} ${bottom}`, () => drawEdge(node, parent, kind, bottom));
    }
    if (path.has(node) || isInView(node.x - node.width, node.x + node.width, node.y, node.y + node.height)) {
      const look = `${classes} ${JSON.stringify(entry, SHOWN_FIELDS)}`;
      draw(shapes, `node ${node.index}`, look, () => drawNode(model, node, entry, classes.join(" ")));
    }
  }
  for (const { element } of before.values()) element.remove();
}

function drawEdge(node, parent, kind, bottom) {
  const [x1, y1, x2, y2] = [parent.x, parent.y + bottom, node.x, node.y];
  const edge = svg("g", {}, svg("path", { d: `M${x1} ${y1}L${x2} ${y2}`, class: `edge ${kind}` }));
  if (kind !== "cut") return edge;
  const [x, y] = [x1 + (x2 - x1) * 0.6, y1 + (y2 - y1) * 0.6];
  edge.append(svg("path", { d: `M${x - 7} ${y + 6}l7 -12M${x} ${y + 6}l7 -12`, class: "slashes" }));
  return edge;
}

/** Draws a node: its name, its board or shape, its value, and alpha and beta of an inner node. */
function drawNode(model, node, entry, classes) {
  const { unit, variant } = model.trace;
  const group = svg("g", { class: classes, transform: `translate(${node.x} ${node.y})`, "data-node": node.index });
  const text = (y, content, kind) => group.append(svg("text", { y, class: kind }, content));
  text(12, node.move, "name");
  let y = 18;
  if (model.hasBoards && node.position) {
    const board = drawBoard(variant, node.position, model.boardSize);
    board.setAttribute("transform", `translate(${-model.boardSize / 2} ${y})`);
    group.append(board);
    y += model.boardSize + 3;
  }
  const isInner = node.isInner ?? (!node.leaf && node.value !== null);
  const half = node.shapeWidth / 2;
  const value = entry?.value !== undefined && entry.value !== null ? MEANING_SIGNS[entry.meaning ?? "exact"] + shown(entry.value, unit) : null;
  if (!isInner || node.leaf) {
    group.append(svg("rect", { x: -half, y, width: 2 * half, height: 24, rx: 2, class: "shape" }));
    text(y + 17, value ?? (state.hidesLeaves ? "?" : shown(node.payoff, unit)), "value");
    return group;
  }
  const size = y > 18 ? 18 : 30;
  const points = node.player === "MAX" ? `M0 ${y}l${size * 0.6} ${size}h${-size * 1.2}Z` : `M0 ${y + size}l${size * 0.6} ${-size}h${-size * 1.2}Z`;
  group.append(svg("path", { d: points, class: "shape" }));
  if (!entry || entry.status === "cut") return group;
  y += size + 15;
  text(y, value ?? `v ${shown(entry.v, unit)}`, "value");
  if (entry.window) {
    text(y + 14, `α ${shown(entry.window.alpha, unit)}`, "window");
    text(y + 27, `β ${shown(entry.window.beta, unit)}`, "window");
  }
  return group;
}

// ---- The words of a step ----

/** The facts of a step: pairs of a term and its text, with a class for the outcome of a test. */
function facts(model, step) {
  const { unit, perspective } = model.trace;
  const rows = [[texts.node, texts.nodeFact(step.node, step.player, step.depth)]];
  const isMin = perspective === "MAX" && step.player === "MIN";
  const say = value => shown(value, unit);
  const change = (before, after) => (before === after ? say(after) : `${say(before)} → ${say(after)}`);
  const window = step.after ?? step;
  if (step.alpha !== undefined) rows.push(["α", change(step.alpha, window.alpha)], ["β", change(step.beta, window.beta)]);
  const test = (question, outcome) => rows.push([texts.test, question], [texts.outcome, outcome ? texts.yes : texts.no, outcome ? "yes" : "no"]);
  if (step.step === "enter") {
    rows.push(["v", say(step.v)]);
    test(texts.isLeaf, false);
  } else if (step.step === "leaf") {
    test({ remembered: texts.isInTable, estimate: texts.isDepthZero }[step.because] ?? texts.isOver, true);
    rows.push([texts.value, say(step.value)]);
  } else if (step.step === "value") {
    const before = step.best_before ?? (isMin ? "+inf" : "-inf");
    rows.push(["v", change(before, step.is_best ? step.value : before)]);
    test(`${say(step.value)} ${isMin ? "<" : ">"} v = ${say(before)}?`, step.is_best);
    if (step.failed_test) test(texts.isCutoff(signs(step.failed_test, unit)), false);
  } else {
    const [claim] = step.why.split(":");
    rows.push(["v", say(claim.split(/ [<>]=/)[0])]);
    test(texts.isCutoff(signs(claim, unit)), true);
    rows.push([texts.cutOff, step.left_out.length ? texts.someMoves(step.left_out.length) : texts.nothing]);
  }
  return rows;
}

/** The text of a test with mathematical signs. */
function signs(text, unit) {
  return shown(text, unit).replace(">=", "≥").replace("<=", "≤").replace("alpha", "α").replace("beta", "β");
}

function sentence(model, step) {
  const { unit } = model.trace;
  const say = value => shown(value, unit);
  switch (step.step) {
    case "enter":
      return texts.enters(step.node, step.player, say(step.v));
    case "leaf":
      return texts.leaf(step.node, texts.because[step.because] ?? step.because, say(step.value));
    case "cutoff": {
      const [, reason] = signs(step.why, unit).match(/: (.*)/s);
      const end = step.left_out.length
        ? texts.notLookedAt(step.left_out.slice(0, 12), Math.max(0, step.left_out.length - 12))
        : texts.wasLast(step.last_move);
      return texts.cutoff(step.node, texts.reason(reason), end);
    }
    default: {
      const comparison = step.best_before === null ? texts.first : (step.is_best ? texts.better : texts.noBetter)(say(step.best_before));
      const changes = [];
      if (step.after && step.after.alpha !== step.alpha) changes.push(texts.alphaRises(say(step.after.alpha)));
      if (step.after && step.after.beta !== step.beta) changes.push(texts.betaFalls(say(step.after.beta)));
      return texts.worth(step.node, step.move, texts.meanings[step.meaning] + say(step.value), comparison, changes);
    }
  }
}

function totals(model, step) {
  const { nodes, cutoffs, minimax_nodes: all, value, unit, move, tree, method } = model.trace;
  const { visited, cut } = model.steps[step];
  if (step < model.steps.length - 1) return texts.totals(visited, nodes, cut, cutoffs);
  const saved = all === null ? texts.minimaxMany : all > nodes ? texts.minimaxSaved(all, all - nodes) : texts.minimaxToo(all);
  return texts.allTotals(nodes, cutoffs, tree[0].player, shown(value, unit), move, method.startsWith("minimax") ? "" : saved);
}

// ---- Panels ----

/** The traces that a panel can show, as [key, label]. */
function choices() {
  const choice = ({ method, order }) => [traceKey({ method, order }), texts.choice(texts.methods[method], texts.orders[order])];
  if (!isTree) return embedded.map(choice);
  return ORDERS.flatMap(order => METHODS.map(method => choice({ method, order })))
    .concat(embedded.filter(trace => !ORDERS.includes(trace.order)).map(choice));
}

const traceKey = trace => `${trace.method}/${trace.order}`;

function modelOf(key) {
  if (!state.traces.has(key)) {
    const [method, order] = key.split("/");
    state.traces.set(key, buildModel(searchTree(state.tree, method, order, state.depth), state.tree));
  }
  return state.traces.get(key);
}

function addPanel(key) {
  const panel = { key, step: 0, zoom: 1 };
  panel.select = html("select", { onchange: () => { panel.key = panel.select.value; showPanel(panel); update(); } },
    ...choices().map(([value, label]) => html("option", { value, textContent: label, selected: value === key })));
  panel.select.setAttribute("aria-label", texts.chooseTrace);
  const zoomButton = (label, name, factor) => html("button", { type: "button", textContent: label, ariaLabel: name, onclick: () => zoomBy(panel, factor) });
  const remove = html("button", { type: "button", textContent: "×", ariaLabel: texts.remove, className: "remove", onclick: () => removePanel(panel) });
  panel.svg = svg("svg", { role: "img" }, svg("g"), svg("g"));
  panel.box = html("div", { className: "tree", tabIndex: 0 }, panel.svg);
  panel.box.setAttribute("aria-label", texts.scrolls);
  panel.svg.addEventListener("click", event => {
    const node = panel.model.nodes[event.target.closest("[data-node]")?.dataset.node];
    if (node && node.firstStep !== null) goToStep(panel, node.firstStep);
  });
  panel.box.addEventListener("scroll", () => requestAnimationFrame(() => { if (panel.model.nodes.length > ALL_DRAWN) drawTree(panel); }));
  panel.sentence = html("p", { className: "sentence" });
  panel.sentence.setAttribute("aria-live", "polite");
  panel.note = html("p", { className: "note" });
  panel.about = html("p", { className: "about" });
  panel.totals = html("p", { className: "totals" });
  panel.facts = html("dl", { className: "facts" });
  panel.position = html("div", { className: "now" });
  panel.code = html("ol", { className: "code" });
  panel.cutoffs = html("details", { open: true });
  panel.element = html("article", { className: "panel" },
    html("header", {}, panel.select, html("span", {}, zoomButton("−", texts.smaller, 0.8), " ", zoomButton("+", texts.larger, 1.25), " ", remove)),
    panel.about, panel.totals,
    html("div", { className: "parts" }, html("div", {}, panel.sentence, panel.note, panel.box),
      html("div", { className: "columns" }, html("div", {}, panel.facts, panel.position), html("details", { open: true }, html("summary", { textContent: texts.pseudocode }), panel.code))),
    panel.cutoffs);
  byId("panels").append(panel.element);
  state.panels.push(panel);
  showPanel(panel);
  return panel;
}

function removePanel(panel) {
  panel.element.remove();
  state.panels.splice(state.panels.indexOf(panel), 1);
  update();
}

/** Shows another trace in a panel. */
function showPanel(panel) {
  const model = panel.model = modelOf(panel.key);
  panel.drawn = new Map();
  for (const layer of panel.svg.children) layer.replaceChildren();
  panel.about.textContent = texts.about[model.trace.method];
  panel.code.replaceChildren(...PSEUDOCODE[model.trace.method].map(([text]) => html("li", { textContent: text })));
  if (model.trace.variant === "trianglewar") {
    panel.code.append(html("li", { textContent: texts.movesAgain }));
  }
  panel.cutoffs.replaceChildren(...cutoffList(panel, model));
  panel.cutoffs.hidden = state.quizzes;
  // A small tree fills its box and up to half of the window's height; a wide one takes the whole panel and scrolls rather than becoming too small to read.
  panel.element.classList.remove("wide");
  panel.element.classList.toggle("wide", model.width * MIN_FIT > panel.box.clientWidth);
  const fit = Math.min((panel.box.clientWidth - 2) / model.width, window.innerHeight / 2 / model.height);
  panel.zoom = Math.min(Math.max(fit, MIN_FIT), 1.6);
}

/** The list of the cutoffs: why, what each saves, and where it would save something. */
function cutoffList(panel, model) {
  const cutoffs = model.steps.map((step, number) => [step, number]).filter(([step]) => step.step === "cutoff");
  const items = cutoffs.slice(0, MAX_LISTED_CUTOFFS).map(([step, number]) => {
    const children = step.at.children;
    const best = children.findIndex(child => child.move === step.last_move);
    const item = html("li", {}, html("button", { type: "button", textContent: step.node, title: texts.showCutoff, onclick: () => { goToStep(panel, number); panel.element.scrollIntoView(); } }), " ");
    const names = nodes => nodes.slice(0, 12).map(node => node.move).join(texts.comma) + (nodes.length > 12 ? " …" : "");
    const count = nodes => nodes.reduce((sum, node) => sum + (node.below ?? 1), 0);
    const cut = children.slice(best + 1);
    item.append(cut.length ? texts.saves(count(cut), isTree, names(cut)) : texts.savesNothing(step.last_move));
    if (best > 0) {
      item.append(texts.ifFirst(step.last_move, step.node, names(children.slice(0, best))));
      if (isTree) {
        item.append(html("button", { type: "button", className: "change", textContent: texts.putFirst(step.last_move), onclick: () => putFirst(step) }));
      }
    }
    return item;
  });
  if (cutoffs.length > MAX_LISTED_CUTOFFS) items.push(html("li", { textContent: texts.andMore(cutoffs.length - MAX_LISTED_CUTOFFS) }));
  const none = model.trace.steps[0].alpha === undefined ? texts.noBounds : texts.noCutoffs;
  return [html("summary", { textContent: texts.cutoffs(cutoffs.length) }), items.length ? html("ul", { className: "cutoffs" }, ...items) : html("p", { textContent: none })];
}

/** Changes the tree so that the move of a cutoff comes first at its node, and searches again in natural order. */
function putFirst(step) {
  let node = state.tree.root;
  for (const name of step.ply ? step.node.split(" ") : []) node = node.children.find(child => child.name === name);
  const at = node.children.findIndex(child => child.name === step.last_move);
  node.children.unshift(...node.children.splice(at, 1));
  searchOwn(treeText(state.tree), state.depth);
}

function zoomBy(panel, factor) {
  panel.zoom = Math.min(Math.max(panel.zoom * factor, 0.3), 3);
  showStep(panel);
}

/** Shows the step of a panel: tree, words, pseudocode. */
function showStep(panel) {
  const { model, zoom } = panel;
  const step = model.steps[panel.step];
  for (const [name, value] of [["width", model.width * zoom], ["height", model.height * zoom], ["viewBox", `0 0 ${model.width} ${model.height}`]]) {
    panel.svg.setAttribute(name, value);
  }
  scrollTo(panel, step.child && step.step === "value" ? step.child : step.at);
  drawTree(panel);
  const text = sentence(model, step);
  panel.svg.setAttribute("aria-label", texts.treeOf(model.trace.method, text));
  panel.sentence.textContent = text;
  panel.totals.textContent = totals(model, panel.step);
  panel.facts.replaceChildren(...facts(model, step).flatMap(([term, content, kind]) =>
    [html("dt", { textContent: term }), html("dd", { textContent: content, className: kind ?? "" })]));
  if (step.at.position) {
    const board = drawBoard(model.trace.variant, step.at.position, 180);
    panel.position.replaceChildren(svg("svg", { width: 184, height: 184, viewBox: "-2 -2 184 184", role: "img", "aria-label": texts.positionOf(step.at.position) }, board));
  }
  const running = runningLines(model.trace.method, step);
  [...panel.code.children].forEach((line, number) => {
    const text = PSEUDOCODE[model.trace.method][number]?.[0];
    if (text === undefined) return;
    line.replaceChildren(text || " ", ...(running.get(number) ? [html("b", { textContent: `  → ${texts[running.get(number)]}` })] : []));
    line.toggleAttribute("aria-current", running.has(number));
  });
}

/** Scrolls the tree, not the page, until the node is in view. */
function scrollTo({ box, zoom }, node) {
  const place = (start, length, from, to) => (from < start || to > start + length ? (from + to - length) / 2 : start);
  box.scrollLeft = place(box.scrollLeft, box.clientWidth, (node.x - node.width) * zoom, (node.x + node.width) * zoom);
  box.scrollTop = place(box.scrollTop, box.clientHeight, (node.y - 10) * zoom, (node.y + node.height + 10) * zoom);
}

// ---- Steps ----

/** The last step that the slider reaches. */
function lastStep() {
  const panels = state.sync === "node" ? state.panels.slice(0, 1) : state.panels;
  return Math.max(...panels.map(panel => panel.model.steps.length - 1));
}

/** The step of `model` that belongs to `step` of another trace, and whether it is the same step. */
function corresponding(model, step) {
  // A method without bounds does not cut: there the step belongs to the value that causes the cutoff.
  const same = model.keys.get(stepKey(step)) ?? model.keys.get(stepKey({ ...step, step: "value", move: step.last_move }));
  if (same !== undefined) return [same, true];
  const words = step.ply ? step.node.split(" ") : [];
  for (let ply = step.ply; ply > 0; ply--) {
    const node = model.byPath.get(`${ply} ${words.slice(0, ply).join(" ")}`);
    if (node?.value !== null && node?.firstStep !== null && node !== undefined) return [node.firstStep, ply === step.ply];
    if (node) return [model.steps.findIndex(other => other.step === "cutoff" && other.at.index === node.parent), false];
  }
  return [0, step.ply === 0];
}

/** Shows `state.step` in all panels. */
function update() {
  dropQuestion();
  state.step = Math.min(Math.max(state.step, 0), lastStep());
  const [leader] = state.panels;
  state.panels.forEach((panel, number) => {
    panel.note.textContent = "";
    if (number === 0 || state.sync === "step") {
      panel.step = Math.min(state.step, panel.model.steps.length - 1);
      if (state.step > panel.step) panel.note.textContent = texts.ended(panel.step + 1);
    } else {
      const step = leader.model.steps[state.step];
      const [index, isSame] = corresponding(panel.model, step);
      panel.step = index;
      if (!isSame) panel.note.textContent = texts.notHere(step.node);
    }
    showStep(panel);
    panel.element.querySelector(".remove").hidden = state.panels.length === 1;
  });
  const slider = byId("slider");
  slider.max = lastStep();
  slider.value = state.step;
  const place = byId("place").textContent = texts.place(state.step + 1, lastStep() + 1);
  slider.setAttribute("aria-valuetext", `${place}: ${leader.sentence.textContent}`);
  document.querySelector("[data-go=cutoff]").disabled = nearestCutoff(1) === state.step;
  byId("sync").hidden = state.panels.length === 1;
  byId("add").hidden = state.panels.length >= choices().length;
}

function goToStep(panel, number) {
  if (state.sync === "node" && panel !== state.panels[0]) return goTo(corresponding(state.panels[0].model, panel.model.steps[number])[0]);
  return goTo(number);
}

function goTo(step) {
  state.step = step;
  update();
}

/** Shows the next step, or first asks about it. Returns whether it is shown. */
function goToNext() {
  const [{ model }] = state.panels;
  if (state.quizzes && state.step < model.steps.length - 1 && askAbout(model, state.step + 1)) return false;
  goTo(state.step + 1);
  return true;
}

/** The nearest step with a cutoff, in any panel, after (1) or before (-1) the current step. */
function nearestCutoff(direction) {
  const numbers = state.panels.slice(0, state.sync === "node" ? 1 : undefined)
    .flatMap(panel => panel.model.steps.flatMap((step, number) => (step.step === "cutoff" ? [number] : [])))
    .filter(number => (number - state.step) * direction > 0);
  if (numbers.length === 0) return state.step;
  return direction > 0 ? Math.min(...numbers) : Math.max(...numbers);
}

function play() {
  if (state.timer) return pause();
  if (state.step === lastStep()) state.step = -1;
  state.timer = setInterval(() => {
    if (!goToNext() || state.step === lastStep()) pause();
  }, 900);
  showPlaying();
}

function pause() {
  clearInterval(state.timer);
  state.timer = null;
  showPlaying();
}

function showPlaying() {
  const button = document.querySelector("[data-go=play]");
  button.textContent = button.ariaLabel = state.timer ? texts.pause : texts.play;
}

const ACTIONS = {
  first: () => goTo(0),
  previous: () => goTo(state.step - 1),
  next: goToNext,
  last: () => goTo(lastStep()),
  cutoff: () => goTo(nearestCutoff(1)),
  "previous-cutoff": () => goTo(nearestCutoff(-1)),
  play,
};
const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", PageDown: "cutoff", PageUp: "previous-cutoff", " ": "play" };

// ---- The reader's own tree ----

/** Searches the tree of the text and shows it in all panels. An error is shown below the text. */
function searchOwn(text, depth) {
  byId("fault").textContent = "";
  const example = EXAMPLES.find(([name]) => name === text.trim().toLowerCase());
  try {
    setTree(parseTree(example?.[1] ?? text), depth);
  } catch (error) {
    byId("fault").textContent = error.message;
    return;
  }
  state.traces.clear();
  state.step = 0;
  byId("text").value = treeText(state.tree);
  showSubject();
  state.panels.forEach(showPanel);
  update();
  byId("panels").scrollIntoView();
}

/** Writes what the page searches. Hidden leaves are hidden in the text of a tree too. */
function showSubject() {
  const { variant, position } = embedded[0];
  byId("subject").textContent = `${variant}: ${shorten(isTree ? treeText(state.tree, state.hidesLeaves) : position)}`;
  byId("own").hidden = !isTree || state.hidesLeaves;
}

/** Sets the tree and the choices of its depth. Throws an Error if the tree is larger than a page. */
function setTree(tree, depth) {
  const height = node => 1 + Math.max(-1, ...node.children.map(height));
  const levels = height(tree.root);
  let fits = levels;
  while (countNodes(tree.root, fits) > MAX_PAGE_NODES) fits -= 1;
  byId("depth").replaceChildren(html("option", { value: "", textContent: fits < levels ? texts.tooLarge : texts.toTheLeaves, disabled: fits < levels }),
    ...Array.from({ length: Math.max(0, fits - (fits === levels ? 1 : 0)) }, (_, number) => html("option", { value: number + 1, textContent: number + 1 })));
  const chosen = depth && depth <= fits ? depth : null;
  if (chosen === null && fits < levels) {
    throw new Error(texts.treeTooLarge(tree.count, MAX_PAGE_NODES, fits));
  }
  byId("depth").value = chosen && chosen < levels ? chosen : "";
  state.tree = tree;
  state.depth = chosen && chosen < levels ? chosen : null;
}

// ---- Start ----

/** Writes the page again in the other language. Each panel keeps its scale and what part of its tree is in view. */
function translate() {
  changeLanguage();
  showPlaying();
  byId("fault").textContent = "";
  if (isTree) setTree(state.tree, state.depth);
  const before = state.panels.splice(0).map(({ key, zoom, box, element }) => {
    const view = { left: box.scrollLeft, top: box.scrollTop };
    element.remove();
    return { key, zoom, view };
  });
  for (const { key, zoom } of before) addPanel(key).zoom = zoom;
  update();
  before.forEach(({ view }, number) => state.panels[number].box.scrollTo(view));
}

function start() {
  startLanguage();
  showPlaying();
  byId("language").addEventListener("click", translate);
  const { position, depth } = embedded[0];
  if (isTree) {
    setTree(parseTree(position), depth);
    byId("text").value = position;
    byId("examples").append(html("option", { value: "", textContent: "–" }), ...EXAMPLES.map(([name, text]) => html("option", { value: text, textContent: name })));
    byId("examples").addEventListener("change", event => { if (event.target.value) searchOwn(event.target.value, null); });
    byId("own").querySelector("form").addEventListener("submit", event => {
      event.preventDefault();
      searchOwn(byId("text").value, Number(byId("depth").value) || null);
    });
  }
  showSubject();
  for (const trace of embedded) state.traces.set(traceKey(trace), buildModel(trace, state.tree));
  for (const trace of embedded) addPanel(traceKey(trace));
  byId("add").addEventListener("click", () => {
    const used = state.panels.map(panel => panel.key);
    addPanel(choices().map(([key]) => key).find(key => !used.includes(key)));
    update();
    state.panels.at(-1).element.scrollIntoView();
  });
  byId("slider").addEventListener("input", event => goTo(Number(event.target.value)));
  bindActions(ACTIONS, KEYS);
  byId("quizzes").addEventListener("change", event => {
    state.quizzes = event.target.checked;
    Object.assign(quiz, { asked: 0, right: 0 });
    state.panels.forEach(showPanel);
    update();
  });
  byId("hides-leaves").addEventListener("change", event => {
    state.hidesLeaves = event.target.checked;
    showSubject();
    state.panels.forEach(showPanel);
    update();
  });
  byId("quiz").addEventListener("submit", event => {
    event.preventDefault();
    const [step, verdict] = checkAnswers();
    goTo(step);
    byId("verdict").textContent = verdict;
    document.querySelector("[data-go=next]").focus();
  });
  for (const radio of document.querySelectorAll("[name=sync]")) {
    radio.addEventListener("change", () => { state.sync = radio.value; update(); });
  }
  window.addEventListener("resize", () => state.panels.forEach(showStep));
  update();
}

start();
