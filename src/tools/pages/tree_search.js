// The textbook methods on a tree that the reader types. The result equals that of `duiyi trace --variant gametree --json`:
// scripts/tests/test_pages.py compares them on 1,000 random trees.

const METHODS = ["minimax", "minimax-typed", "negamax", "maxmin-hard", "maxmin-soft", "alphabeta-hard", "alphabeta-soft", "memoised"];
const ORDERS = ["natural", "worst", "best-first"];
const MAX_TREE_NODES = 20000;
const MAX_HEIGHT = 100;
const MAX_MINIMAX_NODES = 100000;

/** Reads a tree like `MAX A(B(E=3 F=12) C=7)`, or `((3 12) 7)`, which is `A(B(b1=3 b2=12) a2=7)`. Returns `{side, root, count}`; throws an Error that names the column. */
function parseTree(text) {
  const tokens = [...text.matchAll(/[()=]|[^ \t\n\f\r()=]+/g)].map(match => ({ text: match[0], at: match.index }));
  let next = 0;
  const peek = () => tokens[next]?.text;
  const fail = (expected, token = tokens[next]) => {
    const column = token ? [...text.slice(0, token.at)].length + 1 : [...text].length + 1;
    const isOpen = !token && text.split("(").length > text.split(")").length;
    const found = token ? `"${token.text}"` : `the end of the text${isOpen ? ': a ")" is missing' : ""}`;
    throw new Error(`tree, column ${column}: expected ${expected}, found ${found}`);
  };
  // A root node can be named MAX: then a bracket follows at once, or a value.
  const side = /^\s*(max|min)[ \t\n\f\r]+(?![ \t\n\f\r=])/i.test(text) ? tokens[next++].text.toUpperCase() : "MAX";
  const shapes = new Map();
  let [count, innerCount] = [0, 0];

  const isPayoff = word => /^[-+]?\d+$/.test(word) && Math.abs(word) <= 20000;

  function number() {
    const word = peek() ?? "";
    if (!isPayoff(word)) fail("a whole number from -20000 to 20000");
    next += 1;
    return Number(word);
  }

  function node(parent, level) {
    const siblings = parent?.children ?? [];
    const [token, following] = tokens.slice(next, next + 2);
    const word = token?.text ?? "";
    const isNameless = word === "(";
    // In `4(5)` 4 is a name, in `4 (5)` it is a payoff.
    const isNamed = following?.text === "=" || (following?.text === "(" && following.at === token.at + word.length);
    const isLeafAlone = parent && isPayoff(word) && !isNamed;
    const name = isLeafAlone ? `${parent.name.toLowerCase()}${siblings.length + 1}` : isNameless ? letters(innerCount) : word;
    if (!/^[\p{Alphabetic}\p{N}_\-'.+]+$/u.test(name) || new TextEncoder().encode(name).length > 32) {
      fail("a name of at most 32 letters, digits and _ - ' . +");
    }
    if (name.toLowerCase() === "moves") fail('another name than "moves"');
    if (siblings.some(other => inLowerCase(other.name) === inLowerCase(name))) fail("another name than a sibling's");
    if (siblings.length >= 256) fail("at most 256 children of a node");
    if (level > MAX_HEIGHT) fail(`at most ${MAX_HEIGHT} levels below the root`);
    if (++count > MAX_TREE_NODES) fail(`at most ${MAX_TREE_NODES} nodes`);
    const result = { name, value: null, estimate: null, children: [] };
    if (isLeafAlone) {
      result.value = number();
    } else if (isNameless) {
      // Its children follow.
    } else if (tokens[++next]?.text === "=") {
      next += 1;
      result.value = number();
    } else if (peek() !== "(") {
      fail('"(" and children, or "=" and a number, after a name');
    }
    if (!isLeafAlone && peek() === "(") {
      next += 1;
      innerCount += 1;
      [result.estimate, result.value] = [result.value, null];
      do result.children.push(node(result, level + 1)); while (peek() !== ")");
      next += 1;
    }
    // Equal subtrees get the same number, as positions with equal keys do in the program.
    const shape = JSON.stringify([result.value, result.estimate, result.children.map(child => child.shape)]);
    if (!shapes.has(shape)) shapes.set(shape, shapes.size);
    result.shape = shapes.get(shape);
    return result;
  }

  const root = node(null, 0);
  if (next < tokens.length) fail("the end of the text");
  return { side, root, count };
}

/** A name with its letters from A to Z in lower case: the program tells other letters apart by case. */
function inLowerCase(name) {
  return name.replace(/[A-Z]/g, letter => letter.toLowerCase());
}

/** The name of an inner node without one, by the number of inner nodes before it. */
function letters(number) {
  return number < 26 ? String.fromCharCode(65 + number) : `N${number + 1}`;
}

/** The text of a tree, which `parseTree` reads back unless `?` stands in it for the value of each leaf. */
function treeText({ side, root }, hidesLeaves = false) {
  const number = node => (hidesLeaves && node.value !== null ? "?" : node.value ?? node.estimate ?? "");
  const write = node => node.name
    + number(node).toString().replace(/^./, "=$&")
    + (node.children.length ? `(${node.children.map(write).join(" ")})` : "");
  return `${side} ${write(root)}`;
}

/** The number of nodes of the subtree down to `depth`. */
function countNodes(node, depth) {
  return 1 + (depth > 0 ? node.children.reduce((sum, child) => sum + countNodes(child, depth - 1), 0) : 0);
}

/** Searches `tree` to `depth`, or without one as deep as the tree is. Returns the document of `trace --json`. */
function searchTree(tree, method, order, depth = null) {
  if (depth !== null) return searchToDepth(tree, method, order, depth);
  for (let deeper = 1; ; deeper++) {
    const document = searchToDepth(tree, method, order, deeper);
    if (document.evaluations === 0) return document;
  }
}

function searchToDepth(tree, method, order, rootDepth) {
  const whiteRelative = method.startsWith("minimax") || method.startsWith("maxmin");
  const hasWindow = method.startsWith("maxmin") || method.startsWith("alphabeta");
  const isHard = method.endsWith("-hard");
  const knownMoves = new Map();
  let recorder, counts, memo;

  // Values are those of the method: for MAX, or for the side to move. `maximises` is false only at a MIN node of the former.
  function search(node, isMax, depth, ply, window) {
    const maximises = isMax || !whiteRelative;
    const view = value => (isMax || whiteRelative ? value : -value);
    const clamp = value => (isHard && window ? Math.min(Math.max(value, window.alpha), window.beta) : value);
    const key = `${node.shape} ${isMax} ${depth}`;
    counts.nodes += 1;
    recorder.enter(node, isMax, depth, ply, window);
    if (memo?.has(key)) {
      recorder.leaf(memo.get(key), "remembered");
      return memo.get(key);
    }
    if (node.value !== null || depth === 0) {
      const isEnd = node.value !== null;
      const value = view(isEnd ? node.value : node.estimate ?? 0);
      counts.leaves += 1;
      if (!isEnd) counts.evaluations += 1;
      recorder.leaf(value, isEnd ? "end" : "estimate");
      memo?.set(key, value);
      return clamp(value);
    }
    const moves = ordered(node, isMax, depth);
    let best = maximises ? -Infinity : Infinity;
    let open = window && { ...window };
    recorder.moves(best);
    for (const [number, move] of moves.entries()) {
      let value;
      if (whiteRelative) {
        value = search(move, !isMax, depth - 1, ply + 1, open);
      } else {
        value = -search(move, !isMax, depth - 1, ply + 1, open && { alpha: -open.beta, beta: -open.alpha });
      }
      recorder.value(value);
      if (maximises ? value > best : value < best) {
        best = value;
        recorder.best(value);
        if (order === "best-first") knownMoves.set(key, node.children.indexOf(move));
        if (open && (maximises ? best >= open.beta : best <= open.alpha)) {
          counts.cutoffs += 1;
          recorder.cutoff(moves.slice(number + 1).map(other => other.name));
          break;
        }
        if (open) {
          open = maximises ? { ...open, alpha: Math.max(open.alpha, best) } : { ...open, beta: Math.min(open.beta, best) };
          recorder.window(open);
        }
      }
    }
    memo?.set(key, best);
    return clamp(best);
  }

  function ordered(node, isMax, depth) {
    const children = [...node.children];
    if (order === "worst") {
      const values = new Map(children.map(child => [child, exactValue(child, !isMax, depth - 1)]));
      children.sort((a, b) => (values.get(a) - values.get(b)) * (isMax ? 1 : -1));
    }
    if (order === "best-first") {
      const known = remaining => knownMoves.get(`${node.shape} ${isMax} ${remaining}`);
      const best = known(depth) ?? known(depth - 1);
      if (best !== undefined) children.unshift(...children.splice(best, 1));
    }
    return children;
  }

  const exactValues = new Map();
  function exactValue(node, isMax, depth) {
    if (node.value !== null) return node.value;
    if (depth === 0) return node.estimate ?? 0;
    const key = `${node.shape} ${isMax} ${depth}`;
    if (!exactValues.has(key)) {
      const values = node.children.map(child => exactValue(child, !isMax, depth - 1));
      exactValues.set(key, isMax ? Math.max(...values) : Math.min(...values));
    }
    return exactValues.get(key);
  }

  const rootIsMax = tree.side === "MAX";
  function run(depth, window) {
    recorder = new Recorder(whiteRelative);
    counts = { nodes: 0, leaves: 0, evaluations: 0, cutoffs: 0 };
    memo = method === "memoised" ? new Map() : null;
    return search(tree.root, rootIsMax, depth, 0, window);
  }
  const full = { alpha: -Infinity, beta: Infinity };
  // Best-first order takes its moves from an alpha-beta search to the same depth and from the shallower searches.
  for (let depth = order === "best-first" ? 1 : rootDepth; depth < rootDepth; depth++) {
    prepare(depth);
    run(depth, hasWindow ? full : null);
  }
  prepare(rootDepth);
  const value = run(rootDepth, hasWindow ? full : null);

  function prepare(depth) {
    if (order !== "best-first") return;
    recorder = new Recorder(whiteRelative);
    counts = { nodes: 0, leaves: 0, evaluations: 0, cutoffs: 0 };
    memo = null;
    search(tree.root, rootIsMax, depth, 0, full);
  }

  recorder.end(value);
  const minimaxNodes = countNodes(tree.root, rootDepth);
  return {
    variant: "gametree",
    position: treeText(tree),
    unit: 1,
    method,
    order,
    depth: rootDepth,
    perspective: whiteRelative ? "MAX" : "mover",
    value: valueText(value),
    move: recorder.nodes[0].best?.move ?? "-",
    ...counts,
    minimax_nodes: minimaxNodes > MAX_MINIMAX_NODES ? null : minimaxNodes,
    steps: recorder.steps,
    tree: recorder.nodes.map(node => ({
      move: node.name,
      parent: node.parent,
      player: node.player,
      value: node.value === null ? null : valueText(node.value),
      meaning: node.meaning,
      ...(node.window && windowText(node.window)),
    })),
  };
}

function valueText(value) {
  if (value === Infinity) return "+inf";
  return value === -Infinity ? "-inf" : String(value);
}

function windowText({ alpha, beta }) {
  return { alpha: valueText(alpha), beta: valueText(beta) };
}

/** Records the steps and nodes of a search, in the words of the program. */
class Recorder {
  nodes = [];
  steps = [];
  path = [];

  constructor(whiteRelative) {
    this.whiteRelative = whiteRelative;
  }

  get node() {
    return this.nodes[this.path.at(-1)];
  }

  add(name, isMax, depth, parent) {
    const above = parent === null ? null : this.nodes[parent];
    const pathName = above && parent !== 0 ? `${above.pathName} ${name}` : name;
    const player = isMax ? "MAX" : "MIN";
    this.nodes.push({ name, pathName, parent, player, depth, value: null, meaning: "exact", window: null, best: null });
    return this.nodes.length - 1;
  }

  record(event) {
    const { pathName: node, player, depth, window } = this.node;
    this.steps.push({ node, player, ply: this.path.length - 1, depth, ...(window && windowText(window)), ...event });
  }

  enter(node, isMax, depth, ply, window) {
    this.path.length = ply;
    this.path.push(this.add(node.name, isMax, depth, this.path.at(-1) ?? null));
    this.node.entryWindow = this.node.window = window;
  }

  leaf(value, because) {
    this.node.leafValue = value;
    this.record({ step: "leaf", value: valueText(value), because });
  }

  moves(worst) {
    this.record({ step: "enter", v: valueText(worst) });
  }

  value(value) {
    const child = this.nodes[this.path.pop()];
    child.value = this.whiteRelative ? value : -value;
    child.meaning = child.leafValue === child.value ? "exact" : meaningOf(child.value, child.entryWindow);
    const meaning = this.whiteRelative ? child.meaning : opposite(child.meaning);
    this.lastValue = value;
    this.record({
      step: "value",
      move: child.name,
      value: valueText(value),
      meaning,
      best_before: this.node.best && valueText(this.node.best.value),
      is_best: false,
      failed_test: null,
      after: this.node.window && windowText(this.node.window),
    });
  }

  best(value) {
    const step = this.steps.at(-1);
    step.is_best = true;
    this.node.best = { move: step.move, value, meaning: step.meaning };
  }

  window(window) {
    this.steps.at(-1).after = windowText(window);
    this.node.window = window;
  }

  cutoff(leftOut) {
    const why = this.reason();
    for (const name of leftOut) this.add(name, this.node.player === "MIN", 0, this.path.at(-1));
    this.record({ step: "cutoff", why, last_move: this.node.best.move, left_out: leftOut });
  }

  reason() {
    const node = this.node;
    const us = node.player;
    const them = us === "MAX" ? "MIN" : "MAX";
    const orSo = { "at-least": " or more", "at-most": " or less", exact: "" }[node.best.meaning];
    const ownBound = ({ player }, window) => (player === "MIN" && this.whiteRelative ? window.beta : window.alpha);
    const setter = this.path.map(index => this.nodes[index]).reverse()
      .find(other => other.player !== us && ownBound(other, other.entryWindow) !== ownBound(other, other.window));
    const place = setter ? `, by the move ${setter.best?.move ?? ""} at ${setter.pathName}` : "";
    const value = valueText(this.lastValue);
    const end = `${value}${orSo}, so ${them} has no reason to come here`;
    if (!this.whiteRelative) {
      const beta = valueText(node.window.beta);
      return `${value} >= beta ${beta}: ${them} holds ${us} to ${beta} already${place}. Here ${us} gets ${end}`;
    }
    const [sign, name, gets] = us === "MAX" ? [">=", "beta", "MAX gets"] : ["<=", "alpha", "MIN holds MAX to"];
    const bound = valueText(node.window[name]);
    return `${value} ${sign} ${name} ${bound}: ${them} has ${bound} already${place}. Here ${gets} ${end}`;
  }

  end(value) {
    this.nodes[0].value = value;
    for (const [index, step] of this.steps.entries()) {
      if (step.step !== "value" || step.alpha === undefined || this.steps[index + 1]?.step === "cutoff") continue;
      const v = step.is_best ? step.value : step.best_before;
      const isMin = this.whiteRelative && step.player === "MIN";
      step.failed_test = isMin ? `${v} <= alpha ${step.alpha}` : `${v} >= beta ${step.beta}`;
    }
  }
}

/** Whether a value that a search returned is exact or a bound. */
function meaningOf(value, window) {
  if (!window || (value > window.alpha && value < window.beta)) return "exact";
  return value <= window.alpha ? "at-most" : "at-least";
}

function opposite(meaning) {
  return { "at-most": "at-least", "at-least": "at-most", exact: "exact" }[meaning];
}
