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
  if (!game.isLast) return texts.viewing(game.view, game.moves.length);
  if (game.resigned !== null) return `${texts.resigned(sideName(variant, game.resigned))}. ${texts.wins(sideName(variant, 1 - game.resigned))}.`;
  if (state.result) return resultText(variant, state.result);
  const name = sideName(variant, viewed.side);
  const check = viewed.in_check ? `${texts.check} ` : "";
  if (game.isEngine(viewed.side)) return check + texts.thinking(name);
  return check + (game.settings.opponent === "none" ? texts.toMove(name) : texts.yourMove(name));
}

function resultText(variant, { winner, points, reason }) {
  const why = reason ? (texts === TEXTS.zh ? `（${texts.reasons[reason] ?? reason}）` : ` (${texts.reasons[reason] ?? reason})`) : "";
  const end = texts === TEXTS.zh ? "。" : ".";
  if (winner === null) return texts.draw + why + end;
  const name = sideName(variant, winner);
  return (points ? texts.points(name, points.replace("-", "")) : texts.wins(name)) + why + end;
}

/** The moves in rows of two columns, one for each side. */
function showMoves(list, game, onChoose) {
  const { played } = game.state;
  const items = [];
  let number = 0;
  played.forEach((move, index) => {
    const isNewRow = index === 0 || move.side <= played[index - 1].side;
    number += isNewRow;
    if (isNewRow) items.push(html("li", { className: "number", textContent: `${number}.` }));
    const button = html("button", { type: "button", textContent: moveText(game.variant, move, move.side), onclick: () => onChoose(index + 1) });
    const item = html("li", {}, button);
    item.style.gridColumn = move.side + 2;
    if (index + 1 === game.view) item.setAttribute("aria-current", "true");
    items.push(item);
  });
  list.replaceChildren(...(items.length ? items : [html("li", { className: "none", textContent: texts.noMoves })]));
  const current = list.querySelector("[aria-current]");
  if (current) scrollIntoBox(list, current);
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
function showBar(bar, expected, isFlipped) {
  bar.hidden = expected === null;
  if (expected === null) return;
  const percent = Math.round(100 * expected);
  bar.firstElementChild.style.height = `${percent}%`;
  bar.classList.toggle("flipped", isFlipped);
  bar.setAttribute("aria-label", texts.bar(percent));
}
