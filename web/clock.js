/** The two clocks, which run on between the server's messages. */

import { setText } from "./elements.js";
import { capital, timeWords } from "./words.js";

/** Below this many milliseconds tenths of seconds are shown, and the clock looks urgent. */
const URGENT = 10_000;

export class Clocks {
  /** `faces` has an element for "white" and for "black". */
  constructor(faces) {
    this.faces = faces;
    this.clocks = null;
    document.addEventListener("visibilitychange", () => this.draw());
  }

  /** Takes the clocks of a message, or null for none. */
  take(clocks) {
    this.clocks = clocks;
    this.at = performance.now();
    this.draw();
  }

  /** Stops both clocks at what they show. */
  stop() {
    if (this.clocks) this.take({ white_ms: this.left("white"), black_ms: this.left("black"), running: null });
  }

  /** Returns the milliseconds left of a side, or null without a clock. */
  left(side) {
    const left = this.clocks?.[`${side}_ms`];
    if (left === null || left === undefined) return null;
    return Math.max(0, this.clocks.running === side ? left - (performance.now() - this.at) : left);
  }

  draw() {
    clearTimeout(this.timer);
    for (const [side, face] of Object.entries(this.faces)) {
      const left = this.left(side);
      const runs = this.clocks?.running === side;
      face.hidden = left === null;
      setText(face, left === null ? "" : timeText(left));
      face.classList.toggle("running", runs);
      face.classList.toggle("urgent", left !== null && left < URGENT && Boolean(this.clocks?.running));
    }
    const left = this.clocks?.running ? this.left(this.clocks.running) : null;
    if (!left || document.hidden) return;
    // The next change of the digits.
    const step = left <= URGENT ? 100 : 1000;
    this.timer = setTimeout(() => this.draw(), (left % step) + 5);
  }

  /** Returns both clocks in words. */
  words() {
    const said = ["white", "black"].filter((side) => this.left(side) !== null);
    if (said.length === 0) return "There is no clock.";
    return said.map((side) => `${capital(side)} has ${timeWords(this.left(side))}`).join(". ") + ".";
  }
}

/** Returns a time as a clock shows it: "1:05:09", "5:00", "0:09.4". */
export function timeText(ms) {
  const seconds = ms < URGENT ? Math.floor(ms / 100) / 10 : Math.ceil(ms / 1000 - 0.001);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest =
    ms < URGENT ? (seconds % 60).toFixed(1).padStart(4, "0") : String(Math.floor(seconds % 60)).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}
