// Small boards: SVG drawings of positions, from the text of the position.

const CHESS_PIECES = { k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };
const TRIANGLE_POINTS = [[3, 0], [2, 1], [4, 1], [1, 2], [3, 2], [5, 2], [0, 3], [2, 3], [4, 3], [6, 3]];
const TRIANGLES = [[1, 2, 3], [2, 4, 5], [3, 5, 6], [4, 7, 8], [5, 8, 9], [6, 9, 10], [2, 3, 5], [4, 5, 8], [5, 6, 9]];

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

/** The geometry of a board of rows in a square of side `size`: the side of a cell, and the corner of each cell. */
function gridOf(rows, size, flipped) {
  const [height, width] = [rows.length, rows[0].length];
  const cell = size / Math.max(height, width);
  const left = (size - cell * width) / 2;
  const corner = (rank, file) => (flipped ? [left + (width - 1 - file) * cell, (height - 1 - rank) * cell] : [left + file * cell, rank * cell]);
  return { cell, corner };
}

function drawGrid(variant, position, size, flipped = false) {
  const rows = gridRows(position);
  const { cell, corner } = gridOf(rows, size, flipped);
  const isChess = variant === "chess" || variant === "chess960";
  const group = svg("g", { class: `board ${variant}` });
  rows.forEach((row, rank) => row.forEach((piece, file) => {
    const [x, y] = corner(rank, file);
    const isDark = isChess && (rank + file) % 2 === 1;
    group.append(svg("rect", { x, y, width: cell, height: cell, class: isDark ? "cell dark" : "cell" }));
    if (piece) group.append(drawPiece(isChess ? "chess" : variant, piece, x + cell / 2, y + cell / 2, cell));
  }));
  return group;
}

/** Draws a piece: a cross and a ring for games with stones of one kind, figures in chess, else discs, with letters in xiangqi. */
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
  const disc = svg("circle", { cx: x, cy: y, r: cell * 0.38, class: `disc ${side}` });
  if (piece.toLowerCase() === "p" && variant !== "xiangqi") return disc;
  const letter = svg("text", { x, y: y + cell * 0.16, class: `letter ${side}`, style: `font-size: ${cell * 0.45}px` }, piece.toUpperCase());
  return svg("g", {}, disc, letter);
}

/** The place of a point of Triangle War in a square of side `size`. */
function trianglePlace(point, size) {
  return TRIANGLE_POINTS[point - 1].map((step, axis) => size * (0.08 + 0.84 * step / (axis === 0 ? 6 : 3.45)));
}

function drawTriangle(position, size) {
  const [lines, owners] = position.split(" ");
  const drawn = lines === "-" ? [] : lines.split(",").map(line => line.split("-").map(Number));
  const place = point => trianglePlace(point, size);
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

/** Draws a large board with the names of its rows and columns and with arrows (`move` in coordinates, `kind`). A position without board is text. */
function drawPosition(variant, position, { size, flipped, arrows }) {
  if (variant === "gametree") return html("pre", { className: "position", textContent: position });
  const isTriangle = variant === "trianglewar";
  const board = isTriangle ? drawTriangle(position, size) : drawGrid(variant, position, size, flipped);
  const edge = isTriangle ? 0 : 16;
  const picture = svg("svg", { class: "position", viewBox: `${-edge} 0 ${size + edge} ${size + edge}`, role: "img", "aria-label": `Position ${position}` }, board);
  const rows = isTriangle ? [] : gridRows(position);
  for (const { move, kind } of arrows) picture.append(...drawMove(move, kind, isTriangle ? null : rows, size, flipped));
  if (isTriangle) return picture;
  const { cell, corner } = gridOf(rows, size, flipped);
  const label = { class: "coordinate", style: `font-size: ${Math.min(13, cell * 0.5)}px` };
  rows.forEach((_, rank) => picture.append(svg("text", { ...label, x: -8, y: corner(rank, 0)[1] + cell * 0.5 + 4 }, String(rows.length - rank))));
  rows[0].forEach((_, file) => picture.append(svg("text", { ...label, x: corner(0, file)[0] + cell / 2, y: size + 13 }, String.fromCharCode(97 + file))));
  return picture;
}

/** Draws a move: an arrow from cell to cell, a ring in the cell of a new piece, or a line of Triangle War (without `rows`). */
function drawMove(move, kind, rows, size, flipped) {
  if (!rows) {
    const [[x1, y1], [x2, y2]] = move.split("-").map(point => trianglePlace(Number(point), size));
    return [svg("line", { class: `move ${kind}`, x1, y1, x2, y2, "stroke-width": size * 0.03 })];
  }
  const { cell, corner } = gridOf(rows, size, flipped);
  const places = [...move.matchAll(/([a-z])(\d+)/g)].map(([, file, rank]) =>
    corner(rows.length - Number(rank), file.charCodeAt(0) - 97).map(place => place + cell / 2));
  if (places.length === 0) return [];
  const [[x1, y1], to] = places;
  if (!to) return [svg("circle", { class: `move ${kind} ring`, cx: x1, cy: y1, r: cell * 0.42, "stroke-width": cell * 0.1 })];
  const length = Math.hypot(to[0] - x1, to[1] - y1);
  const [dx, dy] = [(to[0] - x1) / length * cell, (to[1] - y1) / length * cell];
  const [x2, y2] = [to[0] - dx * 0.3, to[1] - dy * 0.3];
  const head = [[to[0], to[1]], [x2 - dx * 0.08 - dy * 0.24, y2 - dy * 0.08 + dx * 0.24], [x2 - dx * 0.08 + dy * 0.24, y2 - dy * 0.08 - dx * 0.24]];
  return [
    svg("line", { class: `move ${kind}`, x1, y1, x2, y2, "stroke-width": cell * 0.15 }),
    svg("polygon", { class: `move ${kind} head`, points: head.map(point => point.map(value => value.toFixed(1)).join()).join(" ") }),
  ];
}
