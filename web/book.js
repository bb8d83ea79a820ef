/** Moves of the opening book, which can be played by a click. */

import { element } from "./elements.js";
import { moveWords } from "./words.js";

/** Most moves that are shown. */
const MOST = 6;

/** Returns what to show of these moves; `follow(line)` plays one. */
export function bookMoves(moves, follow) {
  if (moves.length === 0) return ["Not in the opening book"];
  const buttons = moves.slice(0, MOST).map(({ uci, san, percent }) =>
    element(
      "button",
      { type: "button", onclick: () => follow({ pv: [uci], san: [san] }) },
      element("span", { "aria-hidden": "true" }, san),
      element("span", { class: "unseen" }, moveWords(san)),
      ` ${percent} %`,
    ),
  );
  return ["Book: ", ...buttons];
}
