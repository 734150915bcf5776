// Boards: SVG drawings of positions, from the text of the position. `pieces.js` draws the pieces.

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

/** The geometry of a board of rows in a square of side `size`: the side of a cell, the corner and the centre of each cell. */
function gridOf(rows, size, flipped) {
  const [height, width] = [rows.length, rows[0].length];
  const cell = size / Math.max(height, width);
  const left = (size - cell * width) / 2;
  const corner = (rank, file) => (flipped ? [left + (width - 1 - file) * cell, (height - 1 - rank) * cell] : [left + file * cell, rank * cell]);
  const center = (rank, file) => corner(rank, file).map(place => place + cell / 2);
  return { cell, corner, center };
}

const isGo = variant => variant === "go" || variant === "smallgo";
const isGomoku = variant => variant.startsWith("gomoku") || variant === "renju";
/** Whether a game is played with black and white stones. */
const hasStones = variant => isGomoku(variant) || isGo(variant);
/** Whether the pieces of a game stand on the points where lines cross. */
const standsOnPoints = variant => variant === "xiangqi" || hasStones(variant);
/** The letters of the files. Go has no i. */
const fileLetters = variant => (isGo(variant) ? "abcdefghjklmnopqrstuvwxyz" : "abcdefghijklmnopqrstuvwxyz");

const boardClass = variant => `board ${variant}${hasStones(variant) ? " stones" : ""}`;

function drawGrid(variant, position, size, flipped = false) {
  const rows = gridRows(position);
  const grid = gridOf(rows, size, flipped);
  const group = svg("g", { class: boardClass(variant) }, ...drawGround(variant, rows, grid));
  rows.forEach((row, rank) => row.forEach((piece, file) => {
    if (piece) group.append(drawPiece(variant, piece, ...grid.center(rank, file), grid.cell));
  }));
  return group;
}

/** Draws what lies under the pieces: cells, or lines that cross at the points. */
function drawGround(variant, rows, { cell, corner, center }) {
  const [height, width] = [rows.length, rows[0].length];
  if (standsOnPoints(variant)) {
    const [x, y] = corner(0, 0).map((place, axis) => Math.min(place, corner(height - 1, width - 1)[axis]));
    const wood = svg("rect", { x, y, width: width * cell, height: height * cell, class: "wood" });
    return [wood, ...(variant === "xiangqi" ? xiangqiLines(center, cell) : stoneLines(height, center, cell))];
  }
  return rows.flatMap((row, rank) => row.map((_, file) => {
    const [x, y] = corner(rank, file);
    const isDark = variant === "chess" && (rank + file) % 2 === 1;
    const ground = svg("rect", { x, y, width: cell, height: cell, class: isDark ? "cell dark" : "cell" });
    const [cx, cy] = center(rank, file);
    return variant === "cfour" ? svg("g", {}, ground, svg("circle", { cx, cy, r: cell * 0.4, class: "hole" })) : ground;
  }));
}

/** Draws lines between points, each given as rank, file, rank, file. */
function pointLines(lines, center, cell) {
  const d = lines.map(([fromRank, fromFile, toRank, toFile]) => `M${center(fromRank, fromFile).join(" ")}L${center(toRank, toFile).join(" ")}`).join("");
  return svg("path", { d, class: "lines-of-board", "stroke-width": Math.max(0.5, cell * 0.03) });
}

function xiangqiLines(center, cell) {
  const ranks = Array.from({ length: 10 }, (_, rank) => [rank, 0, rank, 8]);
  const files = Array.from({ length: 9 }, (_, file) => file).flatMap(file => (file % 8 === 0 ? [[0, file, 9, file]] : [[0, file, 4, file], [5, file, 9, file]]));
  const palaces = [[0, 3, 2, 5], [0, 5, 2, 3], [7, 3, 9, 5], [7, 5, 9, 3]];
  const [[x1, y1], [x2, y2]] = [center(4, 2), center(5, 6)];
  const river = [["楚 河", (x1 * 3 + x2) / 4], ["漢 界", (x1 + x2 * 3) / 4]].map(([text, x]) =>
    svg("text", { x, y: (y1 + y2) / 2 + cell * 0.16, class: "river", style: `font-size: ${cell * 0.46}px` }, text));
  return [pointLines([...ranks, ...files, ...palaces], center, cell), ...river];
}

function stoneLines(size, center, cell) {
  const across = Array.from({ length: size }, (_, line) => line).flatMap(line => [[line, 0, line, size - 1], [0, line, size - 1, line]]);
  const starLines = { 9: [2, 6], 13: [3, 9], 15: [3, 11], 19: [3, 9, 15] }[size] ?? [];
  const stars = starLines.flatMap(rank => starLines.map(file => [rank, file]));
  if (stars.length === 4) stars.push([(size - 1) / 2, (size - 1) / 2]);
  const dots = stars.map(([rank, file]) => {
    const [cx, cy] = center(rank, file);
    return svg("circle", { cx, cy, r: cell * 0.09, class: "star" });
  });
  return [pointLines(across, center, cell), ...dots];
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

/** Whether a position can be drawn. That of a game tree, or of a game whose rules are not known, is text. */
function hasBoard(variant, position) {
  return variant !== "gametree" && !/^(startpos|fen)\b/.test(position);
}

/** Draws a large board with the names of its rows and columns and with arrows (`move` in coordinates, `kind`). A position without board is text. */
function drawPosition(variant, position, { size, flipped, arrows }) {
  if (!hasBoard(variant, position)) return html("pre", { className: "position", textContent: position });
  const isTriangle = variant === "trianglewar";
  const board = isTriangle ? drawTriangle(position, size) : drawGrid(variant, position, size, flipped);
  const edge = isTriangle ? 0 : 16;
  const rows = isTriangle ? [] : gridRows(position);
  const height = isTriangle ? size : gridOf(rows, size, flipped).cell * rows.length;
  const picture = svg("svg", { class: "position", viewBox: `${-edge} 0 ${size + edge} ${height + edge}`, role: "img", "aria-label": texts.positionOf(position) }, board);
  for (const { move, kind } of arrows) picture.append(...drawMove(move, kind, isTriangle ? null : rows, size, flipped, variant));
  if (isTriangle) return picture;
  picture.append(...drawCoordinates(variant, rows, size, flipped, height));
  return picture;
}

/** Draws the numbers of the rows on the left of a board and the letters of its columns below. */
function drawCoordinates(variant, rows, size, flipped, height, fontSize = 13) {
  const { cell, corner, center } = gridOf(rows, size, flipped);
  const left = Math.min(corner(0, 0)[0], corner(0, rows[0].length - 1)[0]);
  const label = { class: "coordinate", style: `font-size: ${Math.min(fontSize, cell * 0.5)}px` };
  return [
    ...rows.map((_, rank) => svg("text", { ...label, x: left - 8, y: center(rank, 0)[1] + 4 }, String(rows.length - rank))),
    ...rows[0].map((_, file) => svg("text", { ...label, x: center(0, file)[0], y: height + 13 }, fileLetters(variant)[file])),
  ];
}

/** The names of the cells in a move, as rank and file of the drawing: from and to, or the cell of a new piece. */
function moveCells(move, rows, variant) {
  return [...move.matchAll(/([a-z])(\d+)/g)].map(([, file, rank]) => [rows.length - Number(rank), fileLetters(variant).indexOf(file)]);
}

/** Draws a move: an arrow from cell to cell, a ring in the cell of a new piece, or a line of Triangle War (without `rows`). */
function drawMove(move, kind, rows, size, flipped, variant) {
  if (!rows) {
    const [[x1, y1], [x2, y2]] = move.split("-").map(point => trianglePlace(Number(point), size));
    return [svg("line", { class: `move ${kind}`, x1, y1, x2, y2, "stroke-width": size * 0.03 })];
  }
  const { cell, center } = gridOf(rows, size, flipped);
  const places = moveCells(move, rows, variant).map(([rank, file]) => center(rank, file));
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
