// The pieces of all games, drawn as SVG. The shapes of chess are our own, in a square of side 100.

const CHESS_BASE = "M27 78H73Q80 78 80 85V89H20V85Q20 78 27 78Z";
/** For each piece of chess: its outlines, and the lines and dots inside. */
const CHESS_SHAPES = {
  p: [["M50 22A13.5 13.5 0 0 1 58 46.4H63V52H58.5C60 64 65 71 67 78H33C35 71 40 64 41.5 52H37V46.4H42A13.5 13.5 0 0 1 50 22Z"], ["M41.5 52H58.5"]],
  r: [["M27 19H38V27H45V19H55V27H62V19H73V37L65 45V66L70 78H30L35 66V45L27 37Z"], ["M29 37H71", "M35 45H65", "M35 66H65"]],
  n: [["M31 78C30 64 46 57 47 46C41 51 36 51 32 57C27 60 20 56 21 49L31 33C32 26 37 22 43 20L45 11L53 19C69 23 76 42 74 78Z"], ["M57 27C65 34 67 50 66 70", "M39 33.5L41 33", "M26 49.5L27.5 48.5"]],
  b: [["M50 20C63 29 70 40 66 51C64 57 61 59 60 62L66 78H34L40 62C39 59 36 57 34 51C30 40 37 29 50 20Z", "M50 9A5.5 5.5 0 1 1 49.99 9Z"], ["M39 62H61", "M57 30L49 41"]],
  q: [["M19 33L33 54L35 25L46 50L50 20L54 50L65 25L67 54L81 33L70 66L72 78H28L30 66Z", "M19 24A5 5 0 1 1 18.99 24Z", "M35 16A5 5 0 1 1 34.99 16Z", "M50 11A5 5 0 1 1 49.99 11Z", "M65 16A5 5 0 1 1 64.99 16Z", "M81 24A5 5 0 1 1 80.99 24Z"], ["M30 66H70"]],
  k: [["M47 8H53V14H59V20H53V29H47V20H41V14H47Z", "M50 36C44 24 24 26 22 42C21 52 29 58 31 66L28 78H72L69 66C71 58 79 52 78 42C76 26 56 24 50 36Z"], ["M50 37V62", "M31 66H69"]],
};
/** The characters of xiangqi, of Red and of Black, by the letters of FEN. */
const XIANGQI_CHARACTERS = { K: "帥", A: "仕", B: "相", N: "傌", R: "俥", C: "炮", P: "兵", k: "將", a: "士", b: "象", n: "馬", r: "車", c: "砲", p: "卒" };
/** The letters of WXF notation. */
const XIANGQI_LETTERS = { k: "K", a: "A", b: "E", n: "H", r: "R", c: "C", p: "P" };
/** Whether pieces of xiangqi show letters. The play page has a switch. */
let xiangqiHasLetters = false;

/** Draws a piece with its centre at a place, for cells of side `cell`. An upper-case letter is a piece of the first side. */
function drawPiece(variant, piece, x, y, cell) {
  const side = piece === piece.toUpperCase() ? "first" : "second";
  if (variant === "chess") return drawChessPiece(piece.toLowerCase(), side, x, y, cell);
  if (variant === "xiangqi") return drawXiangqiPiece(piece, side, x, y, cell);
  const r = cell * 0.3;
  if (variant === "tictactoe" || variant === "tictactoe4") {
    const width = { "stroke-width": cell * 0.1 };
    return side === "first"
      ? svg("path", { d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}`, class: "cross", ...width })
      : svg("circle", { cx: x, cy: y, r, class: "ring", ...width });
  }
  return svg("circle", { cx: x, cy: y, r: cell * (variant === "cfour" ? 0.4 : 0.44), class: `disc ${side}` });
}

function drawChessPiece(kind, side, x, y, cell) {
  const [outlines, details] = CHESS_SHAPES[kind] ?? CHESS_SHAPES.p;
  const scale = cell * 1.1 / 100;
  return svg("g", { class: `figure ${side}`, transform: `translate(${x - scale * 50} ${y - scale * 50}) scale(${scale})` },
    svg("path", { d: [...outlines, CHESS_BASE].join("") }),
    svg("path", { d: details.join(""), class: "detail" }));
}

function drawXiangqiPiece(piece, side, x, y, cell) {
  const text = xiangqiHasLetters ? XIANGQI_LETTERS[piece.toLowerCase()] ?? piece : XIANGQI_CHARACTERS[piece] ?? piece;
  return svg("g", { class: `checker ${side}` },
    svg("circle", { cx: x, cy: y, r: cell * 0.45, class: "disc" }),
    svg("circle", { cx: x, cy: y, r: cell * 0.385, class: "rim", "stroke-width": cell * 0.025 }),
    svg("text", { x, y: y + cell * 0.195, class: "letter", style: `font-size: ${cell * 0.54}px` }, text));
}
