/** A board of 64 squares: a grid for eyes, mouse, touch, keyboard and screen readers alike. It draws
    what it is given and reports what was done to it; it knows no rules. */

import { element, prefersStillness } from "./elements.js";
import { squareName } from "./fen.js";
import { pieceImage, pieceName } from "./pieces.js";
import { Drag } from "./drag.js";

const FILES = "abcdefgh";
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** Duration of a man's movement in milliseconds. */
const MOVEMENT = 140;

/** Words for marks, which screen readers say after the name of a square. */
const MARK_WORDS = {
  selected: "selected",
  target: "possible",
  check: "in check",
  last: "last move",
  premove: "planned",
};

export class Board {
  /** `actions`: `pick(square)` for a click or Enter, `drop(from, square)` at the end of a drag
      (`square` is null outside the board), `mayDrag(square)`, `cancel()`. */
  constructor(host, actions) {
    this.host = host;
    this.actions = actions;
    this.game = "chess";
    this.bottom = "white";
    this.pieces = {};
    this.marks = {};
    this.cells = new Map();
    this.cursor = "e2";
    this.grid = element("div", { class: "grid", role: "grid", "aria-label": "Board" });
    this.build();
    host.classList.add("board");
    host.append(this.grid);
    this.grid.addEventListener("keydown", (event) => this.press(event));
    this.grid.addEventListener("click", (event) => this.click(event));
    this.grid.addEventListener("focusin", (event) => this.follow(event));
    // After a click the arrow keys step through the moves; the keyboard's own focus moves the cursor.
    this.grid.addEventListener("pointerdown", () => (this.isByPointer = true));
    this.drag = new Drag(this.grid, {
      pick: (target) => this.lift(target),
      drop: (from, target) => this.actions.drop(from, squareAt(target, this.grid)),
    });
  }

  build() {
    for (let rank = 8; rank >= 1; rank--) {
      for (const file of FILES) {
        const dark = (FILES.indexOf(file) + rank) % 2 === 1;
        const cell = element("div", { role: "gridcell", class: `cell ${dark ? "dark" : "light"}`, tabindex: -1 });
        cell.dataset.square = file + rank;
        if (dark) cell.dataset.number = squareName(file + rank, "checkers");
        this.cells.set(file + rank, cell);
      }
    }
    this.rows = Array.from({ length: 8 }, () => element("div", { role: "row", class: "row" }));
    this.grid.append(...this.rows);
    this.arrange();
  }

  /** Puts the squares in the order in which they are seen. */
  arrange() {
    const squares = [...this.cells.keys()];
    if (this.bottom === "black") squares.reverse();
    const hadFocus = this.grid.contains(document.activeElement);
    squares.forEach((square, index) => {
      const cell = this.cells.get(square);
      const [row, column] = [Math.floor(index / 8), index % 8];
      delete cell.dataset.file;
      delete cell.dataset.rank;
      if (row === 7) cell.dataset.file = square[0];
      if (column === 0) cell.dataset.rank = square[1];
      this.rows[row].append(cell);
    });
    this.setCursor(this.cursor, hadFocus);
  }

  /** Turns the board so that this side is at the bottom. */
  turn(bottom) {
    if (bottom === this.bottom) return;
    this.bottom = bottom;
    this.arrange();
  }

  /** Shows the men. `last` is a move that may be shown as movement. */
  show(pieces, { game = this.game, last = null, moves = false } = {}) {
    const before = this.pieces;
    const isOther = game !== this.game;
    this.game = game;
    this.grid.classList.toggle("numbered", game === "checkers");
    this.pieces = { ...pieces };
    for (const [square, cell] of this.cells) {
      const letter = pieces[square];
      if (!isOther && letter === before[square] && (cell.querySelector(".piece") === null) === !letter) continue;
      cell.replaceChildren(...(letter ? [pieceImage(letter, game)] : []));
    }
    if (moves && last?.from && pieces[last.to] && before[last.from]) this.animate(last.from, last.to);
    this.name();
  }

  /** Shows a man on another square until the next position comes. */
  pretend(from, to) {
    const pieces = { ...this.pieces };
    if (!pieces[from]) return;
    pieces[to] = pieces[from];
    delete pieces[from];
    this.show(pieces);
  }

  animate(from, to) {
    const image = this.cells.get(to)?.querySelector(".piece");
    const start = this.cells.get(from)?.getBoundingClientRect();
    if (!image || !start || prefersStillness()) return;
    const end = this.cells.get(to).getBoundingClientRect();
    const shift = `translate(${start.x - end.x}px, ${start.y - end.y}px)`;
    image.animate([{ transform: shift }, { transform: "none" }], { duration: MOVEMENT, easing: "ease-out" });
  }

  /** Marks squares: a map from the words of `MARK_WORDS` to lists of squares. */
  mark(marks) {
    this.marks = marks;
    for (const [square, cell] of this.cells) {
      for (const kind of Object.keys(MARK_WORDS)) {
        cell.classList.toggle(kind, Boolean(marks[kind]?.includes(square)));
      }
    }
    this.name();
  }

  /** Says for each square what a screen reader reads, and which men may be lifted. */
  name() {
    for (const [square, cell] of this.cells) {
      const letter = this.pieces[square];
      const words = [squareName(square, this.game), letter ? pieceName(letter) : "empty"];
      for (const [kind, word] of Object.entries(MARK_WORDS)) {
        if (this.marks[kind]?.includes(square)) words.push(word);
      }
      const label = words.join(", ");
      if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
      cell.setAttribute("aria-selected", String(Boolean(this.marks.selected?.includes(square))));
      cell.classList.toggle("movable", Boolean(letter && this.actions.mayDrag(square)));
    }
  }

  setCursor(square, focus) {
    this.cells.get(this.cursor).tabIndex = -1;
    this.cursor = square;
    const cell = this.cells.get(square);
    cell.tabIndex = 0;
    if (!focus) return;
    this.isByPointer = false;
    cell.focus({ preventScroll: true });
  }

  follow(event) {
    if (event.target.matches(":focus-visible")) this.isByPointer = false;
    const square = squareAt(event.target, this.grid);
    if (square && square !== this.cursor) this.setCursor(square, false);
  }

  press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = STEPS[event.key];
    if (step && this.isByPointer) return;
    if (step) {
      const order = this.bottom === "white" ? 1 : -1;
      const file = FILES.indexOf(this.cursor[0]) + step[0] * order;
      const rank = Number(this.cursor[1]) - step[1] * order;
      if (FILES[file] && rank >= 1 && rank <= 8) this.setCursor(FILES[file] + rank, true);
    } else if (event.key === "Enter" || event.key === " ") {
      this.actions.pick(this.cursor);
    } else if (event.key === "Escape") {
      this.actions.cancel();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  click(event) {
    const square = squareAt(event.target, this.grid);
    if (square && !this.drag.hasJustEnded()) this.actions.pick(square);
  }

  lift(target) {
    const square = squareAt(target, this.grid);
    if (!square || !this.pieces[square] || !this.actions.mayDrag(square)) return null;
    const source = this.cells.get(square).querySelector(".piece");
    return { what: square, source, size: this.cells.get(square).clientWidth, start: () => this.actions.grab?.(square) };
  }
}

/** Returns the square at an element, or null outside the grid. */
export function squareAt(target, grid) {
  const cell = target?.closest?.(".cell");
  return cell && grid.contains(cell) ? cell.dataset.square : null;
}
