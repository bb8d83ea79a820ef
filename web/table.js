/** The board with what surrounds it: players, clocks, pockets, evaluation bar and arrows. */

import { Arrows } from "./arrows.js";
import { Board } from "./board.js";
import { Chooser } from "./chooser.js";
import { Clocks } from "./clock.js";
import { byId, element, setText } from "./elements.js";
import { checksOf, handsOf, piecesOf, squaresOf } from "./fen.js";
import { Pockets } from "./pockets.js";
import { checksWords, expectation } from "./words.js";

export class Table {
  /** `play(move)` gets a legal move that the person has chosen; `announce(text)` speaks. */
  constructor(host, { play, announce }) {
    this.host = host;
    this.chooser = new Chooser({ play: (move) => this.played(move, play), announce, changed: () => this.draw() });
    this.bar = element("div", { class: "bar", "aria-hidden": "true" });
    this.barFill = element("div", { class: "fill" });
    this.barText = element("span", { class: "value" });
    this.bar.append(this.barFill, this.barText);
    this.frame = element("div", { class: "frame" });
    this.middle = element("div", { class: "middle" }, this.bar, this.frame);
    this.strips = { white: strip("white"), black: strip("black") };
    host.classList.add("table");
    host.append(this.strips.black.row, this.middle, this.strips.white.row);
    const { chooser } = this;
    this.board = new Board(this.frame, {
      pick: (square) => chooser.pick(square),
      drop: (from, square) => chooser.drop(from, square),
      grab: (square) => chooser.select(square),
      mayDrag: (square) => chooser.mayMove(square),
      cancel: () => chooser.cancel(),
    });
    this.arrows = new Arrows(this.frame);
    const of = (part) => ({ white: this.strips.white[part], black: this.strips.black[part] });
    this.clocks = new Clocks(of("clock"));
    this.pockets = new Pockets(of("pocket"), this.board, chooser);
    this.game = "chess";
    this.setScore(null);
  }

  /** Shows a position of the server. `side` may move: "white", "black", "both" or null. */
  show(position, side, { moves = true } = {}) {
    this.position = position;
    this.board.show(position.pieces, { game: this.game, last: position.last, moves });
    this.chooser.take(position, side, this.game);
  }

  /** Shows an earlier position of which only the text and the move before it are known. */
  showEarlier(fen, uci) {
    const last = squaresOf(uci, this.game);
    const pieces = piecesOf(fen, this.game);
    const known = { fen, pieces, hands: handsOf(fen), checks_left: checksOf(fen), last };
    this.show({ ...known, legal: [], check: null, result: null, turn: null, ply: -1 }, null);
  }

  draw() {
    const { position, chooser } = this;
    if (!position || !this.board) return;
    const { last, check } = position;
    this.board.mark({
      ...chooser.marks(),
      last: last ? [last.from, last.to].filter(Boolean) : [],
      check: check ? [check] : [],
    });
    this.pockets.show(position);
    for (const side of ["white", "black"]) {
      const left = position.checks_left?.[side];
      setText(this.strips[side].checks, left === undefined ? "" : checksWords(left));
      this.strips[side].row.classList.toggle("on-move", position.turn === side && !position.result);
    }
  }

  played(move, play) {
    if (move.from) this.board.pretend(move.from, move.to);
    play(move);
  }

  setNames({ white, black }) {
    setText(this.strips.white.name, white || "White");
    setText(this.strips.black.name, black || "Black");
  }

  /** Turns the board so that this side, or the other one than now, is at the bottom. */
  turn(bottom = this.board.bottom === "white" ? "black" : "white") {
    if (bottom === this.board.bottom) return;
    this.board.turn(bottom);
    const [top, low] = bottom === "white" ? ["black", "white"] : ["white", "black"];
    this.host.prepend(this.strips[top].row);
    this.host.append(this.strips[low].row);
    this.bar.classList.toggle("turned", bottom === "black");
    this.setArrows(this.shown ?? []);
  }

  /** Shows the evaluation beside the board, or nothing with null. */
  setScore(score) {
    this.bar.classList.toggle("blank", !score);
    this.barFill.style.height = `${(expectation(score) * 100).toFixed(1)}%`;
    setText(this.barText, score ? barText(score) : "");
    this.bar.classList.toggle("black-ahead", expectation(score) < 0.5);
  }

  setArrows(arrows) {
    this.shown = arrows;
    this.arrows.show(arrows, this.board.bottom);
  }

  /** Shows the first moves of engine lines as arrows. */
  showLines(lines) {
    const arrows = lines.map((line, index) => ({
      ...squaresOf(line.pv[0], this.game),
      weight: 1 - index / lines.length,
    }));
    this.setArrows(arrows.filter(({ to }) => to));
  }
}

/** Returns a score as short as the bar is narrow: its place shows whose it is. */
function barText(score) {
  if (score.mate === 0) return "";
  if ("mate" in score) return `#${Math.abs(score.mate)}`;
  const pawns = Math.abs(score.cp) / 100;
  return pawns < 10 ? pawns.toFixed(1) : String(Math.round(pawns));
}

function strip(side) {
  const name = element("span", { class: "name" }, side === "white" ? "White" : "Black");
  const checks = element("span", { class: "checks" });
  const pocket = element("div", { role: "group", "aria-label": `Men in hand of ${side}`, hidden: true });
  const clock = element("span", {
    class: "clock",
    role: "timer",
    "aria-live": "off",
    "aria-label": `Clock of ${side}`,
    hidden: true,
  });
  const row = element(
    "div",
    { class: `strip ${side}` },
    element("span", { class: "disc", "aria-hidden": "true" }),
    name,
    checks,
    pocket,
    clock,
  );
  return { row, name, checks, pocket, clock };
}

/** Shows the state of the connection in the page's header; `reason`: sentences about its loss. */
export function showConnection(kind, reason, retry) {
  const host = byId("connection");
  const isLost = kind === "lost" || (kind === "connecting" && host.classList.contains("lost"));
  host.classList.toggle("lost", isLost);
  if (kind === "open" || kind === "over") host.replaceChildren();
  else if (kind === "lost") {
    host.title = reason;
    if (!host.firstElementChild) {
      host.append(element("span"), element("button", { type: "button", onclick: retry }, "Try now"));
    }
    setText(host.firstElementChild, `${reason} Trying again…`);
  }
}
