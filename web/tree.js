/** Moves as a tree: the game is its first branch, and variations hang where they begin. */

export class Tree {
  /** `firstSide` moves first in the start position. */
  constructor(start = "", firstSide = "white", game = "chess") {
    Object.assign(this, { start, firstSide, game });
    /** The number of half-moves before the start position, by its text: numbers of moves count from there. Black
        begins a game of checkers. */
    this.offset = 2 * (firstNumber(start, game) - 1) + (firstSide === (game === "checkers" ? "black" : "white") ? 0 : 1);
    this.root = node(null, { uci: null, san: null, fen: start });
    this.current = this.root;
  }

  /** Returns the number of a node's move. */
  number({ ply }) {
    return Math.floor((this.offset + ply - 1) / 2) + 1;
  }

  /** Returns the nodes from the first move to this one. */
  path(to = this.current) {
    const moves = [];
    for (let at = to; at.parent; at = at.parent) moves.unshift(at);
    return moves;
  }

  /** Returns the nodes of the current line: to the current node and on along first branches. */
  line() {
    const nodes = [this.root, ...this.path()];
    for (let at = this.current; at.children[0]; at = at.children[0]) nodes.push(at.children[0]);
    return nodes;
  }

  /** Returns the node of the main line at its end. */
  end() {
    let at = this.root;
    while (at.children[0]) at = at.children[0];
    return at;
  }

  /** Adds a move below a node, unless it exists, and returns its node. */
  add(parent, move) {
    const known = parent.children.find(({ uci }) => uci === move.uci);
    if (known) {
      known.san = move.san ?? known.san;
      known.fen = move.fen ?? known.fen;
      return known;
    }
    const made = node(parent, move);
    parent.children.push(made);
    return made;
  }

  /** Goes to the end of these moves of the server, and adds those that are missing. */
  follow(moves) {
    this.current = moves.reduce((at, move) => this.add(at, move), this.root);
    return this.current;
  }

  /** Removes a node and everything after it; the current node becomes its parent if it was there. */
  remove(target) {
    const { parent } = target;
    if (!parent) return;
    parent.children = parent.children.filter((child) => child !== target);
    if (this.path().includes(target)) this.current = parent;
  }

  /** Makes the branch of a node the first one, all the way from the start. */
  promote(target) {
    for (let at = target; at.parent; at = at.parent) {
      const siblings = at.parent.children;
      siblings.splice(siblings.indexOf(at), 1);
      siblings.unshift(at);
    }
  }

  /** Returns a value that `restore` understands. */
  kept() {
    const keep = ({ uci, san, fen, score, mark, best, children }) => ({
      uci,
      san,
      fen,
      score,
      mark,
      best,
      children: children.map(keep),
    });
    return { start: this.start, firstSide: this.firstSide, game: this.game, root: keep(this.root) };
  }

  static restore({ start, firstSide, game, root }) {
    const tree = new Tree(start, firstSide, game);
    const grow = (parent, { children, ...move }) => {
      Object.assign(parent, move);
      for (const child of children) {
        const made = node(parent, child);
        parent.children.push(made);
        grow(made, child);
      }
    };
    grow(tree.root, root);
    return tree;
  }
}

/** Returns the number of the first move in a position's text. */
function firstNumber(fen, game) {
  const [, number] = (game === "chess" && fen.match(/ (\d+)$/)) || [];
  return Math.max(1, Number(number ?? 1));
}

function node(parent, { uci, san, fen }) {
  return { parent, uci, san, fen, ply: parent ? parent.ply + 1 : 0, children: [], score: null, mark: null, best: null };
}
