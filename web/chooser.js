/** How a person chooses a move on a board: by selecting a man and its target, by dragging, by a drop
    from the pocket. What is legal comes with the position from the server. */

import { choose } from "./choice.js";
import { squareName } from "./fen.js";
import { colourOf, kindName, pieceImage } from "./pieces.js";
import { capital } from "./words.js";

export class Chooser {
  /** `play(move)` gets a legal move; `announce(text)` speaks; `changed()` draws the marks anew. */
  constructor({ play, announce, changed }) {
    Object.assign(this, { play, announce, changed });
    this.position = null;
    this.side = null;
    this.selected = null;
    this.steps = [];
    this.premove = null;
  }

  /** Takes a position. `side` may move: "white", "black", "both" or null. */
  take(position, side, game) {
    const { selected } = this;
    const isSame = this.position?.fen === position.fen;
    const man = this.position?.pieces[selected];
    Object.assign(this, { position, side, game });
    // A man that is still there stays selected: pictures of a game come several times a second.
    const stays = selected?.endsWith("@") ? isSame && side : man === position.pieces[selected] && this.mayMove(selected);
    if (!stays) this.selected = null;
    if (!stays || !isSame) this.steps = [];
    const planned = this.premove;
    this.premove = null;
    if (planned && this.isOnMove()) this.attempt(planned.from, planned.to, true);
    else if (planned && side && !position.result) this.premove = planned;
    else if (planned && !position.result) this.announce("The planned move was dropped.");
    this.changed();
  }

  isOnMove() {
    return Boolean(
      this.position && !this.position.result && (this.side === "both" || this.side === this.position.turn),
    );
  }

  /** Returns true if the man on this square may be moved, now or in advance. */
  mayMove(square) {
    const letter = this.position?.pieces[square];
    if (!letter || !this.side || this.position.result) return false;
    return this.side === "both" ? this.legal(square).length > 0 : colourOf(letter) === this.side;
  }

  /** Returns the legal moves from a source: a square, or a pocket such as "N@". */
  legal(source) {
    if (!this.isOnMove() || !source) return [];
    return this.position.legal.filter((move) => this.sourceOf(move) === source && this.hasSteps(move));
  }

  sourceOf(move) {
    return move.from ?? `${move.drop.toUpperCase()}@`;
  }

  /** Returns true if a jump begins with the squares already clicked. */
  hasSteps(move) {
    return this.steps.every((square, index) => move.path?.[index + 1] === square);
  }

  /** Returns the squares on which the selected man may be put. */
  targets() {
    const squares = this.legal(this.selected).flatMap((move) => {
      const next = move.path?.[this.steps.length + 1];
      return next ? [move.to, next] : [move.to];
    });
    return [...new Set(squares)];
  }

  marks() {
    const premove = this.premove ? [this.premove.from, this.premove.to] : [];
    return { selected: [this.selected, ...this.steps].filter(Boolean), target: this.targets(), premove };
  }

  /** Selects a square or pocket, or plays to a square. */
  pick(square) {
    if (this.premove) return this.cancel();
    const isPlanned = this.selected && this.side && !this.isOnMove() && !square.endsWith("@");
    // A jump may end where it began.
    const isOther = this.selected !== square || this.steps.length > 0;
    if (this.selected && isOther && (isPlanned || this.targets().includes(square))) {
      return this.attempt(this.selected, square, false);
    }
    if (this.selected === square || !(square.endsWith("@") || this.mayMove(square))) return this.refuse(square);
    this.select(square);
  }

  /** Selects the man that begins to be dragged. */
  select(square) {
    this.selected = square;
    this.steps = [];
    const letter = this.position?.pieces[square];
    const called = (place) => squareName(place, this.game);
    const name = capital(letter ? `${kindName(letter)} ${called(square)}` : `${kindName(square[0])} in hand`);
    const targets = this.targets().map(called);
    const where = targets.length ? `: ${targets.join(", ")}` : this.isOnMove() ? ": no legal move" : "";
    this.announce(`${name} selected${where}`, "quiet");
    this.changed();
  }

  refuse(square) {
    const had = this.selected;
    this.cancel();
    if (had && had !== square) this.announce(`${squareName(square, this.game)} is not a legal target`);
  }

  drop(source, square) {
    if (!square || square === source) return this.changed();
    this.selected = source;
    if (this.isOnMove() && !this.targets().includes(square)) {
      this.cancel();
      return this.announce("Not a legal move");
    }
    this.attempt(source, square, false);
  }

  cancel() {
    Object.assign(this, { selected: null, steps: [], premove: null });
    this.changed();
  }

  /** Plays the move from a source to a square, and asks if there are several. */
  async attempt(source, square, wasPlanned) {
    if (!this.isOnMove()) {
      Object.assign(this, { premove: { from: source, to: square }, selected: null });
      this.announce(`Planned: ${squareName(source, this.game)} ${squareName(square, this.game)}`);
      return this.changed();
    }
    const from = this.legal(source);
    const moves = from.filter((move) => move.to === square);
    if (moves.length === 0) {
      const isStep = from.some((move) => move.path?.[this.steps.length + 1] === square);
      if (!isStep && wasPlanned) this.announce("The planned move is not legal now.");
      if (!isStep) return this.cancel();
      this.steps.push(square);
      return this.changed();
    }
    const { ply } = this.position;
    const queen = moves.find((move) => move.promotion?.toLowerCase() === "q");
    const isClear = moves.length === 1;
    const move = isClear ? moves[0] : wasPlanned && queen ? queen : await this.ask(moves);
    this.cancel();
    if (!move || this.position.ply !== ply) return;
    // Until the next position comes, nothing else can be played.
    this.position = { ...this.position, legal: [] };
    this.play(move);
  }

  ask(moves) {
    const white = this.position.turn === "white";
    const answers = moves.map((move) => {
      const letter = move.promotion && (white ? move.promotion.toUpperCase() : move.promotion.toLowerCase());
      return {
        value: move,
        label: letter ? kindName(letter) : move.san,
        image: letter ? pieceImage(letter, this.game) : null,
      };
    });
    return choose(moves.some((move) => move.promotion) ? "Promote to" : "Which way?", answers);
  }
}
