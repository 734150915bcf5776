// Sets up a position: the reader puts pieces on the board. What the text of the position means is for the engine to say.

/** The letters of the pieces of a game, those of the first side. */
const PIECE_LETTERS = { chess: "KQRBNP", xiangqi: "KABNRCP" };

class Editor {
  /** Begins with the position that the reader sees. */
  constructor({ variant, viewed }) {
    const [, letter] = viewed.position.split(" ");
    const other = letter === "w" ? "b" : "w";
    this.variant = variant;
    this.rows = gridRows(viewed.position);
    /** The letters of both sides in the text of a position. */
    this.sideLetters = viewed.side === 0 ? [letter, other] : [other, letter];
    this.side = viewed.side;
    const letters = PIECE_LETTERS[variant] ?? "P";
    this.pieces = [...letters, ...letters.toLowerCase()];
    this.piece = this.pieces[0];
  }

  /** Whether positions of a game are pieces on cells. */
  static knows(variant) {
    return variant !== "gametree" && variant !== "trianglewar";
  }

  /** Puts the chosen piece on a cell, or takes it away if it stands there. */
  put([rank, file]) {
    this.rows[rank][file] = this.rows[rank][file] === this.piece ? "" : this.piece;
  }

  clear() {
    for (const row of this.rows) row.fill("");
  }

  get text() {
    const board = this.rows.map(row => row.map(piece => piece || "1").join("").replace(/1+/g, run => run.length)).join("/");
    return `${board} ${this.sideLetters[this.side]}`;
  }

  /** The texts to try as the position, the best one first: in chess, each side may castle where king and rook stand at home. */
  get candidates() {
    return this.variant === "chess" ? [`${this.text} KQkq - 0 1`, this.text] : [this.text];
  }
}
