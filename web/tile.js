/** A game on the wall: its board, players, clocks, evaluation and what the engine does. */

import { timeText } from "./clock.js";
import { element, setText } from "./elements.js";
import { gameOf, MiniBoard } from "./miniboard.js";
import { pieceImage } from "./pieces.js";
import { ORDER } from "./pockets.js";
import { activityWords, checksWords, expectation, resultWords, scoreText, scoreWords, shortNumber } from "./words.js";

export class Tile {
  constructor(id) {
    this.id = id;
    this.board = new MiniBoard();
    this.fill = element("span", { class: "fill" });
    this.players = { white: player("white"), black: player("black") };
    this.score = element("strong", {});
    this.depth = element("span", {});
    this.speed = element("span", {});
    this.activity = element("span", {});
    this.words = element("span", { class: "unseen" });
    this.link = element(
      "a",
      { class: "mini", href: `/game/${id}` },
      this.words,
      this.players.black.row,
      element(
        "span",
        { class: "picture-row", "aria-hidden": "true" },
        element("span", { class: "bar" }, this.fill),
        this.board.element,
      ),
      this.players.white.row,
      element("span", { class: "facts", "aria-hidden": "true" }, this.score, this.depth, this.activity, this.speed),
    );
    this.row = element("li", {}, this.link);
    this.row.dataset.id = id;
  }

  /** Shows what is new. An entry of a session that is not on the screen has only its names. */
  show(entry) {
    const picture = entry.pieces ? { ...entry } : { ...this.picture, ...entry };
    // Between searches the last evaluation stays.
    if (!entry.score && this.picture?.ply <= entry.ply) picture.score = this.picture.score;
    this.picture = picture;
    const { pieces, last, score, result, variant, kind, activity } = picture;
    const named = variant === "normal" ? "" : picture.title;
    for (const side of ["white", "black"]) {
      setText(this.players[side].name, picture[side] || (side === "white" ? "White" : "Black"));
    }
    if (!pieces) return;
    this.at = performance.now();
    const game = gameOf(picture);
    this.board.show(pieces, last, game);
    this.fill.style.height = `${(expectation(score) * 100).toFixed(0)}%`;
    for (const side of ["white", "black"]) {
      this.players[side].row.classList.toggle("on-move", picture.turn === side && !result);
      this.showExtras(side);
    }
    setText(this.score, result ? result.score : scoreText(score));
    setText(this.depth, picture.depth ? `depth ${picture.depth}` : "");
    setText(this.speed, picture.nps ? `${shortNumber(picture.nps)}/s` : "");
    const use = kind === "analysis" && activity !== "analysing" ? "analysis" : "";
    const about = [use, named, activityWords(picture)];
    setText(this.activity, about.filter(Boolean).join(" · "));
    const what = kind === "analysis" ? "Analysis" : `${picture.white || "White"} against ${picture.black || "Black"}`;
    setText(this.words, `${what}, ${named || game}. ${result ? resultWords(result) : scoreWords(score, game)}.`);
    this.tick();
  }

  /** Shows a side's men in hand, or the checks that it still has to give. */
  showExtras(side) {
    const { hands, checks_left: checks } = this.picture;
    const { extras } = this.players[side];
    const held = [...ORDER].filter((letter) => hands?.[side][letter]);
    const shown = checks ? checksWords(checks[side]) : held.map((letter) => letter + hands[side][letter]).join(" ");
    if (extras.dataset.shown === shown) return;
    extras.dataset.shown = shown;
    if (checks) extras.replaceChildren(shown);
    else extras.replaceChildren(...held.map((letter) => inHand(letter, hands[side][letter], side)));
  }

  /** Draws the clocks, which run on between pictures. */
  tick() {
    const { clocks } = this.picture;
    for (const side of ["white", "black"]) {
      const left = clocks?.[`${side}_ms`];
      const gone = clocks?.running === side ? performance.now() - this.at : 0;
      setText(this.players[side].clock, left === null || left === undefined ? "" : timeText(Math.max(0, left - gone)));
    }
  }
}

function player(side) {
  const name = element("span", { class: "name" });
  const extras = element("span", { class: "extras" });
  const clock = element("time", {});
  const row = element("span", { class: `who ${side}`, "aria-hidden": "true" }, name, extras, clock);
  return { name, extras, clock, row };
}

function inHand(letter, count, side) {
  const image = pieceImage(side === "white" ? letter : letter.toLowerCase());
  return element("span", {}, image, count > 1 ? String(count) : "");
}
