// Small boards: SVG drawings of positions, from the text of the position.

const SVG = "http://www.w3.org/2000/svg";
const CHESS_PIECES = { k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };
const TRIANGLE_POINTS = [[3, 0], [2, 1], [4, 1], [1, 2], [3, 2], [5, 2], [0, 3], [2, 3], [4, 3], [6, 3]];
const TRIANGLES = [[1, 2, 3], [2, 4, 5], [3, 5, 6], [4, 7, 8], [5, 8, 9], [6, 9, 10], [2, 3, 5], [4, 5, 8], [5, 6, 9]];

/** Creates an SVG element with attributes and children (elements or text). */
function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** Draws the position in a square of side `size`, or returns null if the game has no drawing. */
function drawBoard(variant, position, size) {
  if (variant === "gametree") return null;
  return variant === "trianglewar" ? drawTriangle(position, size) : drawGrid(variant, position, size);
}

/** The rows of the board part of a FEN, the top row first: a letter for each piece, "" for each empty cell. */
function gridRows(position) {
  const board = position.split(" ")[0].replace(/\[.*/, "");
  return board.split("/").map(row => [...row.matchAll(/\d+|[a-z]/gi)].flatMap(([item]) => (/\d/.test(item) ? Array(Number(item)).fill("") : [item])));
}

function drawGrid(variant, position, size) {
  const rows = gridRows(position);
  const cell = size / Math.max(rows.length, rows[0].length);
  const isChess = variant === "chess" || variant === "chess960";
  const left = (size - cell * rows[0].length) / 2;
  const group = svg("g", { class: `board ${variant}` });
  rows.forEach((row, rank) => row.forEach((piece, file) => {
    const [x, y] = [left + file * cell, rank * cell];
    const isDark = isChess && (rank + file) % 2 === 1;
    group.append(svg("rect", { x, y, width: cell, height: cell, class: isDark ? "cell dark" : "cell" }));
    if (piece) group.append(drawPiece(isChess ? "chess" : variant, piece, x + cell / 2, y + cell / 2, cell));
  }));
  return group;
}

/** Draws a piece: a cross and a ring for games with stones of one kind, discs in Connect Four, letters as figures in chess. */
function drawPiece(variant, piece, x, y, cell) {
  const isFirst = piece === piece.toUpperCase();
  const side = isFirst ? "first" : "second";
  if (variant === "chess") {
    const figure = CHESS_PIECES[piece.toLowerCase()] ?? piece;
    return svg("text", { x, y: y + cell * 0.34, class: `figure ${side}`, style: `font-size: ${cell * 0.95}px` }, figure);
  }
  const r = cell * 0.3;
  if (variant === "tictactoe" || variant === "tictactoe4") {
    return isFirst
      ? svg("path", { d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}`, class: "cross" })
      : svg("circle", { cx: x, cy: y, r, class: "ring" });
  }
  return svg("circle", { cx: x, cy: y, r: cell * 0.38, class: `disc ${side}` });
}

function drawTriangle(position, size) {
  const [lines, owners] = position.split(" ");
  const drawn = lines === "-" ? [] : lines.split(",").map(line => line.split("-").map(Number));
  const place = point => TRIANGLE_POINTS[point - 1].map((step, axis) => size * (0.08 + 0.84 * step / (axis === 0 ? 6 : 3.45)));
  const group = svg("g", { class: "board trianglewar" });
  TRIANGLES.forEach((points, number) => {
    const corners = points.map(place);
    const owner = owners[number];
    if (owner === ".") return;
    group.append(svg("polygon", { points: corners.map(corner => corner.join()).join(" "), class: owner === "A" ? "owned first" : "owned second" }));
    const [x, y] = [0, 1].map(axis => corners.reduce((sum, corner) => sum + corner[axis], 0) / 3);
    group.append(svg("text", { x, y: y + size * 0.045, class: "owner", style: `font-size: ${size * 0.12}px` }, owner));
  });
  for (const [from, to] of drawn) {
    const [[x1, y1], [x2, y2]] = [place(from), place(to)];
    group.append(svg("line", { x1, y1, x2, y2, class: "line" }));
  }
  for (let point = 1; point <= 10; point++) {
    const [cx, cy] = place(point);
    group.append(svg("circle", { cx, cy, r: size * 0.03, class: "point" }));
  }
  return group;
}
