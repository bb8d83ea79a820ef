/** A small board as one picture, for many of them on a page. */

import { drawing } from "./elements.js";
import { pieceUse } from "./pieces.js";

const FILES = "abcdefgh";

export class MiniBoard {
  constructor() {
    const dark = [];
    for (let index = 0; index < 64; index++) {
      const [x, y] = [index % 8, Math.floor(index / 8)];
      if ((x + y) % 2 === 1) dark.push(`M${x} ${y}h1v1h-1z`);
    }
    this.last = drawing("path", { class: "last" });
    this.men = drawing("g", {});
    this.element = drawing(
      "svg",
      { class: "position", viewBox: "0 0 8 8", "aria-hidden": "true" },
      drawing("rect", { class: "light", width: 8, height: 8 }),
      drawing("path", { class: "dark", d: dark.join("") }),
      this.last,
      this.men,
    );
  }

  show(pieces, last, game) {
    const at = (square) => [FILES.indexOf(square[0]), 8 - Number(square[1])];
    const squares = last ? [last.from, last.to].filter(Boolean) : [];
    this.last.setAttribute("d", squares.map((square) => `M${at(square).join(" ")}h1v1h-1z`).join(""));
    this.men.replaceChildren(
      ...Object.entries(pieces).map(([square, letter]) => {
        const [x, y] = at(square);
        const use = pieceUse(letter, game);
        use.setAttribute("transform", `translate(${x} ${y}) scale(0.01)`);
        return use;
      }),
    );
  }
}

/** Returns the game of a picture. */
export function gameOf({ variant }) {
  return variant === "checkers" ? "checkers" : "chess";
}
