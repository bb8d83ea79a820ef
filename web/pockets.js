/** The men in hand of crazyhouse, to click or drag onto the board. */

import { element } from "./elements.js";
import { Drag } from "./drag.js";
import { squareAt } from "./board.js";
import { kindName, pieceImage } from "./pieces.js";

/** Men in hand, in the order in which they are shown. */
export const ORDER = "PNBRQ";

export class Pockets {
  /** `hosts` has an element for "white" and "black". */
  constructor(hosts, board, chooser) {
    Object.assign(this, { hosts, chooser });
    for (const host of Object.values(hosts)) {
      host.classList.add("pocket");
      new Drag(host, {
        pick: (target) => this.lift(target, board),
        drop: (source, target) => chooser.drop(source, squareAt(target, board.grid)),
      });
    }
  }

  lift(target, board) {
    const button = target.closest("button:enabled");
    if (!button) return null;
    const size = board.cells.get("a1").clientWidth;
    const what = button.dataset.source;
    return { what, source: button.querySelector(".piece"), size, start: () => this.chooser.select(what) };
  }

  show(position) {
    for (const [side, host] of Object.entries(this.hosts)) {
      const hand = position.hands?.[side];
      host.hidden = !hand;
      if (!hand) continue;
      const mayDrop = this.chooser.side === "both" ? position.turn === side : this.chooser.side === side;
      const focused = host.contains(document.activeElement) ? document.activeElement.dataset.source : null;
      host.replaceChildren(...[...ORDER].map((letter) => this.button(letter, hand[letter] ?? 0, side, mayDrop)));
      if (focused) host.querySelector(`[data-source="${focused}"]`)?.focus();
    }
  }

  button(letter, count, side, mayDrop) {
    const source = `${letter}@`;
    const made = element(
      "button",
      {
        type: "button",
        disabled: !mayDrop || count === 0,
        class: count ? "" : "none",
        "aria-pressed": String(mayDrop && this.chooser.selected === source),
        "aria-label": `${side} ${kindName(letter)} in hand: ${count}`,
        onclick: () => this.chooser.pick(source),
      },
      pieceImage(side === "white" ? letter : letter.toLowerCase()),
      element("span", { class: "count" }, String(count)),
    );
    made.dataset.source = source;
    return made;
  }
}
