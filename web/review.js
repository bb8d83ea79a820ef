/** The analysis of a whole game: scores by position, mistakes, and a summary. */

import { expectation, plural } from "./words.js";

/** Loss of expected points from which on a move is marked. */
const LEAST_LOSS = [
  ["blunder", 0.25],
  ["mistake", 0.15],
  ["inaccuracy", 0.08],
];

export class Review {
  constructor() {
    /** "none", "running", or "unknown" where the server may go on with one: after a reload, or on another server. */
    this.state = "none";
    /** The nodes of the game from the start position. */
    this.line = null;
  }

  get isRunning() {
    return this.state === "running";
  }

  begin(line) {
    this.state = "running";
    this.line = line;
  }

  /** Returns true if one was running. */
  end() {
    const was = this.isRunning;
    this.state = "none";
    return was;
  }

  /** Takes the evaluation of a position, and returns false if it belongs to none of the line. `result` is that of
      the last one: a mate in 0 does not say whose it is. */
  take({ ply, score, best, done }, firstSide, result) {
    const node = this.line?.[ply];
    if (!node) return false;
    const won = result?.score === "0-1" ? "black" : "white";
    Object.assign(node, { score: score.mate === 0 ? { mate: 0, won } : score, best });
    markMoves(this.line, firstSide);
    if (done) this.state = "none";
    return true;
  }

  /** Returns how far it is, or what it has shown. */
  text(ply, firstSide) {
    if (!this.isRunning) return summary(this.line, firstSide);
    return `Analysing move ${Math.ceil(ply / 2)} of ${Math.ceil((this.line.length - 1) / 2)}…`;
  }

  /** Returns the mistakes. */
  mistakes() {
    return this.line.filter(({ mark }) => mark);
  }
}

/** Marks the moves of a line whose nodes have scores; the best move of a position is never marked. */
function markMoves(line, firstSide) {
  for (const node of line.slice(1)) {
    const { parent } = node;
    node.mark = null;
    if (!parent.score || !node.score || parent.best?.uci === node.uci) continue;
    const loss = lossOf(node, firstSide);
    node.mark = LEAST_LOSS.find(([, least]) => loss >= least)?.[0] ?? null;
  }
}

/** Returns the expected points that a move lost, from 0 to 1. */
function lossOf(node, firstSide) {
  const gain = expectation(node.score) - expectation(node.parent.score);
  return Math.max(0, moverOf(node, firstSide) === "white" ? -gain : gain);
}

function moverOf(node, firstSide) {
  const other = firstSide === "white" ? "black" : "white";
  return node.ply % 2 === 1 ? firstSide : other;
}

/** Returns a sentence for each side: its mistakes, and the average of what its moves kept. */
function summary(line, firstSide) {
  return ["white", "black"]
    .map((side) => {
      const moves = line
        .slice(1)
        .filter((node) => moverOf(node, firstSide) === side && node.score && node.parent.score);
      if (moves.length === 0) return "";
      const lost = moves.reduce((sum, node) => sum + lossOf(node, firstSide), 0) / moves.length;
      const counts = ["blunder", "mistake", "inaccuracy"].map((kind) => {
        const count = moves.filter(({ mark }) => mark === kind).length;
        return kind === "inaccuracy" && count !== 1 ? `${count} inaccuracies` : plural(count, kind);
      });
      const name = side === "white" ? "White" : "Black";
      return `${name}: accuracy ${Math.round(100 * (1 - Math.min(1, lost * 4)))} %, ${counts.join(", ")}.`;
    })
    .filter(Boolean)
    .join(" ");
}
