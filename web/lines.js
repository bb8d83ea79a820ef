/** The engine's lines: each move of each line can be stepped into. */

import { element, setText } from "./elements.js";
import { moveWords, scoreText, scoreWords, shortNumber } from "./words.js";

export class Lines {
  /** `follow(line, count)` plays the first `count` moves of a line; without it they are only shown. */
  constructor(host, follow = null) {
    this.list = element("ol", { class: "lines", "aria-label": "Engine lines" });
    this.about = element("p", { class: "about" });
    this.follow = follow;
    host.append(this.about, this.list);
    this.list.addEventListener("keydown", (event) => this.press(event));
    // A move that is being clicked must not be replaced before the button is released.
    this.list.addEventListener("pointerdown", () => (this.isPressed = true));
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => (this.isPressed = false));
  }

  /** Keeps room for this many lines, so that nothing moves when they come. */
  reserve(count) {
    while (this.list.children.length < count) this.list.append(element("li", {}, "…"));
    while (this.list.children.length > count) this.list.lastChild.remove();
  }

  /** Shows the lines of a `lines` message, or clears them with null. */
  show(message, { game = "chess", ply = 0, offset = 0 } = {}) {
    this.message = message;
    if (!message) {
      const focused = [...this.list.children].findIndex((row) => row.contains(document.activeElement));
      this.left = focused >= 0 ? focused : document.activeElement === document.body ? this.left : null;
      setText(this.about, "");
      for (const row of this.list.children) row.replaceChildren("…");
      return;
    }
    const { depth, nodes, nps, lines } = message;
    const facts = [`Depth ${depth}`, nodes ? `${shortNumber(nodes)} nodes` : "", nps ? `${shortNumber(nps)}/s` : ""];
    setText(this.about, facts.filter(Boolean).join(" · "));
    if (lines.length > this.list.children.length) this.reserve(lines.length);
    [...this.list.children].forEach((row, index) => {
      const line = lines[index];
      // A row that a person is reading with the keyboard stays as it is.
      if (line && (this.isPressed || row.contains(document.activeElement))) return;
      row.replaceChildren(...(line ? this.row(line, game, ply + offset) : ["…"]));
    });
    this.restoreFocus();
  }

  /** Gives the focus back to the row from which a line was followed by keyboard. */
  restoreFocus() {
    const row = this.left >= 0 ? this.list.children[this.left] : null;
    if (row && document.activeElement === document.body) row.querySelector("button")?.focus();
    this.left = null;
  }

  row(line, game, index) {
    const bound = line.bound === "lower" ? "≥ " : line.bound === "upper" ? "≤ " : "";
    const better = line.score.cp < 0 || line.score.mate < 0 ? "for-black" : "for-white";
    const score = element(
      "span",
      { class: `score ${better}` },
      element("span", { "aria-hidden": "true" }, bound + scoreText(line.score)),
      element("span", { class: "unseen" }, `${scoreWords(line.score, game)}:`),
    );
    const moves = line.san.map((san, count) => {
      const text = [
        numbered(san, index + count, count === 0),
        element("span", { class: "unseen" }, `, ${moveWords(san)}`),
      ];
      const act = {
        type: "button",
        tabindex: count === 0 ? 0 : -1,
        onclick: (event) => this.choose(event, line, count + 1),
      };
      return this.follow ? element("button", act, ...text) : element("span", {}, ...text);
    });
    return [score, element("span", { class: "moves" }, ...moves)];
  }

  /** Follows a line. The focus of a mouse would only catch the arrow keys. */
  choose(event, line, count) {
    if (event.detail > 0) event.currentTarget.blur();
    this.follow(line, count);
  }

  /** The arrow keys go along a line and from line to line. */
  press(event) {
    const button = event.target.closest("button");
    const row = button?.closest("li");
    if (!row) return;
    const next = {
      ArrowRight: button.nextElementSibling,
      ArrowLeft: button.previousElementSibling,
      ArrowDown: row.nextElementSibling?.querySelector("button"),
      ArrowUp: row.previousElementSibling?.querySelector("button"),
    }[event.key];
    if (event.key.startsWith("Arrow")) {
      event.preventDefault();
      event.stopPropagation();
      next?.focus();
    }
  }
}

/** Returns a move with its number where one is written: "3. Nf3", "3… Nf6", "Nf3". `index` is the number of half-moves
    of a whole game before it. */
export function numbered(san, index, isFirst) {
  const isFirstSide = index % 2 === 0;
  const number = Math.floor(index / 2) + 1;
  if (isFirstSide) return `${number}. ${san}`;
  return isFirst ? `${number}… ${san}` : san;
}
