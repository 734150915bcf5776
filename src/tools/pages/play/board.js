// The board to play on: draws a position, and turns clicks, drags and keys into moves. Which moves are legal is given.

const BOARD_SIZE = 400;
const BOARD_EDGE = 16;

class Board {
  /** `element` takes the drawing, `spoken` what a screen reader says; `onMove` gets a legal move, or several to choose from. */
  constructor(element, spoken, onMove) {
    Object.assign(this, { element, spoken, onMove, chosen: null, cursor: null, shown: "" });
    element.addEventListener("pointerdown", event => this.press(event));
    element.addEventListener("pointermove", event => this.drag(event));
    element.addEventListener("pointerup", event => this.release(event));
    element.addEventListener("pointercancel", () => this.drop());
    element.addEventListener("keydown", event => this.key(event));
    element.addEventListener("focus", () => this.describe());
  }

  /**
   * Draws a position. `moves` are those that may be played now, `last` is the last move, `arrows` are moves to point at,
   * `check` is the side in check or null. With `onCell`, cells that are chosen play no move: it gets them.
   */
  render(view) {
    const isOther = view.variant !== this.view?.variant;
    const isNew = isOther || view.position !== this.view?.position;
    this.view = view;
    if (isNew) this.chosen = null;
    // The cursor of one board may be off another.
    if (isOther) this.cursor = null;
    this.element.setAttribute("aria-label", view.label);
    this.draw(isNew);
  }

  draw(isNew = false) {
    const { variant } = this.view;
    this.kind = variant === "gametree" ? "tree" : variant === "trianglewar" ? "triangle" : "grid";
    // The moves of a tree are buttons: there the keys are those of the page.
    this.element.setAttribute("role", this.kind === "tree" ? "group" : "application");
    this.element.setAttribute("aria-describedby", this.kind === "tree" ? "" : "keys");
    if (this.kind === "tree") return this.drawTree();
    const picture = this.kind === "triangle" ? this.drawTriangle() : this.drawGrid(isNew);
    this.element.replaceChildren(picture);
  }

  // ---- Boards of cells or points ----

  drawGrid(isNew) {
    const { variant, position, last, check, arrows } = this.view;
    // Discs fall down, however the reader looks at the board.
    const flipped = this.view.flipped && variant !== "cfour";
    this.rows = gridRows(position);
    this.grid = gridOf(this.rows, BOARD_SIZE, flipped);
    const { cell, center } = this.grid;
    const [height, width] = [this.rows.length * cell, this.rows[0].length * cell];
    this.element.style.setProperty("--aspect", (width + BOARD_EDGE) / (height + BOARD_EDGE));
    const left = (BOARD_SIZE - width) / 2;
    const lastCells = last ? moveCells(last, this.rows, variant) : [];
    const piecesGroup = svg("g");
    this.pieces = new Map();
    this.rows.forEach((row, rank) => row.forEach((piece, file) => {
      if (!piece) return;
      const drawn = svg("g", { class: "piece" }, drawPiece(variant, piece, ...center(rank, file), cell));
      this.pieces.set(`${rank} ${file}`, drawn);
      piecesGroup.append(drawn);
    }));
    const board = svg("g", { class: boardClass(variant) }, ...drawGround(variant, this.rows, this.grid),
      ...this.marks(this.isRinged(lastCells) ? [] : lastCells, "last"),
      ...this.marks(check === null ? [] : this.cellsOf(check === 0 ? "K" : "k"), "check"),
      ...this.marks(this.chosen ? [this.chosen] : [], "chosen"),
      piecesGroup, ...this.lastDrop(lastCells), ...this.targets(), ...this.cursorMark());
    if (isNew && lastCells.length) this.animate(lastCells);
    const lines = arrows.flatMap(({ move, kind }) => drawMove(move, kind, this.rows, BOARD_SIZE, flipped, variant));
    return svg("svg", { class: "position", viewBox: `${left - BOARD_EDGE} -2 ${width + BOARD_EDGE + 4} ${height + BOARD_EDGE + 2}`, "aria-hidden": "true" },
      board, ...lines, ...drawCoordinates(variant, this.rows, BOARD_SIZE, flipped, height, 9.5));
  }

  marks(cells, kind) {
    const { cell, corner } = this.grid;
    return cells.map(([rank, file]) => {
      const [x, y] = corner(rank, file);
      return svg("rect", { x, y, width: cell, height: cell, rx: standsOnPoints(this.view.variant) ? cell * 0.2 : 0, class: `mark ${kind}` });
    });
  }

  /** Whether the last move is marked by a ring on its stone, not by its cells. */
  isRinged(cells) {
    return cells.length === 1 && (standsOnPoints(this.view.variant) || this.view.variant === "cfour");
  }

  /** A ring on the stone that was put on the board last. */
  lastDrop(cells) {
    if (!this.isRinged(cells)) return [];
    const { cell, center } = this.grid;
    const [cx, cy] = center(...cells[0]);
    return [svg("circle", { cx, cy, r: cell * 0.13, class: "latest-drop", "stroke-width": cell * 0.07 })];
  }

  cellsOf(piece) {
    return this.rows.flatMap((row, rank) => row.flatMap((found, file) => (found === piece ? [[rank, file]] : [])));
  }

  /** The places where the chosen piece can go; in games of drops, none are marked: they are too many. */
  targets() {
    const { cell, center } = this.grid;
    if (!this.chosen) return [];
    return this.movesFrom(this.chosen).map(({ cells }) => {
      const [rank, file] = cells.at(-1);
      const [cx, cy] = center(rank, file);
      const isTaken = this.rows[rank][file] !== "";
      return svg("circle", { cx, cy, r: isTaken ? cell * 0.44 : cell * 0.15, "stroke-width": cell * 0.07, class: isTaken ? "target taken" : "target" });
    });
  }

  cursorMark() {
    if (!this.cursor) return [];
    const { cell, corner } = this.grid;
    const [rank, file] = this.cursor = [Math.min(this.cursor[0], this.rows.length - 1), Math.min(this.cursor[1], this.rows[0].length - 1)];
    const [x, y] = corner(rank, file);
    return [svg("rect", { x: x + 1.5, y: y + 1.5, width: cell - 3, height: cell - 3, class: "cursor" })];
  }

  /** Lets the piece of the last move slide from where it came, a disc fall. */
  animate(cells) {
    const to = cells.at(-1);
    const piece = this.pieces.get(to.join(" "));
    const from = cells.length > 1 ? cells[0] : this.view.variant === "cfour" ? [-1, to[1]] : null;
    if (!piece || !from) return;
    const [start, end] = [this.grid.center(...from), this.grid.center(...to)];
    piece.style.setProperty("--dx", `${start[0] - end[0]}px`);
    piece.style.setProperty("--dy", `${start[1] - end[1]}px`);
    piece.classList.add("moves-in");
  }

  /** The legal moves with their cells, from a cell. */
  movesFrom([rank, file]) {
    return this.legal().filter(({ cells }) => cells.length > 1 && cells[0][0] === rank && cells[0][1] === file);
  }

  /** The legal moves that put a new piece on a cell; in Connect Four, into its column. */
  dropsAt([rank, file]) {
    const isColumn = this.view.variant === "cfour";
    return this.legal().filter(({ cells }) => cells.length === 1 && cells[0][1] === file && (isColumn || cells[0][0] === rank));
  }

  legal() {
    return this.view.moves.map(move => ({ ...move, cells: moveCells(move.move, this.rows, this.view.variant) }));
  }

  /** Gives a cell to who asked for cells, or else chooses it: plays a move to it, or picks the piece on it up. Returns whether a move was played. */
  choose(cell) {
    if (this.view.onCell) {
      this.view.onCell(cell);
      return true;
    }
    const candidates = this.chosen ? this.movesFrom(this.chosen).filter(({ cells }) => cells.at(-1).join() === cell.join()) : [];
    const moves = candidates.length ? candidates : this.dropsAt(cell);
    if (moves.length) {
      this.chosen = null;
      this.draw();
      this.onMove(moves);
      return true;
    }
    this.chosen = this.movesFrom(cell).length && this.chosen?.join() !== cell.join() ? cell : null;
    this.draw();
    return false;
  }

  /** The legal moves that are on no cell, such as a pass. */
  movesOffBoard() {
    return this.kind === "grid" ? this.legal().filter(({ cells }) => cells.length === 0) : [];
  }

  // ---- Triangle War ----

  drawTriangle() {
    this.element.style.setProperty("--aspect", 1);
    const { position, moves, last, arrows } = this.view;
    const line = (move, kind, width) => {
      const [[x1, y1], [x2, y2]] = move.split("-").map(point => trianglePlace(Number(point), BOARD_SIZE));
      return svg("line", { x1, y1, x2, y2, class: kind, "stroke-width": width, "data-move": move });
    };
    const free = moves.map(({ move }, index) => line(move, index === this.cursor ? "free cursor" : "free", 6));
    const drawn = drawTriangle(position, BOARD_SIZE);
    drawn.prepend(...free);
    if (last) drawn.append(line(last, "line latest", 4));
    const hits = moves.map(({ move }) => line(move, "hit", 26));
    return svg("svg", { class: "position", viewBox: `0 0 ${BOARD_SIZE} ${BOARD_SIZE}`, "aria-hidden": "true" },
      drawn, ...arrows.flatMap(({ move, kind }) => drawMove(move, kind, null, BOARD_SIZE)), ...hits);
  }

  // ---- Game trees: a drawing, and buttons ----

  drawTree() {
    const { position, moves } = this.view;
    const buttons = moves.map(move => html("button", { type: "button", textContent: move.text, onclick: () => this.onMove([move]) }));
    this.element.style.setProperty("--aspect", 1);
    this.element.replaceChildren(drawTreeBoard(position, moves, this.onMove), html("div", { className: "row choices" }, ...buttons));
  }

  // ---- Pointer ----

  /** The cell under a pointer, or null. */
  cellAt(event) {
    const matrix = this.element.querySelector("svg")?.getScreenCTM();
    if (this.kind !== "grid" || !matrix) return null;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const { cell, corner } = this.grid;
    for (let rank = 0; rank < this.rows.length; rank++) {
      for (let file = 0; file < this.rows[0].length; file++) {
        const [x, y] = corner(rank, file);
        if (point.x >= x && point.x < x + cell && point.y >= y && point.y < y + cell) return [rank, file];
      }
    }
    return null;
  }

  press(event) {
    if (event.button !== 0) return;
    if (event.pointerType !== "touch") this.cursor = null;
    const move = event.target.dataset?.move;
    if (this.kind === "triangle" && move) return this.onMove(this.view.moves.filter(legal => legal.move === move));
    const cell = this.cellAt(event);
    if (!cell) return;
    const isTarget = this.chosen !== null && this.movesFrom(this.chosen).some(({ cells }) => cells.at(-1).join() === cell.join());
    const picksUp = this.movesFrom(cell).length > 0 && !isTarget;
    this.pressed = { cell, picksUp, x: event.clientX, y: event.clientY, wasChosen: this.chosen?.join() === cell.join() };
    if (!picksUp) return;
    // A second press lets the piece go only when it is released on its own cell.
    this.chosen = cell;
    this.draw();
    this.dragged = this.pieces.get(cell.join(" "));
    this.element.setPointerCapture(event.pointerId);
  }

  drag(event) {
    if (!this.dragged) return;
    const scale = this.element.querySelector("svg").getScreenCTM().a;
    const [dx, dy] = [(event.clientX - this.pressed.x) / scale, (event.clientY - this.pressed.y) / scale];
    this.dragged.setAttribute("transform", `translate(${dx} ${dy})`);
    this.dragged.parentNode.append(this.dragged);
  }

  release(event) {
    const { pressed } = this;
    this.drop();
    const cell = this.cellAt(event);
    if (!pressed || !cell) return;
    const isSame = cell.join() === pressed.cell.join();
    if (isSame && pressed.picksUp) {
      this.chosen = pressed.wasChosen ? null : cell;
      this.draw();
    } else if (isSame && this.aims(event, cell)) {
      this.cursor = cell;
      this.draw();
    } else if (isSame || this.chosen?.join() === pressed.cell.join()) {
      this.choose(cell);
    }
  }

  /** Whether a touch only aims at a cell: where cells are smaller than a finger, a second touch plays. */
  aims(event, cell) {
    const pixels = this.grid.cell * this.element.querySelector("svg").getScreenCTM().a;
    const isDrop = !this.chosen && this.dropsAt(cell).length > 0;
    return event.pointerType === "touch" && pixels < 32 && isDrop && this.cursor?.join() !== cell.join();
  }

  drop() {
    this.dragged?.removeAttribute("transform");
    this.dragged = null;
    this.pressed = null;
  }

  // ---- Keyboard ----

  key(event) {
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    const step = steps[event.key];
    const isChoice = event.key === "Enter" || event.key === " ";
    if (this.kind === "tree" || event.altKey || event.ctrlKey || event.metaKey || !(step || isChoice || event.key === "Escape")) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") this.chosen = this.cursor = null;
    else if (this.kind === "triangle") this.triangleKey(step, isChoice);
    else if (step) this.moveCursor(step);
    else if (this.cursor) this.choose(this.cursor);
    this.draw();
    this.describe();
  }

  moveCursor([down, right]) {
    const turned = this.view.flipped && this.view.variant !== "cfour" ? -1 : 1;
    const [height, width] = [this.rows.length, this.rows[0].length];
    const [rank, file] = this.cursor ?? [Math.floor(height / 2), Math.floor(width / 2)];
    const within = (value, size) => Math.min(Math.max(value, 0), size - 1);
    this.cursor = this.cursor ? [within(rank + turned * down, height), within(file + turned * right, width)] : [rank, file];
  }

  triangleKey(step, isChoice) {
    const { moves } = this.view;
    if (isChoice && moves[this.cursor]) return this.onMove([moves[this.cursor]]);
    const way = step && (step[0] + step[1]);
    if (step && moves.length) this.cursor = this.cursor === null ? 0 : (this.cursor + way + moves.length) % moves.length;
  }

  /** Says what the cursor is on. */
  describe() {
    if (this.cursor === null) return;
    if (this.kind === "triangle") {
      this.spoken.textContent = this.view.moves[this.cursor]?.text ?? "";
      return;
    }
    const [rank, file] = this.cursor;
    const piece = this.rows[rank][file];
    const isTarget = this.chosen && this.movesFrom(this.chosen).some(({ cells }) => cells.at(-1).join() === this.cursor.join());
    const name = fileLetters(this.view.variant)[file] + (this.rows.length - rank);
    this.spoken.textContent = [name, piece ? pieceName(this.view.variant, piece) : texts.empty, ...(isTarget ? [texts.target] : [])].join(", ");
  }
}
