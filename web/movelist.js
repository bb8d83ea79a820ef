/** The moves as a list to step through, with variations where they begin. */

import { element } from "./elements.js";
import { numbered } from "./lines.js";
import { moveWords, scoreText } from "./words.js";

/** Signs of marked moves, and their names. */
export const MARKS = {
  inaccuracy: { sign: "?!", name: "inaccuracy" },
  mistake: { sign: "?", name: "mistake" },
  blunder: { sign: "??", name: "blunder" },
};

export class MoveList {
  /** `go(node)` steps to a position. */
  constructor(host, go) {
    this.host = host;
    this.go = go;
    host.classList.add("moves-list");
    // A move that is being clicked must not be replaced before the button is released.
    host.addEventListener("pointerdown", () => (this.isPressed = true));
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(() => this.release()));
  }

  release() {
    this.isPressed = false;
    if (this.postponed) this.show(this.postponed);
  }

  show(tree) {
    this.postponed = this.isPressed ? tree : null;
    if (this.isPressed) return;
    this.offset = tree.offset;
    this.current = tree.current;
    const focused = this.host.contains(document.activeElement) ? document.activeElement.node : null;
    const rows = element("div", { class: "main" });
    this.write(tree.root, rows, 0);
    if (tree.root.children.length === 0) rows.append(element("p", { class: "quiet" }, "No moves yet."));
    this.host.replaceChildren(rows);
    if (focused) [...rows.querySelectorAll("button")].find(({ node }) => node === focused)?.focus({ preventScroll: true });
    this.reveal();
  }

  /** Writes the moves after a node: the first branch, then the others in a block of their own. */
  write(from, host, depth) {
    for (let at = from, isFirst = true; at.children.length > 0; at = at.children[0]) {
      const [next, ...others] = at.children;
      host.append(this.button(next, isFirst));
      isFirst = others.length > 0;
      for (const other of others) {
        const block = element("div", {
          class: depth ? "variation inner" : "variation",
          role: "group",
          "aria-label": "Variation",
        });
        block.append(this.button(other, true));
        this.write(other, block, depth + 1);
        host.append(block);
      }
    }
  }

  button(node, isFirst) {
    const mark = MARKS[node.mark];
    const words = [moveWords(node.san), mark?.name].filter(Boolean).join(", ");
    const isCurrent = node === this.current;
    const index = this.offset + node.ply - 1;
    const isSecond = index % 2 === 1;
    const [, number, san] = numbered(node.san, index, isFirst).match(/^(?:(\d+\S) )?(.*)$/);
    const made = element(
      "button",
      {
        type: "button",
        class: `move ${isSecond ? "second" : ""} ${node.mark ?? ""}`,
        "aria-current": isCurrent ? "true" : null,
        tabindex: isCurrent ? 0 : -1,
        onclick: () => this.go(node),
      },
      number ? element("span", { class: "number" }, number) : null,
      element("span", { class: "san" }, san, mark ? element("span", { class: "sign" }, mark.sign) : null),
      element("span", { class: "unseen" }, `, ${words}${node.score ? ", " : ""}`),
      node.score ? element("span", { class: "value" }, scoreText(node.score)) : null,
    );
    return Object.assign(made, { node });
  }

  /** Scrolls the list, and only the list, to the current move. */
  reveal() {
    const current = this.host.querySelector("[aria-current]");
    if (!current) {
      this.host.scrollTop = 0;
      const first = this.host.querySelector("button");
      if (first) first.tabIndex = 0;
      return;
    }
    const [list, row] = [this.host.getBoundingClientRect(), current.getBoundingClientRect()];
    if (row.top < list.top) this.host.scrollTop -= list.top - row.top + row.height;
    if (row.bottom > list.bottom) this.host.scrollTop += row.bottom - list.bottom + row.height;
  }
}
