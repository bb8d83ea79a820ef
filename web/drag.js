/** Dragging of men by mouse, pen or finger. */

/** Distance in pixels from which a pressed man is being dragged. */
const THRESHOLD = 5;

export class Drag {
  /** `pick(element)` returns what is dragged (`what`), its picture (`source`), `size` and `start`, or
      null; `drop(what, element)` gets the element below the pointer at the end. */
  constructor(host, { pick, drop }) {
    Object.assign(this, { host, pick, drop, held: null, ended: 0 });
    host.addEventListener("pointerdown", (event) => this.press(event));
    host.addEventListener("dragstart", (event) => event.preventDefault());
  }

  /** Returns true if the click that is being handled ends a drag. */
  hasJustEnded() {
    return performance.now() - this.ended < 50;
  }

  press(event) {
    if (event.button !== 0 || !event.isPrimary) return;
    const picked = this.pick(event.target);
    if (!picked?.source) return;
    this.held = { ...picked, x: event.clientX, y: event.clientY, ghost: null };
    // A quick hand is outside the host before its first movement is seen.
    this.listening = new AbortController();
    const { signal } = this.listening;
    addEventListener("pointermove", (event) => this.move(event), { signal });
    addEventListener("pointerup", (event) => this.release(event), { signal });
    addEventListener("pointercancel", () => this.end(), { signal });
  }

  move(event) {
    const held = this.held;
    if (!held || !event.isPrimary) return;
    if (event.buttons === 0) return this.end();
    if (!held.ghost) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < THRESHOLD) return;
      // A click would have another target if this were done at once.
      this.host.setPointerCapture(event.pointerId);
      // The start may draw the man anew: its picture is copied before.
      held.ghost = held.source.cloneNode(true);
      held.ghost.classList.add("ghost");
      held.ghost.style.width = held.ghost.style.height = `${held.size}px`;
      document.body.append(held.ghost);
      held.source.classList.add("lifted");
      held.start?.();
    }
    const half = held.size / 2;
    held.ghost.style.transform = `translate(${event.clientX - half}px, ${event.clientY - half}px)`;
  }

  release(event) {
    const held = this.held;
    const wasDragged = Boolean(held?.ghost);
    this.end();
    if (!wasDragged) return;
    this.ended = performance.now();
    this.drop(held.what, document.elementFromPoint(event.clientX, event.clientY));
  }

  end() {
    this.listening?.abort();
    this.held?.ghost?.remove();
    this.held?.source.classList.remove("lifted");
    this.held = null;
  }
}
