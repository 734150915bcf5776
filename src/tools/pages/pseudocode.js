// The pseudocode of the methods, after Russell and Norvig, "Artificial Intelligence: A Modern Approach". Each line has the
// parts of a step that run it: `leaf`, `enter`, `value`, `test`, `bound`; "MAX" or "MIN" restricts it to that player.

const minimaxFunction = (name, other, start, choose, player) => [
  [`function ${name}(s, depth)`],
  ["  if TERMINAL-TEST(s) return UTILITY(s)", `leaf ${player}`],
  ["  if depth = 0 return EVAL(s)", `leaf ${player}`],
  [`  v ← ${start}`, `enter ${player}`],
  ["  for each a in ACTIONS(s)"],
  [`    v ← ${choose}(v, ${other}(RESULT(s, a), depth − 1))`, `value ${player}`],
  ["  return v"],
];

const alphaBetaFunction = (name, other, start, choose, test, bound, player, end) => [
  [`function ${name}(s, α, β, depth)`],
  ["  if TERMINAL-TEST(s) return UTILITY(s)", `leaf ${player}`],
  ["  if depth = 0 return EVAL(s)", `leaf ${player}`],
  [`  v ← ${start}`, `enter ${player}`],
  ["  for each a in ACTIONS(s)"],
  [`    v ← ${choose}(v, ${other}(RESULT(s, a), α, β, depth − 1))`, `value ${player}`],
  [`    if ${test} break      // cutoff`, `test ${player}`],
  [`    ${bound}`, `bound ${player}`],
  [end],
];

const FAIL_SOFT = "  return v";
const FAIL_HARD = "  return v, not below the first α, not above the first β";

const maxMin = end => [
  ...alphaBetaFunction("MAX-VALUE", "MIN-VALUE", "−∞", "MAX", "v ≥ β", "α ← MAX(α, v)", "MAX", end),
  [""],
  ...alphaBetaFunction("MIN-VALUE", "MAX-VALUE", "+∞", "MIN", "v ≤ α", "β ← MIN(β, v)", "MIN", end),
];

const negamaxAlphaBeta = end => [
  ["function ALPHA-BETA(s, α, β, depth)    // values of the side to move"],
  ["  if TERMINAL-TEST(s) return UTILITY(s)", "leaf"],
  ["  if depth = 0 return EVAL(s)", "leaf"],
  ["  v ← −∞", "enter"],
  ["  for each a in ACTIONS(s)"],
  ["    v ← MAX(v, −ALPHA-BETA(RESULT(s, a), −β, −α, depth − 1))", "value"],
  ["    if v ≥ β break      // cutoff", "test"],
  ["    α ← MAX(α, v)", "bound"],
  [end],
];

const PSEUDOCODE = {
  minimax: [
    ...minimaxFunction("MAX", "MIN", "−∞", "MAX", "MAX"), [""],
    ...minimaxFunction("MIN", "MAX", "+∞", "MIN", "MIN"),
  ],
  "minimax-typed": [
    ["function MINIMAX(s, depth)"],
    ["  if TERMINAL-TEST(s) return UTILITY(s)", "leaf"],
    ["  if depth = 0 return EVAL(s)", "leaf"],
    ["  if PLAYER(s) = MAX then v ← −∞", "enter MAX"],
    ["  if PLAYER(s) = MIN then v ← +∞", "enter MIN"],
    ["  for each a in ACTIONS(s)"],
    ["    w ← MINIMAX(RESULT(s, a), depth − 1)"],
    ["    if PLAYER(s) = MAX then v ← MAX(v, w)", "value MAX"],
    ["    if PLAYER(s) = MIN then v ← MIN(v, w)", "value MIN"],
    ["  return v"],
  ],
  negamax: [
    ["function NEGAMAX(s, depth)             // values of the side to move"],
    ["  if TERMINAL-TEST(s) return UTILITY(s)", "leaf"],
    ["  if depth = 0 return EVAL(s)", "leaf"],
    ["  v ← −∞", "enter"],
    ["  for each a in ACTIONS(s)"],
    ["    v ← MAX(v, −NEGAMAX(RESULT(s, a), depth − 1))", "value"],
    ["  return v"],
  ],
  "maxmin-hard": maxMin(FAIL_HARD),
  "maxmin-soft": maxMin(FAIL_SOFT),
  "alphabeta-hard": negamaxAlphaBeta(FAIL_HARD),
  "alphabeta-soft": negamaxAlphaBeta(FAIL_SOFT),
  memoised: [
    ["function MEMO(s, depth)                // values of the side to move"],
    ["  if (s, depth) is in the table return its value", "leaf remembered"],
    ["  if TERMINAL-TEST(s) return UTILITY(s)", "leaf"],
    ["  if depth = 0 return EVAL(s)", "leaf"],
    ["  v ← −∞", "enter"],
    ["  for each a in ACTIONS(s)"],
    ["    v ← MAX(v, −MEMO(RESULT(s, a), depth − 1))", "value"],
    ["  store v for (s, depth) in the table"],
    ["  return v"],
  ],
};

/** Returns `{line number: remark}` of the lines that `step` runs. The remark is the outcome of a test or a new value. */
function runningLines(method, step) {
  const parts = { enter: ["enter"], leaf: ["leaf"], cutoff: ["test"], value: ["value"] }[step.step];
  if (step.failed_test) parts.push("test");
  if (step.after && (step.after.alpha !== step.alpha || step.after.beta !== step.beta)) parts.push("bound");
  const lines = new Map();
  PSEUDOCODE[method].forEach(([text, runs], number) => {
    const [part, restriction] = (runs ?? "").split(" ");
    if (!parts.includes(part)) return;
    if (["MAX", "MIN"].includes(restriction) && restriction !== step.player) return;
    if (part === "leaf") {
      const isThis = text.includes("TERMINAL") ? ["end", "claimed draw"] : text.includes("EVAL") ? ["estimate"] : ["remembered"];
      if (!isThis.includes(step.because)) return;
    }
    lines.set(number, part === "test" ? (step.step === "cutoff" ? "yes" : "no") : "");
  });
  return lines;
}
