// The board of a game tree: the rest of the tree as a drawing, and its moves.

const TREE_LEVEL = 62;
/** Larger trees are shown as text. */
const TREE_DRAWN = 120;

/** Draws the tree of a position. Its root's children can be clicked: `onMove` gets the move. */
function drawTreeBoard(position, moves, onMove) {
  const { side, root, count } = parseTree(position);
  if (count > TREE_DRAWN) return html("pre", { className: "position", textContent: position });
  const walk = (node, level, visit, parent = null) => {
    visit(node, level, parent);
    for (const child of node.children) walk(child, level + 1, visit, node);
  };
  let height = 0;
  walk(root, 0, (node, level) => {
    node.label = node.children.length ? node.name : `${node.name} ${node.value}`.replace("-", "−");
    node.width = Math.max(36, 9 * node.label.length + 14);
    height = Math.max(height, level);
  });
  const width = layOut(root);
  const place = level => 24 + TREE_LEVEL * level;
  const picture = svg("svg", { class: "position tree-board", viewBox: `-4 0 ${width + 8} ${place(height) + 24}`, "aria-hidden": "true", style: `max-width: ${1.5 * (width + 8)}px` });
  walk(root, 0, (node, level, parent) => {
    if (parent) picture.append(svg("line", { class: "edge", x1: parent.x, y1: place(level - 1) + 15, x2: node.x, y2: place(level) - 15 }));
  });
  walk(root, 0, (node, level, parent) => {
    const isMax = (side === "MAX") === (level % 2 === 0);
    const kind = node.children.length ? (isMax ? "max" : "min") : "leaf";
    const move = parent === root ? moves.find(({ text }) => text === node.name) : undefined;
    const shape = svg("rect", { class: "shape", x: node.x - node.width / 2, y: place(level) - 15, width: node.width, height: 30, rx: kind === "leaf" ? 2 : 15 });
    const group = svg("g", { class: `node ${kind}${move ? " choosable" : ""}` }, shape, svg("text", { class: "name", x: node.x, y: place(level) + 5 }, node.label));
    if (move) group.addEventListener("click", () => onMove([move]));
    picture.append(group);
  });
  return picture;
}
