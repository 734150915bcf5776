// All texts of the page of search logs, in English and Chinese. Texts with markup are in log.html.

/** Words of the tables that the script made, in Chinese. */
const CHINESE_WORDS = {
  Engines: "引擎", engine: "引擎", moves: "步数", depth: "深度", "median s": "时间中位数（秒）", "longest s": "最长时间（秒）", nodes: "结点数", nps: "每秒结点数",
  "nodes^(1/depth)": "结点数^(1/深度)", "best-move changes": "最佳走法变化次数",
  "Counters (per 1,000 nodes of the main search unless %)": "计数（除百分比外，按主搜索每 1,000 个结点计）", "Counters of this search": "这次搜索的计数",
  counter: "计数", searches: "搜索次数", quiescence: "静态搜索所占比例",
  "cutoffs at the first move": "第一个走法就剪枝", "cutoffs at the second move": "第二个走法剪枝", "cutoffs at the third move": "第三个走法剪枝", "cutoffs at the later move": "更后的走法剪枝",
  "TT hits": "置换表命中", "TT cutoffs, exact": "置换表剪枝（准确值）", "TT cutoffs, lower bound": "置换表剪枝（下界）", "TT cutoffs, upper bound": "置换表剪枝（上界）",
  "null moves tried": "空着尝试", "null moves that cut off": "空着剪枝成功", "LMR re-searches": "LMR 重搜",
  "futility skips (nodes)": "futility 剪去（结点）", "late-move skips (nodes)": "靠后走法剪去（结点）", "history skips": "历史表剪去", "SEE skips": "SEE 剪去",
  "check extensions": "将军延伸", "singular extensions": "奇异延伸", "double extensions": "双重延伸", "negative extensions": "负延伸", "multi-cuts": "多重剪枝",
  "aspiration fail lows": "期望窗口低出边界", "aspiration fail highs": "期望窗口高出边界", "mean correction": "平均估值修正",
};

const TEXTS = {
  en: {
    language: "中文", title: title => title, word: text => text, column: text => text, gameName: text => text, positionOf: text => `Position ${text}`,
    all: "All searches", figures: "Figures by depth", why: "Why the searches did what they did", controls: "Moves of the game", moves: "Moves", game: "Game", howToRead: "How to read it",
    first: "First move", back: "One move back", forward: "One move forward", last: "Last move",
    firstTitle: "First move (Home)", backTitle: "One move back (←)", forwardTitle: "One move forward (→)", lastTitle: "Last move (End)",
    subject: (games, moves, engines) => `${games} ${games === 1 ? "game" : "games"}, ${moves} moves, ${engines.length === 1 ? "engine" : "engines"} ${engines.join(", ")}`,
    depthPoint: (engine, depth, searches) => `${engine}, depth ${depth}, ${searches} searches`,
    depthAxis: "depth (plies)", depthAgainstTime: "Depth against time", medianTime: "median time to the depth (ms)", depthAgainstNodes: "Depth against nodes", medianNodes: "median nodes to the depth",
    growthByDepth: "Branching factor by depth", growth: "branching factor", changesByDepth: "Share of searches whose best move changes, by depth", changes: "best move changes (%)",
    moveColumns: ["move", "engine", "played", "score", "depth", "s", "nodes"],
    depthColumns: ["depth", "engine", "searches", "median ms", "median nodes", "nodes per s", "branching factor", "best move changes", "final move"],
    iterationColumns: ["depth", "seldepth", "score", "nodes", "growth", "ms", "best move", "line"],
    ply: "ply", byPly: label => `${label} by ply`, movePoint: (move, score) => `${move.number} ${move.text}, ${move.engine}: ${score}, depth ${move.depth}`,
    scoreForWhite: "Score for White", scoreAxis: "score for White", depth: "Depth", nodesPerMove: "Nodes per move", nodes: "nodes", timePerMove: "Time per move", time: "time (s)",
    spoken: move => `${move.number} ${move.text} by ${move.engine}`, searchOf: (move, engine) => `The search of ${move.number} ${move.text} by ${engine}`,
    chose: (search, score, depth, nodes, ms, changes) => `${search.bestmove ? "Chose" : "Unfinished:"} ${search.best} with ${score} for the side to move, at depth ${depth}, `
      + `after ${nodes} nodes and ${ms} ms. The best move ${changes ? `changed ${changes === 1 ? "once" : `${changes} times`}` : "did not change"}.`,
    iterations: "Iterations", changed: move => `${move} (changed)`, iterationPoint: (depth, move, score, nodes) => `depth ${depth}: ${move} ${score}, ${nodes} nodes`,
    depthWithDots: "depth; large dot: the best move changed", scoreByDepth: "Score by depth", score: "score", nodesByDepth: "Nodes by depth",
  },
  zh: {
    language: "English", title: title => title.replace(/^Searches of /, "搜索："), 
    word: text => CHINESE_WORDS[text] ?? text.replace(/^LMR re-searches at depth (\d+) (?:to (\d+)|and more)$/,
      (_, low, high) => `LMR 重搜，深度 ${high ? `${low} 至 ${high}` : `${low} 及以上`}`),
    column: text => (text === "change" ? "变化" : text.replace(/^search (\d+)$/, "搜索 $1")),
    gameName: text => text.replace(/, game (\d+)$/, "，第 $1 局").replace(/^game (\d+), /, "第 $1 局，").replace(/, round (\S+)$/, "，第 $1 轮").replace(/^positions$/, "局面"),
    positionOf: text => `局面 ${text}`,
    all: "全部搜索", figures: "各深度的数据", why: "搜索为什么这样做", controls: "对局的走法", moves: "走法", game: "对局", howToRead: "怎样看",
    first: "第一步", back: "后退一步", forward: "前进一步", last: "最后一步",
    firstTitle: "第一步（Home）", backTitle: "后退一步（←）", forwardTitle: "前进一步（→）", lastTitle: "最后一步（End）",
    subject: (games, moves, engines) => `${games} 局，${moves} 步，引擎 ${engines.join("、")}`,
    depthPoint: (engine, depth, searches) => `${engine}，深度 ${depth}，${searches} 次搜索`,
    depthAxis: "深度（层）", depthAgainstTime: "深度与时间", medianTime: "到该深度的时间中位数（毫秒）", depthAgainstNodes: "深度与结点数", medianNodes: "到该深度的结点数中位数",
    growthByDepth: "各深度的分支因子", growth: "分支因子", changesByDepth: "各深度最佳走法改变的比例", changes: "最佳走法改变（%）",
    moveColumns: ["回合", "引擎", "走法", "分数", "深度", "秒", "结点数"],
    depthColumns: ["深度", "引擎", "搜索次数", "毫秒中位数", "结点数中位数", "每秒结点数", "分支因子", "最佳走法改变", "最终走法"],
    iterationColumns: ["深度", "最大深度", "分数", "结点数", "增长", "毫秒", "最佳走法", "变化"],
    ply: "步", byPly: label => `${label}，按步`, movePoint: (move, score) => `${move.number} ${move.text}，${move.engine}：${score}，深度 ${move.depth}`,
    scoreForWhite: "先手方的分数", scoreAxis: "先手方的分数", depth: "深度", nodesPerMove: "每步结点数", nodes: "结点数", timePerMove: "每步时间", time: "时间（秒）",
    spoken: move => `${move.engine} 走 ${move.number} ${move.text}`, searchOf: (move, engine) => `${engine} 走 ${move.number} ${move.text} 时的搜索`,
    chose: (search, score, depth, nodes, ms, changes) => `${search.bestmove ? "选择" : "未完成："}${search.best}，轮到走的一方得 ${score}，深度 ${depth}，`
      + `用 ${nodes} 个结点、${ms} 毫秒。最佳走法${changes ? `改变了 ${changes} 次` : "没有改变"}。`,
    iterations: "迭代", changed: move => `${move}（改变）`, iterationPoint: (depth, move, score, nodes) => `深度 ${depth}：${move} ${score}，${nodes} 个结点`,
    depthWithDots: "深度；大点：最佳走法改变", scoreByDepth: "各深度的分数", score: "分数", nodesByDepth: "各深度的结点数",
  },
};
