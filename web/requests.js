/** What a page has asked the server to show. Requests are answered in their order, each by the game on the board
    or an error. */

/** Pause in milliseconds between two requests while a person steps through the moves. */
const STEP_PAUSE = 120;

export class Requests {
  /** `send(message)` sends one, `chosen()` returns the one for the position and options that the person has chosen. */
  constructor({ send, chosen }) {
    Object.assign(this, { send, chosen });
    /** Kinds of the requests without an answer: "hello", "new" for another game, "load" for one from text, "step"
        within the game. */
    this.waiting = [];
    /** Whether a step waits for another game. */
    this.isPostponed = false;
  }

  get isEmpty() {
    return this.waiting.length === 0;
  }

  /** Forgets everything: after its greeting a server shows the game of the session, before it answers anything else. */
  restart() {
    this.waiting = ["hello"];
    this.isPostponed = false;
  }

  ask(kind, message) {
    clearTimeout(this.pause);
    this.pause = null;
    this.waiting.push(kind);
    this.send(message);
  }

  /** Whether the game on the page is about to be replaced by one that was asked for. */
  get awaitsOther() {
    return this.waiting.includes("new") || this.waiting.includes("load");
  }

  /** Asks for what the person has chosen, once the game on the page is the one that was asked for last. */
  step() {
    this.isPostponed = this.awaitsOther;
    if (this.isPostponed) return;
    const message = this.chosen();
    this.asked = JSON.stringify(message);
    this.ask("step", message);
  }

  /** The same, soon: a key that is held down steps through the moves faster than searches are of use. */
  stepSoon() {
    if (this.pause) return;
    this.step();
    this.pause = setTimeout(() => {
      this.pause = null;
      if (this.hasMovedOn()) this.step();
    }, STEP_PAUSE);
  }

  hasMovedOn() {
    return this.asked !== JSON.stringify(this.chosen());
  }

  /** Returns the kind of the request that has been answered, or null if the answer is outdated: it must not take
      the person back. What nobody has asked for, such as the game after a take-over, is "news". */
  answered() {
    const kind = this.waiting.shift() ?? "news";
    const isLate = !this.isEmpty || (kind === "step" && this.pause && this.hasMovedOn());
    return isLate ? null : kind;
  }

  /** Takes the step that has waited for the game on the page, if there is one. */
  takePostponed() {
    if (this.isPostponed && this.isEmpty) this.step();
  }
}
