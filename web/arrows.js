/** Arrows over a board for the first moves of engine lines. */

import { drawing } from "./elements.js";

const FILES = "abcdefgh";

export class Arrows {
  constructor(host) {
    this.layer = drawing("svg", { class: "arrows", viewBox: "0 0 8 8", "aria-hidden": "true" });
    host.append(this.layer);
  }

  /** Draws arrows for squares: `{from, to, weight}` with the weight from 0 to 1, best first. */
  show(arrows, bottom) {
    const centre = (square) => {
      const [x, y] = [FILES.indexOf(square[0]) + 0.5, 8.5 - Number(square[1])];
      return bottom === "white" ? [x, y] : [8 - x, 8 - y];
    };
    const shapes = arrows.map(({ from, to, weight }, index) => {
      const rank = index === 0 ? "best" : "other";
      if (!from) {
        const [cx, cy] = centre(to);
        return drawing("circle", { class: `ring ${rank}`, cx, cy, r: 0.38 });
      }
      return drawing("path", { class: `arrow ${rank}`, d: outline(centre(from), centre(to), 0.06 + 0.07 * weight) });
    });
    this.layer.replaceChildren(...shapes.reverse());
  }
}

/** Returns the outline of an arrow with this half width. */
function outline([x1, y1], [x2, y2], half) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const at = (along, across) =>
    `${(x1 + ux * along - uy * across).toFixed(3)} ${(y1 + uy * along + ux * across).toFixed(3)}`;
  const [start, neck, barb] = [0.3, length - 0.42, half + 0.16];
  return `M${at(start, half)} L${at(neck, half)} L${at(neck, barb)} L${at(length - 0.08, 0)} L${at(neck, -barb)} L${at(neck, -half)} L${at(start, -half)} Z`;
}
