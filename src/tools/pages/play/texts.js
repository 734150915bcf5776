// All texts of the page, in English and Chinese.

const TEXTS = {
  en: {
    language: "中文",
    title: () => "Duiyi: play and analyse",
    game: "Game", games: {
      chess: "Chess", xiangqi: "Xiangqi", gomoku: "Gomoku (exactly five)", gomokufreestyle: "Gomoku (five or more)",
      gomoku20: "Gomoku 20 × 20 (exactly five)", gomokufreestyle20: "Gomoku 20 × 20 (five or more)", renju: "Renju", cfour: "Connect Four",
      tictactoe: "Tic-tac-toe", tictactoe4: "Tic-tac-toe 4 × 4", go: "Go", smallgo: "Go on small boards", trianglewar: "Triangle War", gametree: "Game tree",
    },
    sides: {
      chess: ["White", "Black"], xiangqi: ["Red", "Black"], gomoku: ["Black", "White"], go: ["Black", "White"], cfour: ["Red", "Yellow"],
      tictactoe: ["X", "O"], trianglewar: ["A", "B"], gametree: ["MAX", "MIN"],
    },
    pieces: {
      chess: { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" },
      xiangqi: {
        K: "general", k: "general", A: "adviser", a: "adviser", B: "elephant", b: "elephant", n: "horse", r: "chariot", c: "cannon", P: "soldier", p: "soldier",
      },
      other: { p: "piece" },
    },
    piece: (side, piece) => `${side} ${piece}`, empty: "empty", target: "can go here",
    newGame: "New game", randomStart: "Chess960", takeBack: "Take back", pass: "Pass", hint: "Hint", turn: "Turn the board", resign: "Resign",
    players: "Players", opponents: { second: sides => `You play ${sides[0]}`, first: sides => `You play ${sides[1]}`, none: () => "Two people", both: () => "Engine against itself" },
    size: "Board", level: "Level", levels: { beginner: "Beginner", easy: "Easy", casual: "Casual", club: "Club player", strong: "Strong", full: "Full strength", textbook: "Textbook: alpha-beta, depth 3" },
    letters: "Letters on pieces", moves: "Moves", start: "Start", first: "First", back: "Back", forward: "Forward", last: "Last",
    goOn: "Play on from here", graph: "Graph of the game", expects: side => `${side} expects (%)`, ply: "moves of both sides", noMoves: "No moves yet.",
    analysis: "Analysis", analyse: "Analyse", stop: "Stop", lines: "Lines",
    figures: (depth, nodes, nps, factor) => `Depth ${depth}, ${nodes} nodes, ${nps} a second, branching factor ${factor}`,
    ofMove: figures => `The engine's move: ${figures}`, showSearch: "Show a search step by step",
    bar: percent => `${percent} % for the first side`,
    exchange: "Position and record", positionText: "Position", copyPosition: "Copy position", copyLink: "Copy link", copyRecord: "Copy record",
    paste: "A position (FEN, tree) or a record (PGN, SGF)", nothingToLoad: "Nothing to load: paste a text first.", load: "Load", save: "Save record", open: "Open file", copied: "Copied.", notCopied: "The browser refused to copy. The text is below.", loaded: "Loaded.",
    setUp: "Set up a position", settingUp: "Choose a piece, then its place. The same piece once more takes it away.", clear: "Clear the board", done: "Play from here",
    toMove: side => `${side} to move.`, yourMove: side => `Your move: ${side}.`, thinking: side => `${side} is thinking …`, check: "Check!",
    viewing: (move, all) => `Position after move ${move} of ${all}.`, variation: "Variation",
    viewingVariation: (move, all) => `Variation: position after move ${move} of ${all}.`, hintIs: text => `Hint: ${text}`,
    wins: side => `${side} wins`, draw: "Draw", points: (side, points) => `${side} wins by ${points}`, treeValue: value => `The value is ${value}`,
    plays: (side, move) => `${side} plays ${move}`,
    forfeits: { resigned: (side, other) => `${side} resigned. ${other} wins.`, time: (side, other) => `The time of ${side} is up. ${other} wins.` },
    clock: "Clock", clocks: { none: () => "No clock", both: () => "Both sides", first: sides => `Only ${sides[0]}`, second: sides => `Only ${sides[1]}` },
    minutes: "Minutes", increment: "Seconds a move", clockOf: (side, time) => `Clock of ${side}: ${time}`,
    reasons: {
      checkmate: "checkmate", stalemate: "stalemate", "stalemate, xiangqi": "stalemate", "insufficient material": "not enough pieces to mate", "threefold repetition": "threefold repetition",
      "fifty-move rule": "fifty moves without progress", repetition: "repetition", "two passes": "both passed; every stone on the board counts as alive", "60-move rule": "sixty moves without a capture", "perpetual check": "perpetual check", "perpetual chase": "perpetual chase",
      "forbidden move": "forbidden move: an overline, two fours or two open threes",
    },
    promotion: "Promote to", cancel: "Cancel",
    failed: reason => `The engine failed and was started again; the game is kept. (${reason})`,
    badLink: reason => `The link leads to no position: ${reason}`, cannotStart: reason => `The engine could not be started: ${reason}`,
    tooOld: lacks => `This browser is too old for the engine: it lacks ${lacks}.`,
    loading: "Starting the engine …", resignQuestion: "Resign this game?", yes: "Resign", leaveQuestion: "This game is not over. Begin another one?", leave: "Begin another",
    keys: "On the board, arrow keys move the cursor, Enter chooses, Escape lets go.",
    board: game => `${game} board`,
    about: "Everything runs in this page: it needs no network and sends nothing.",
  },
  zh: {
    language: "English",
    title: () => "对弈：下棋与分析",
    game: "棋种", games: {
      chess: "国际象棋", xiangqi: "中国象棋", gomoku: "五子棋（长连不算）", gomokufreestyle: "五子棋（自由规则）",
      gomoku20: "五子棋 20 路（长连不算）", gomokufreestyle20: "五子棋 20 路（自由规则）", renju: "连珠（有禁手）", cfour: "四子棋",
      tictactoe: "井字棋", tictactoe4: "四路井字棋", go: "围棋", smallgo: "小棋盘围棋", trianglewar: "三角形之战", gametree: "博弈树",
    },
    sides: {
      chess: ["白方", "黑方"], xiangqi: ["红方", "黑方"], gomoku: ["黑方", "白方"], go: ["黑方", "白方"], cfour: ["红方", "黄方"],
      tictactoe: ["X 方", "O 方"], trianglewar: ["A 方", "B 方"], gametree: ["MAX", "MIN"],
    },
    pieces: {
      chess: { k: "王", q: "后", r: "车", b: "象", n: "马", p: "兵" },
      xiangqi: { K: "帅", k: "将", A: "仕", a: "士", B: "相", b: "象", n: "马", r: "车", c: "炮", P: "兵", p: "卒" },
      other: { p: "棋子" },
    },
    piece: (side, piece) => `${side}${piece}`, empty: "空", target: "可走到这里",
    newGame: "新对局", randomStart: "菲舍尔任意制", takeBack: "悔棋", pass: "停一手", hint: "提示", turn: "翻转棋盘", resign: "认输",
    players: "对局方式", opponents: { second: sides => `我执${sides[0]}`, first: sides => `我执${sides[1]}`, none: () => "双人对弈", both: () => "电脑对电脑" },
    size: "棋盘", level: "级别", levels: { beginner: "新手", easy: "初级", casual: "中级", club: "高级", strong: "特级", full: "最强", textbook: "教科书：α-β，深度 3" },
    letters: "棋子用字母", moves: "棋谱", start: "开局", first: "最前", back: "后退", forward: "前进", last: "最后",
    goOn: "从这里续下", graph: "局势图", expects: side => `${side}期望得分（%）`, ply: "步数", noMoves: "还没有走棋。",
    analysis: "分析", analyse: "开始分析", stop: "停止", lines: "变化数",
    figures: (depth, nodes, nps, factor) => `深度 ${depth}，${nodes} 个结点，每秒 ${nps}，分支因子 ${factor}`,
    ofMove: figures => `电脑这步棋：${figures}`, showSearch: "逐步演示搜索",
    bar: percent => `先手方期望得分 ${percent} %`,
    exchange: "局面与棋谱", positionText: "局面", copyPosition: "复制局面", copyLink: "复制链接", copyRecord: "复制棋谱",
    paste: "粘贴局面（FEN、树）或棋谱（PGN、SGF）", nothingToLoad: "没有可载入的内容：请先粘贴文本。", load: "载入", save: "保存棋谱", open: "打开文件", copied: "已复制。", notCopied: "浏览器不允许复制，文本在下面。", loaded: "已载入。",
    setUp: "摆放局面", settingUp: "先选棋子，再点位置；同一棋子再点一次则拿走。", clear: "清空棋盘", done: "从此局面开始",
    toMove: side => `轮到${side}走棋。`, yourMove: side => `轮到您走棋（${side}）。`, thinking: side => `${side}正在思考……`, check: "将军！",
    viewing: (move, all) => `第 ${move} 步后的局面，共 ${all} 步。`, variation: "变着",
    viewingVariation: (move, all) => `变着：第 ${move} 步后的局面，共 ${all} 步。`, hintIs: text => `提示：${text}`,
    wins: side => `${side}胜`, draw: "和棋", points: (side, points) => `${side}胜 ${points} 目`, treeValue: value => `值为 ${value}`,
    plays: (side, move) => `${side}走 ${move}`,
    forfeits: { resigned: (side, other) => `${side}认输，${other}胜。`, time: (side, other) => `${side}超时，${other}胜。` },
    clock: "棋钟", clocks: { none: () => "不计时", both: () => "双方计时", first: sides => `仅${sides[0]}计时`, second: sides => `仅${sides[1]}计时` },
    minutes: "局时（分）", increment: "每步加秒", clockOf: (side, time) => `${side}剩余时间 ${time}`,
    reasons: {
      checkmate: "将死", stalemate: "无子可动", "stalemate, xiangqi": "困毙", "insufficient material": "子力不足", "threefold repetition": "三次重复局面",
      "fifty-move rule": "五十回合规则", repetition: "重复局面", "two passes": "双方停手，盘上棋子都算活棋", "60-move rule": "六十回合不吃子", "perpetual check": "长将", "perpetual chase": "长捉",
      "forbidden move": "禁手：长连、四四或三三",
    },
    promotion: "升变为", cancel: "取消",
    failed: reason => `引擎出错，已重新启动，对局保留。（${reason}）`,
    badLink: reason => `链接中的局面无效：${reason}`, cannotStart: reason => `引擎无法启动：${reason}`,
    tooOld: lacks => `浏览器版本过旧，无法运行引擎：缺少 ${lacks}。`,
    loading: "正在启动引擎……", resignQuestion: "认输并结束这一局？", yes: "认输", leaveQuestion: "这一局还没有下完，要另开一局吗？", leave: "另开一局",
    keys: "在棋盘上用方向键移动光标，回车键选择，Esc 键取消。",
    board: game => `${game}棋盘`,
    about: "一切都在本页内运行：不需要网络，也不发送任何数据。",
  },
};

/** The key of a game in `sides` and `pieces`: games that differ only in size or rule share one. */
function familyOf(variant) {
  if (isGo(variant)) return "go";
  return isGomoku(variant) ? "gomoku" : variant === "tictactoe4" ? "tictactoe" : variant;
}

const sideName = (variant, side) => texts.sides[familyOf(variant)][side];

/** The name of a piece by its letter. */
function pieceName(variant, piece) {
  const names = texts.pieces[familyOf(variant)] ?? texts.pieces.other;
  return texts.piece(sideName(variant, piece === piece.toUpperCase() ? 0 : 1), names[piece] ?? names[piece.toLowerCase()] ?? piece);
}

/** A move as people write it: in Chinese, moves of xiangqi are written as 炮二平五. */
function moveText(variant, { text }, side) {
  if (text === "pass") return texts.pass;
  if (variant === "xiangqi" && texts === TEXTS.zh) return xiangqiMoveInChinese(text, side);
  return text.replace("P@", "");
}
