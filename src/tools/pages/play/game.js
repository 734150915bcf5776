// The game on the board: its moves, what the reader sees of it, and its place in the browser's memory. No rules.

const gameKey = "duiyi.game";

/** The memory of the browser, where it grants one. */
const memory = {
  read(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  write(key, value) {
    try {
      localStorage.setItem(key, value);
    } catch {
      // Without memory the page still works; a reload then begins anew.
    }
  },
};

class Game {
  constructor(rules) {
    this.rules = rules;
    this.settings = { opponent: "second", level: 1, flipped: null, letters: false };
    const saved = memory.read(gameKey);
    this.begin("chess");
    this.restore(saved);
  }

  /** Begins a game at a position, "" for the start. */
  begin(variant, position = "") {
    this.variant = variant;
    this.position = position;
    this.moves = [];
    this.resigned = null;
    this.settings.flipped = null;
    this.update();
  }

  /** Asks for the state after all moves; shows the last position. Returns the error of the rules, or "". */
  update() {
    const state = this.rules.ask({ variant: this.variant, position: this.position, moves: this.moves });
    if (state.error) return state.error;
    this.state = state;
    this.view = this.moves.length;
    this.viewed = state;
    this.save();
    return "";
  }

  /** Shows the position after `ply` moves. */
  show(ply) {
    const view = Math.min(Math.max(ply, 0), this.moves.length);
    const viewed = view === this.moves.length ? this.state : this.rules.ask({ ...this.question(), moves: this.moves.slice(0, view) });
    if (!viewed.error) Object.assign(this, { view, viewed });
  }

  get isLast() {
    return this.view === this.moves.length;
  }

  /** The question about the shown position, with further fields. */
  question(more = {}) {
    return { variant: this.variant, position: this.position, moves: this.moves.slice(0, this.view), ...more };
  }

  get isOver() {
    return this.state.result !== null || this.resigned !== null;
  }

  /** Whether the engine plays a side. */
  isEngine(side) {
    return this.settings.opponent === "both" || this.settings.opponent === ["first", "second"][side];
  }

  /** The side at the bottom of the board is the reader's, unless the board was turned. */
  get isFlipped() {
    return (this.settings.opponent === "first") !== Boolean(this.settings.flipped);
  }

  /** Plays a move. Returns the error of the rules, or "". */
  play(move) {
    this.moves.push(move);
    const error = this.update();
    if (error) this.moves.pop();
    return error;
  }

  /** Takes back moves down to the reader's last one, or one move if two people play. */
  takeBack() {
    if (this.moves.length === 0) return;
    const { played } = this.state;
    this.resigned = null;
    let length = this.moves.length - 1;
    while (length > 0 && this.settings.opponent !== "both" && this.isEngine(played[length].side)) length -= 1;
    this.moves.length = length;
    this.update();
  }

  /** Drops the moves after the shown position. */
  cut() {
    this.moves.length = this.view;
    this.resigned = null;
    this.update();
  }

  /** Loads a position or a record. Returns the error of the rules, or "". */
  load(text) {
    const isRecord = /^\s*[[(]/.test(text) || /\b\d+\.+\s*\S/.test(text);
    const state = this.rules.ask({ variant: this.variant, ...(isRecord ? { record: text } : { position: text }) });
    if (state.error) return state.error;
    this.begin(state.variant, state.start);
    this.moves = state.played.map(({ move }) => move);
    return this.update();
  }

  save() {
    const { variant, position, moves, resigned, settings } = this;
    memory.write(gameKey, JSON.stringify({ variant, position, moves, resigned, settings }));
  }

  /** The part of an address after `#` that leads to the shown position. */
  get link() {
    return `#${this.variant}/${encodeURIComponent(this.viewed.position)}`;
  }

  /** Begins at the position of such a part of an address. Returns whether it names one. */
  follow(link) {
    const [, variant, text] = /^#(\w+)\/(.+)$/.exec(link) ?? [];
    if (!variant) return false;
    const position = decodeURIComponent(text);
    if (this.rules.ask({ variant, position }).error) return false;
    this.begin(variant, position);
    return true;
  }

  /** Follows the link of the address, or restores the game of the last visit if its rules accept it. */
  restore(saved) {
    try {
      const { variant, position, moves, resigned, settings } = JSON.parse(saved) ?? {};
      Object.assign(this.settings, settings);
      if (this.follow(location.hash) || !variant || this.rules.ask({ variant, position, moves }).error) return;
      Object.assign(this, { variant, position, moves, resigned });
      this.update();
    } catch {
      // There is none, or it is damaged: a new game begins.
    }
  }
}
