// The levels of the engine, from beginner to full strength.

/**
 * A level searches to `limits` (the words after `go`), at a rating of `elo` where it has one: UCI_Elo, which is defined and measured
 * in docs/strength.md. `method` is a value of the option Search Method: a search as textbooks have it. The ratings are those of
 * `duiyi play`.
 */
const LEVELS = [
  { name: "beginner", limits: "movetime 3000", elo: 800 },
  { name: "easy", limits: "movetime 3000", elo: 1100 },
  { name: "casual", limits: "movetime 3000", elo: 1400 },
  { name: "club", limits: "movetime 3000", elo: 1800 },
  { name: "strong", limits: "movetime 3000", elo: 2400 },
  { name: "full", limits: "movetime 3000" },
  { name: "textbook", limits: "depth 3", method: "alphabeta-hard" },
];
