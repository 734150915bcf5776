// All texts of the page of an analysis, in English and Chinese. Texts with markup are in analysis.html.

const TEXTS = {
  en: {
    language: "中文", title: title => title,
    controls: "Moves of the game", start: "Start of the game", back: "One move back", forward: "One move forward", end: "End of the game",
    startTitle: "Start of the game (Home)", backTitle: "One move back (←)", forwardTitle: "One move forward (→)", endTitle: "End of the game (End)",
    nextListed: "Next listed move", nextListedTitle: "Next listed move (Page Down)", game: "Game", position: "Position", moves: "Moves", games: "Games", howToRead: "How to read it",
    list: "List", allMoves: "all moves", lost25: "moves that lost 2.5 % or more", lost50: "?! and worse: 5 % or more", lost100: "? and worse: 10 % or more", lost150: "?? only: 15 % or more",
    listed: (count, all) => `${count} of ${all} moves`,
    side: name => name, move: text => text, positionOf: text => `Position ${text}`,
    score: "Score", expects: side => `${side} expects`, accuracy: "Accuracy", search: "Search", searchFact: (depth, nodes, ms) => `depth ${depth}, ${nodes} nodes, ${ms} ms`,
    bestLine: "Best line", lines: count => `Lines: ${count}`, endPlace: plies => `End, ${plies} moves`,
    endOfGame: result => `End of the game: ${result}.`, isBest: move => `${move} is the best move.`,
    judged: (move, lost, mark, best) => `${move} ${lost ? `loses ${lost} of the expected result` : "loses nothing"}${mark}. The search prefers ${best}.`,
    marks: { inaccuracy: ", an inaccuracy (?!)", mistake: ", a mistake (?)", blunder: ", a blunder (??)" },
    graph: (side, plies, marks) => `${side}'s expected result after each of ${plies} moves, with ${marks} marks.`, moveAxis: "move", expectsPercent: side => `${side} expects (%)`, expectedResult: side => `${side}'s expected result`,
    phases: { opening: "opening", middlegame: "middlegame", endgame: "endgame" }, inPhase: phase => `in the ${phase}`,
    players: "Players", allGames: "All games", playerColumns: ["player", "moves", "accuracy", "loss", "result lost", "?!", "?", "??"],
    gameColumns: sides => ["game", "players", "result", "plies", `accuracy ${sides[0]}`, sides[1], "??", "opening"],
    subject: (variant, games, moves, limits, threads, hash) => `${variant}: ${games} ${games === 1 ? "game" : "games"}, ${moves} moves; ${limits} a position, ${threads} ${threads === 1 ? "thread" : "threads"}, hash table ${hash} MiB`,
    nodes: count => `${count} nodes`, ms: count => `${count} ms`, depth: depth => `depth ${depth}`, or: " or ",
  },
  zh: {
    language: "English", title: title => title.replace(/^Analysis of /, "分析："),
    controls: "对局的走法", start: "开局局面", back: "后退一步", forward: "前进一步", end: "终局局面",
    startTitle: "开局局面（Home）", backTitle: "后退一步（←）", forwardTitle: "前进一步（→）", endTitle: "终局局面（End）",
    nextListed: "下一个列出的走法", nextListedTitle: "下一个列出的走法（Page Down）", game: "对局", position: "局面", moves: "走法", games: "对局", howToRead: "怎样看",
    list: "列出", allMoves: "全部走法", lost25: "损失 2.5 % 以上的走法", lost50: "?! 及更差：损失 5 % 以上", lost100: "? 及更差：损失 10 % 以上", lost150: "仅 ??：损失 15 % 以上",
    listed: (count, all) => `${all} 个走法中的 ${count} 个`,
    side: name => ({ White: "白方", Black: "黑方", Red: "红方", Yellow: "黄方" }[name] ?? name),
    move(text, side, variant) {
      if (text === "pass") return "停一手";
      return variant === "xiangqi" ? xiangqiMoveInChinese(text, side) : text;
    },
    positionOf: text => `局面 ${text}`,
    score: "分数", expects: side => `${side}期望得分`, accuracy: "准确度", search: "搜索", searchFact: (depth, nodes, ms) => `深度 ${depth}，${nodes} 个结点，${ms} 毫秒`,
    bestLine: "最佳变化", lines: count => `变化：${count} 条`, endPlace: plies => `终局，共 ${plies} 步`,
    endOfGame: result => `对局结束：${result}。`, isBest: move => `${move} 是最好的走法。`,
    judged: (move, lost, mark, best) => `${move} ${lost ? `使期望得分损失 ${lost}` : "没有损失"}${mark}。搜索选择 ${best}。`,
    marks: { inaccuracy: "，不精确（?!）", mistake: "，失误（?）", blunder: "，严重失误（??）" },
    graph: (side, plies, marks) => `${plies} 步中每一步之后${side}的期望得分，标出 ${marks} 步。`, moveAxis: "回合", expectsPercent: side => `${side}期望得分（%）`, expectedResult: side => `${side}的期望得分`,
    phases: { opening: "开局", middlegame: "中局", endgame: "残局" }, inPhase: phase => phase,
    players: "棋手", allGames: "全部对局", playerColumns: ["棋手", "步数", "准确度", "平均失分", "期望得分损失", "?!", "?", "??"],
    gameColumns: sides => ["编号", "棋手", "结果", "步数", `${sides[0]}准确度`, sides[1], "??", "开局"],
    subject: (variant, games, moves, limits, threads, hash) => `${variant}：${games} 局，${moves} 步；每个局面 ${limits}，${threads} 个线程，置换表 ${hash} MiB`,
    nodes: count => `${count} 个结点`, ms: count => `${count} 毫秒`, depth: depth => `深度 ${depth}`, or: "或",
  },
};
