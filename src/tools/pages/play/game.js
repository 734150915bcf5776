// The game on the board: its moves, what the reader sees of it, and its place in the browser's memory. No rules.

const gameKey = "duiyi.game";

class Game {
  constructor(rules) {
    this.rules = rules;
    this.settings = { opponent: "second", level: 1, size: 9, flipped: null, letters: false, clock: "none", minutes: 10, increment: 5 };
    this.clock = new Clock(this);
    /** What the rules said of the text that was loaded last. */
    this.warnings = [];
    /** Why the link of the address leads nowhere, or "". */
    this.linkError = "";
    const saved = memory.read(gameKey);
    this.begin("chess");
    this.restore(saved);
  }

  /** Begins a game at a position, "" for the start. */
  begin(variant, position = "") {
    this.variant = variant;
    this.position = position;
    this.settings.flipped = null;
    this.setMoves([], []);
  }

  /** Sets the tree of all moves, each `{ move, text, side, parent, left }` (the last for the clocks), and the moves of the game in it. Returns the error of the rules, or "". */
  setMoves(tree, played) {
    this.tree = tree;
    let parent = null;
    this.path = played.map(({ move }) => {
      parent = this.find(parent, move);
      return parent;
    });
    this.forfeit = null;
    return this.update();
  }

  /** The index of a move in the tree, after the move `parent`; -1 if it is not there. */
  find(parent, move) {
    return this.tree.findIndex(node => node.parent === parent && node.move === move);
  }

  movesOf(path) {
    return path.map(node => this.tree[node].move);
  }

  /** The moves of the game, without variations. */
  get moves() {
    return this.movesOf(this.path);
  }

  /** Asks for the state after the game's moves; shows the last position. Returns the error of the rules, or "". */
  update() {
    const state = this.rules.ask({ variant: this.variant, position: this.position, moves: this.moves });
    if (state.error) return state.error;
    const { path } = this;
    Object.assign(this, { state, line: { path, state }, view: path.length, viewed: state });
    this.clock.set();
    this.save();
    return "";
  }

  /** Shows the position after `ply` moves of the line that is looked at: the game, or a variation. */
  show(ply) {
    const { path, state } = this.line;
    const view = Math.min(Math.max(ply, 0), path.length);
    const viewed = view === path.length ? state : this.rules.ask(this.questionOf(path.slice(0, view)));
    if (!viewed.error) Object.assign(this, { view, viewed });
  }

  /** Shows the position after a move of the tree. Its line goes on with the first moves that were played there. */
  showMove(node) {
    let path = [];
    for (let at = node; at !== null; at = this.tree[at].parent) path.unshift(at);
    const ply = path.length;
    if (this.path[ply - 1] === node) path = this.path;
    else for (let at = node; at >= 0; at = this.tree.findIndex(({ parent }) => parent === at)) if (at !== node) path.push(at);
    const state = path === this.path ? this.state : this.rules.ask(this.questionOf(path));
    if (state.error) return;
    this.line = { path, state };
    this.show(ply);
  }

  /** Whether a variation is looked at. */
  get isVariation() {
    return this.line.path !== this.path;
  }

  /** Whether the last position of the game is shown. */
  get isLast() {
    return !this.isVariation && this.view === this.path.length;
  }

  questionOf(path) {
    return { variant: this.variant, position: this.position, moves: this.movesOf(path) };
  }

  /** The question about the shown position, with further fields. */
  question(more = {}) {
    return { ...this.questionOf(this.line.path.slice(0, this.view)), ...more };
  }

  get isOver() {
    return this.state.result !== null || this.forfeit !== null;
  }

  /** Whether the engine plays a side. */
  isEngine(side) {
    return this.settings.opponent === "both" || this.settings.opponent === ["first", "second"][side];
  }

  /** Whether the reader may move in the shown position. A move in an earlier one begins a variation, and the game goes on with it. */
  get isPlayable() {
    return !(this.isLast && this.isOver) && !this.isEngine(this.viewed.side);
  }

  /** The side at the bottom of the board is the reader's, unless the board was turned. */
  get isFlipped() {
    return (this.settings.opponent === "first") !== Boolean(this.settings.flipped);
  }

  /** Plays a move in the shown position. The game goes on with it; other moves there stay as variations. Returns the error of the rules, or "". */
  play(move) {
    const path = this.line.path.slice(0, this.view);
    const parent = path.at(-1) ?? null;
    const state = this.rules.ask({ ...this.questionOf(path), moves: [...this.movesOf(path), move] });
    if (state.error) return state.error;
    const { text, side } = state.played.at(-1);
    const left = this.clock.afterMove(path, side);
    if (this.find(parent, move) < 0) this.tree.push({ move, text, side, parent });
    const node = this.find(parent, move);
    this.tree[node].left = left;
    this.path = [...path, node];
    this.forfeit = null;
    return this.update();
  }

  /** Takes back moves down to the reader's last one, or one move if two people play. They stay as a variation. */
  takeBack() {
    if (this.path.length === 0) return;
    const { played } = this.state;
    let length = this.path.length - 1;
    while (length > 0 && this.settings.opponent !== "both" && this.isEngine(played[length].side)) length -= 1;
    this.goOnFrom(this.path.slice(0, length));
  }

  /** Lets the game go on from a line. */
  goOnFrom(path) {
    this.path = path;
    this.forfeit = null;
    this.update();
  }

  /** Ends the game: `side` has lost it, `how` is a key of `texts.forfeits`. */
  lose(side, how) {
    this.clock.stop();
    this.forfeit = { side, how };
    this.save();
  }

  /** The record of the game, with its variations where its format has them. */
  get record() {
    return this.rules.ask({ ...this.questionOf(this.path), tree: this.tree, forfeit: this.forfeit }).record;
  }

  /** Loads a position or a record. Returns the error of the rules, or "". */
  load(text) {
    // The text of a game tree has brackets and numbers too.
    const isRecord = this.variant === "gametree" ? /^\s*(\[|1\.)/.test(text) : /^\s*[[(]/.test(text) || /\b\d+\.+\s*\S/.test(text);
    const state = this.rules.ask({ variant: this.variant, ...(isRecord ? { record: text } : { position: text }) });
    if (state.error) return state.error;
    this.begin(state.variant, state.start);
    const error = this.setMoves(state.tree, state.played);
    this.warnings = state.warnings;
    this.waitForReader();
    return error;
  }

  /** Gives the side to move to the reader: what was loaded is looked at before the engine plays on in it. */
  waitForReader() {
    if (this.isEngine(this.state.side)) this.settings.opponent = ["second", "first"][this.state.side];
    this.save();
  }

  save() {
    const { variant, position, moves, tree, forfeit, settings, clock: { now } } = this;
    memory.write(gameKey, JSON.stringify({ variant, position, moves, tree, forfeit, settings, now }));
  }

  /** The part of an address after `#` that leads to the shown position. */
  get link() {
    return `#${this.variant}/${encodeURIComponent(this.viewed.position)}`;
  }

  /** Begins at the position of such a part of an address. Returns the error of the rules, or "". */
  follow(link) {
    const [, variant, text] = /^#(\w+)\/(.+)$/.exec(link) ?? [];
    let position;
    try {
      position = decodeURIComponent(text ?? "");
    } catch (error) {
      return error.message;
    }
    const { error } = this.rules.ask({ variant: variant ?? "", position });
    if (error) return error;
    this.begin(variant, position);
    this.waitForReader();
    return "";
  }

  /** Follows the link of the address, or restores the game of the last visit if its rules accept it. */
  restore(saved) {
    try {
      const { variant, position, moves, tree, forfeit = null, settings, now } = JSON.parse(saved) ?? {};
      Object.assign(this.settings, settings);
      this.linkError = location.hash && this.follow(location.hash);
      if ((location.hash && !this.linkError) || !variant) return;
      const state = this.rules.ask({ variant, position, moves, tree });
      if (state.error) return;
      Object.assign(this, { variant, position });
      state.tree.forEach((node, index) => { node.left = tree?.[index]?.left; });
      this.setMoves(state.tree, state.played);
      this.forfeit = forfeit;
      this.clock.left = now ?? this.clock.left;
      this.save();
    } catch {
      // There is none, or it is damaged: a new game begins.
    }
  }
}
