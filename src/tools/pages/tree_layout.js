// Where the nodes of a tree are drawn: Reingold and Tilford, "Tidier Drawings of Trees" (1981). Each subtree is laid out
// by itself and then moved as close to its left sibling as its outline allows; a parent stands above the middle.

const GAP = 8;

/** Sets `x` of each node so that the nodes of a level do not overlap, and returns the width of the tree. A node has `width` and `children`. */
function layOut(root) {
  // An outline has the left and right edge at each level below a node, relative to the node.
  function place(node) {
    const half = node.width / 2;
    if (node.children.length === 0) return [{ left: -half, right: half }];
    let outline = [];
    let x = 0;
    const places = node.children.map(child => {
      const below = place(child);
      x = Math.max(0, ...outline.slice(0, below.length).map(({ right }, level) => right + GAP - below[level].left));
      outline = merge(outline, below, x);
      return x;
    });
    const middle = (places[0] + places.at(-1)) / 2;
    node.children.forEach((child, number) => { child.offset = places[number] - middle; });
    return [{ left: -half, right: half }, ...outline.map(({ left, right }) => ({ left: left - middle, right: right - middle }))];
  }

  function merge(outline, below, x) {
    const levels = Math.max(outline.length, below.length);
    return Array.from({ length: levels }, (_, level) => ({
      left: outline[level]?.left ?? below[level].left + x,
      right: below[level] ? below[level].right + x : outline[level].right,
    }));
  }

  const outline = place(root);
  const left = Math.min(...outline.map(level => level.left));
  const walk = (node, x) => {
    node.x = x;
    node.children.forEach(child => walk(child, x + child.offset));
  };
  walk(root, -left);
  return Math.max(...outline.map(level => level.right)) - left;
}
