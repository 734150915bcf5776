// The clocks of a game, if its players want some. Times are in milliseconds.

class Clock {
  constructor(game) {
    Object.assign(this, { game, left: [0, 0], since: 0 });
  }

  get isOn() {
    return this.game.settings.clock !== "none";
  }

  /** Whether a side has a clock. */
  has(side) {
    return ["both", ["first", "second"][side]].includes(this.game.settings.clock);
  }

  /** Whether the clock of the side to move runs: from the second move on. */
  get isRunning() {
    return this.has(this.game.state.side) && this.game.path.length > 0 && !this.game.isOver;
  }

  /** What both sides had after the moves of a line. */
  leftAfter(path) {
    const full = 60_000 * this.game.settings.minutes;
    return this.game.tree[path.at(-1)]?.left ?? [full, full];
  }

  /** Sets the clocks to what they showed after the last move of the game. */
  set() {
    this.left = this.leftAfter(this.game.path);
    this.since = performance.now();
  }

  /** Sets the clocks to their full time. */
  reset() {
    for (const node of this.game.tree) delete node.left;
    this.set();
  }

  /** What both sides have now. */
  get now() {
    const spent = this.isRunning ? performance.now() - this.since : 0;
    return this.left.map((left, side) => Math.max(0, left - (side === this.game.state.side ? spent : 0)));
  }

  /** Leaves the clocks as they are now. */
  stop() {
    this.left = this.now;
    this.since = performance.now();
  }

  /** What both sides have after a move of `side` that follows the moves of a line. */
  afterMove(path, side) {
    const left = [...(this.game.isLast ? this.now : this.leftAfter(path))];
    if (this.has(side)) left[side] += 1000 * this.game.settings.increment;
    return left;
  }

  /** The words after `go` for a search of the side to move; null if it has no clock. */
  get limits() {
    if (!this.has(this.game.state.side)) return null;
    const sides = [0, 1].filter(side => this.has(side));
    return sides.map(side => `${"wb"[side]}time ${Math.ceil(this.now[side])} ${"wb"[side]}inc ${1000 * this.game.settings.increment}`).join(" ");
  }
}

/** A time as clocks show it, with tenths of a second below ten seconds. */
function clockText(milliseconds) {
  const tenths = milliseconds < 10_000 ? 1 : 0;
  const seconds = tenths ? Math.ceil(milliseconds / 100) / 10 : Math.ceil(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(tenths).padStart(2 + 2 * tenths, "0")}`;
}
