// What the page shows of a game: status, moves, analysis.

/** A score for the first side as people read it: `+0.31`, or `#−3` for a win of the other side in three moves. */
function scoreText({ mate, cp }, side, unit) {
  const sign = side === 0 ? 1 : -1;
  if (mate !== undefined) return `#${sign * mate}`.replace("-", "−");
  const value = sign * cp / unit;
  return `${value > 0 ? "+" : ""}${value.toFixed(unit === 1 ? 0 : 2)}`.replace("-", "−");
}

/** One sentence on where the game stands. */
function statusText(game) {
  const { variant, state, viewed } = game;
  if (!game.isLast) return (game.isVariation ? texts.viewingVariation : texts.viewing)(game.view, game.line.path.length);
  if (game.forfeit !== null) {
    const { side, how } = game.forfeit;
    return texts.forfeits[how](...[side, 1 - side].map(number => sideName(variant, number)));
  }
  if (state.result) return resultText(variant, state.result);
  const name = sideName(variant, viewed.side);
  const check = viewed.in_check ? `${texts.check} ` : "";
  if (game.isEngine(viewed.side)) return check + texts.thinking(name);
  return check + (game.settings.opponent === "none" ? texts.toMove(name) : texts.yourMove(name));
}

function resultText(variant, { winner, points, reason }) {
  const words = texts.reasons[`${reason}, ${variant}`] ?? texts.reasons[reason] ?? reason;
  const why = reason ? (texts === TEXTS.zh ? `（${words}）` : ` (${words})`) : "";
  const end = texts === TEXTS.zh ? "。" : ".";
  if (variant === "gametree") return texts.treeValue(points ?? "0") + end;
  if (winner === null) return texts.draw + why + end;
  const name = sideName(variant, winner);
  return (points ? texts.points(name, points.replace("-", "")) : texts.wins(name)) + why + end;
}

/** The moves in rows of two columns, one for each side; below a row, the variations of its moves. */
function showMoves(list, game, onChoose) {
  const { tree, path, variant } = game;
  const current = game.line.path[game.view - 1];
  const next = new Map();
  tree.forEach(({ parent }, node) => next.set(parent, [...(next.get(parent) ?? []), node]));
  const beside = node => next.get(tree[node].parent).filter(other => other !== node);
  const beginsRow = node => tree[node].parent === null || tree[node].side <= tree[tree[node].parent].side;
  const numbers = [];
  tree.forEach(({ parent }, node) => numbers.push((parent === null ? 0 : numbers[parent]) + beginsRow(node)));
  const button = node => {
    const { side } = tree[node];
    const element = html("button", { type: "button", textContent: moveText(variant, tree[node], side), onclick: () => onChoose(node) });
    if (node === current) element.setAttribute("aria-current", "true");
    return element;
  };
  /** The moves from `first` on, as they were played; variations of them in brackets. */
  const inline = first => {
    const items = [];
    let hasNumber = true;
    for (let node = first; node !== undefined; node = next.get(node)?.[0]) {
      if (hasNumber || beginsRow(node)) items.push(`${numbers[node]}${tree[node].side === 0 ? "." : "…"} `);
      items.push(button(node));
      const others = node === first ? [] : beside(node);
      for (const other of others) items.push(" (", ...inline(other), ")");
      hasNumber = others.length > 0;
      items.push(" ");
    }
    return items.slice(0, -1);
  };
  const variation = first => {
    const item = html("li", { className: "variation" }, ...inline(first));
    item.setAttribute("aria-label", texts.variation);
    return item;
  };
  const items = [];
  let others = [];
  path.forEach((node, ply) => {
    if (ply === 0 || beginsRow(node)) {
      items.push(...others.splice(0).map(variation), html("li", { className: "number", textContent: `${numbers[node]}.` }));
    }
    const item = html("li", {}, button(node));
    item.style.gridColumn = tree[node].side + 2;
    items.push(item);
    others.push(...beside(node));
  });
  others.push(...(next.get(path.at(-1) ?? null) ?? []));
  items.push(...others.map(variation));
  list.replaceChildren(...(items.length ? items : [html("li", { className: "none", textContent: texts.noMoves })]));
  const shown = list.querySelector("[aria-current]") ?? items.at(-1);
  if (shown) scrollIntoBox(list, shown);
}

/** The clocks, that of the first side first. */
function showClocks(box, game) {
  const { clock, state, variant } = game;
  box.hidden = !clock.isOn;
  if (box.hidden) return;
  [...box.children].forEach((element, side) => {
    element.hidden = !clock.has(side);
    const time = clockText(clock.now[side]);
    element.textContent = `${sideName(variant, side)} ${time}`;
    element.setAttribute("aria-label", texts.clockOf(sideName(variant, side), time));
    element.classList.toggle("running", clock.isRunning && side === state.side);
  });
}

/** The lines of a search below each other: score and moves. */
function showLines(list, game, lines) {
  const { variant, viewed: { side, unit } } = game;
  list.replaceChildren(...lines.map(({ score, pv }) => {
    const { line } = game.rules.ask(game.question({ line: pv.slice(0, 12) }));
    const moves = (line ?? []).map((move, index) => moveText(variant, move, (side + index) % 2));
    return html("li", {}, html("b", { textContent: scoreText(score, side, unit) }), ` ${moves.join(" ")}`);
  }));
}

/** The bar beside the board: how much of it is the first side's. */
function showBar(bar, expected, isFlipped, isBlackFirst) {
  bar.hidden = expected === null;
  if (expected === null) return;
  const percent = Math.round(100 * expected);
  bar.firstElementChild.style.height = `${percent}%`;
  bar.classList.toggle("flipped", isFlipped);
  bar.classList.toggle("black-first", isBlackFirst);
  bar.setAttribute("aria-label", texts.bar(percent));
}
