/** The evaluations of a game as a graph to click into. */

import { drawing, element } from "./elements.js";
import { expectation, scoreText, scoreWords } from "./words.js";

const [WIDTH, HEIGHT] = [1000, 200];

export class Graph {
  /** `go(ply)` steps to a position. */
  constructor(host, go) {
    this.above = drawing("path", { class: "above" });
    this.area = drawing("path", { class: "area" });
    this.line = drawing("path", { class: "curve" });
    this.marks = drawing("g", {});
    this.here = drawing("line", { class: "here", y1: 0, y2: HEIGHT });
    const middle = drawing("line", { class: "middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 });
    this.picture = drawing(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": "Evaluations" },
      this.above,
      this.area,
      middle,
      this.line,
      this.marks,
      this.here,
    );
    this.caption = element("p", { class: "unseen" });
    this.plies = 1;
    this.picture.addEventListener("click", (event) => {
      const { left, width } = this.picture.getBoundingClientRect();
      go(Math.round(((event.clientX - left) / width) * this.plies));
    });
    host.classList.add("graph");
    host.append(this.picture, this.caption);
  }

  /** Shows the scores by ply (missing ones are skipped), where the person is, and the marked moves. */
  show(scores, ply, marked = []) {
    this.plies = Math.max(1, scores.length - 1);
    const x = (at) => ((at / this.plies) * WIDTH).toFixed(1);
    const y = (score) => ((1 - expectation(score)) * HEIGHT).toFixed(1);
    const known = [...scores.keys()].filter((at) => scores[at]);
    const points = known.map((at) => `${x(at)} ${y(scores[at])}`);
    this.line.setAttribute("d", points.length ? `M${points.join(" L")}` : "");
    const [first, last] = [known[0], known[known.length - 1]];
    const area = (edge) => (points.length ? `M${x(first)} ${edge} L${points.join(" L")} L${x(last)} ${edge} Z` : "");
    this.area.setAttribute("d", area(HEIGHT));
    this.above.setAttribute("d", area(0));
    const dots = marked
      .filter(({ ply: at }) => scores[at])
      .map(({ ply: at, kind }) => drawing("path", { class: `dot ${kind}`, d: `M${x(at)} ${y(scores[at])} h0.01` }));
    this.marks.replaceChildren(...dots);
    this.here.setAttribute("x1", x(ply));
    this.here.setAttribute("x2", x(ply));
    const now = scores[ply];
    this.caption.textContent = now ? `${scoreText(now)}, ${scoreWords(now)}` : "";
  }
}
