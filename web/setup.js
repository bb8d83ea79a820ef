/** Setting up a position: men are dragged from a palette and over the board, or placed by keyboard. */

import { Board, squareAt } from "./board.js";
import { Drag } from "./drag.js";
import { byId, element } from "./elements.js";
import { castlingOf, checksOf, fenOf, firstSide, handsOf, isDark, piecesOf, squareName } from "./fen.js";
import { capital } from "./words.js";
import { pieceImage, pieceName } from "./pieces.js";

const MEN = { chess: [..."KQRBNPkqrbnp"], checkers: [..."MKmk"] };
const CASTLING = [
  ["K", "White castles short"],
  ["Q", "White castles long"],
  ["k", "Black castles short"],
  ["q", "Black castles long"],
];

export class Setup {
  /** `use(fen)` gets the position, `close()` is the end of setting up. */
  constructor(frame, panel, { use, close, announce }) {
    Object.assign(this, { frame, panel, use, close, announce, held: null });
  }

  get isOpen() {
    return !this.panel.hidden;
  }

  /** Begins with a position. `start` is the game's start position. */
  open({ fen, game, start, bottom }) {
    Object.assign(this, { game, start, hasHands: handsOf(fen) !== null, hasChecks: checksOf(fen) !== null });
    this.host = element("div", { class: "setup-board" });
    this.frame.append(this.host);
    this.board = new Board(this.host, {
      pick: (square) => this.place(square),
      drop: (from, square) => this.move(from, square),
      mayDrag: () => true,
      cancel: () => this.hold(null),
    });
    this.board.game = game;
    this.board.turn(bottom);
    this.board.grid.addEventListener("keydown", (event) => {
      if (event.key === "Delete" || event.key === "Backspace") this.put(this.board.cursor, null);
    });
    this.build();
    this.load(fen);
    this.panel.hidden = false;
    this.panel.querySelector("button").focus();
  }

  build() {
    const men = MEN[this.game].map((letter) => {
      const pick = () => this.hold(this.held === letter ? null : letter);
      const made = element(
        "button",
        { type: "button", "aria-label": pieceName(letter), "aria-pressed": "false", onclick: pick },
        pieceImage(letter, this.game),
      );
      made.dataset.man = letter;
      return made;
    });
    this.palette = element("div", { class: "palette", role: "group", "aria-label": "Men" }, ...men);
    new Drag(this.palette, {
      pick: (target) => this.lift(target),
      drop: (letter, target) => this.put(squareAt(target, this.board.grid), letter),
    });
    const choice = (name, value, text) =>
      element("label", {}, element("input", { type: "radio", name, value }), element("span", {}, text));
    this.turns = element(
      "fieldset",
      { class: "field" },
      element("legend", {}, "To move"),
      element("div", { class: "segments" }, choice("turn", "white", "White"), choice("turn", "black", "Black")),
    );
    const boxes =
      this.game === "checkers"
        ? []
        : CASTLING.map(([letter, text]) =>
            element(
              "label",
              { class: "check" },
              element("input", { type: "checkbox", name: "castling", value: letter }),
              text,
            ),
          );
    const button = (text, act, kind = "") => element("button", { type: "button", class: kind, onclick: act }, text);
    this.trouble = element("p", { class: "trouble", role: "alert" });
    this.form = element(
      "form",
      { class: "stack", onsubmit: (event) => event.preventDefault() },
      element("h2", { id: "setup-title" }, "Set up a position"),
      element(
        "p",
        { class: "quiet" },
        "Drag men onto the board, or choose one and click squares. Drag a man off the board, or press Delete, to remove it.",
      ),
      this.palette,
      this.trouble,
      element(
        "div",
        { class: "actions" },
        button("Start position", () => this.load(this.start)),
        button("Empty board", () => this.show({})),
      ),
      this.turns,
      boxes.length ? element("fieldset", { class: "field pair" }, element("legend", {}, "Castling"), ...boxes) : null,
      this.hasHands ? bothSides("hand", "Men in hand, such as NPP", { type: "text", maxlength: 30, pattern: "[PNBRQpnbrq]*" }) : null,
      this.hasChecks ? bothSides("checks", "Checks left", { type: "number", min: 1, max: 3, required: true }) : null,
      element(
        "div",
        { class: "actions" },
        button("Analyse", () => this.finish(), "primary"),
        button("Cancel", () => this.end()),
      ),
    );
    this.panel.replaceChildren(this.form);
  }

  lift(target) {
    const button = target.closest("[data-man]");
    const size = this.board.cells.get("a1").clientWidth;
    return button && { what: button.dataset.man, source: button.querySelector(".piece"), size };
  }

  load(fen) {
    this.form.elements.turn.value = firstSide(fen, this.game);
    const castling = castlingOf(fen);
    for (const box of this.form.querySelectorAll("[name=castling]")) box.checked = castling.includes(box.value);
    const [hands, checks] = [handsOf(fen), checksOf(fen)];
    for (const side of ["white", "black"]) {
      const letters = Object.entries(hands?.[side] ?? {}).map(([letter, count]) => letter.repeat(count));
      if (this.hasHands) this.form.elements[`hand-${side}`].value = letters.join("");
      if (this.hasChecks) this.form.elements[`checks-${side}`].value = checks?.[side] ?? 3;
    }
    this.show(piecesOf(fen, this.game));
  }

  show(pieces) {
    this.pieces = pieces;
    this.board.show(pieces, { game: this.game });
  }

  hold(letter) {
    this.held = letter;
    for (const button of this.palette.children) {
      button.setAttribute("aria-pressed", String(button.dataset.man === letter));
    }
    if (letter) this.announce(`${capital(pieceName(letter))}: choose squares`, "quiet");
  }

  /** Puts the chosen man on a square, or removes it from there. */
  place(square) {
    if (this.held) this.put(square, this.pieces[square] === this.held ? null : this.held);
  }

  put(square, letter) {
    if (!square) return;
    if (letter && this.game === "checkers" && !isDark(square)) {
      return this.announce("Men of checkers stand on dark squares.", "error");
    }
    const pieces = { ...this.pieces };
    delete pieces[square];
    if (letter) pieces[square] = letter;
    this.show(pieces);
    this.announce(`${squareName(square, this.game)}: ${letter ? pieceName(letter) : "empty"}`, "quiet");
  }

  move(from, square) {
    const letter = this.pieces[from];
    if (square && this.game === "checkers" && !isDark(square)) return this.show(this.pieces);
    const pieces = { ...this.pieces };
    delete pieces[from];
    if (square) pieces[square] = letter;
    this.show(pieces);
  }

  /** Gives the position to the server, which may refuse it: the setup stays until then. */
  finish() {
    this.fail("");
    if (!this.form.reportValidity()) return;
    const castling = [...this.form.querySelectorAll("[name=castling]:checked")].map(({ value }) => value).join("");
    const { elements } = this.form;
    const of = (name) => ({ white: elements[`${name}-white`].value, black: elements[`${name}-black`].value });
    const hands = this.hasHands ? of("hand") : null;
    const checks = this.hasChecks ? of("checks") : null;
    this.use(fenOf(this.pieces, { game: this.game, turn: elements.turn.value, castling, hands, checks }));
  }

  /** Shows why the position cannot be used. */
  fail(text) {
    this.trouble.textContent = text;
  }

  end() {
    this.host.remove();
    this.panel.hidden = true;
    this.held = null;
    this.close();
    byId("open-setup").focus();
  }
}

/** Returns a field for each side. */
function bothSides(name, title, attributes) {
  const field = (side) =>
    element("label", {}, element("span", {}, capital(side)), element("input", { ...attributes, name: `${name}-${side}` }));
  return element("fieldset", { class: "field pair" }, element("legend", {}, title), field("white"), field("black"));
}
