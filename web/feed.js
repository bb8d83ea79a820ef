/** What the page watches: a WebSocket of pictures, opened again when it is lost. */

const [FIRST_DELAY, LONGEST_DELAY] = [250, 8000];

export class Feed {
  /** `wish()` returns the message that names what is watched; `listener` has a method for each type of
      message, `connection(kind, reason)`, and `forbidden()` if nothing may be watched here. */
  constructor(wish, listener) {
    Object.assign(this, { wish, listener, delay: FIRST_DELAY, reason: "No connection to the server" });
    addEventListener("online", () => this.retryNow());
    addEventListener("pagehide", () => this.leave());
    // A browser may keep the page, and show it again.
    addEventListener("pageshow", ({ persisted }) => persisted && this.retryNow());
  }

  connect() {
    clearTimeout(this.timer);
    const url = new URL("/feed", location.href);
    url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    this.socket = socket;
    let wasOpen = false;
    socket.onopen = () => {
      wasOpen = true;
      this.delay = FIRST_DELAY;
      this.listener.connection("open");
      this.ask();
    };
    socket.onmessage = ({ data }) => this.take(data);
    socket.onclose = async ({ reason }) => {
      if (socket !== this.socket) return;
      this.socket = null;
      // What the server has said stays true while it refuses the next sockets without a word.
      if (reason || wasOpen) this.reason = reason || "The connection to the server was lost";
      if (!wasOpen && (await isForbidden())) return this.listener.forbidden();
      this.listener.connection("lost", this.reason);
      this.timer = setTimeout(() => this.connect(), this.delay);
      this.delay = Math.min(2 * this.delay, LONGEST_DELAY);
    };
  }

  leave() {
    clearTimeout(this.timer);
    const { socket } = this;
    this.socket = null;
    socket?.close();
  }

  retryNow() {
    if (!this.socket) this.connect();
  }

  /** Says anew what is watched. */
  ask() {
    this.send(this.wish());
  }

  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  take(text) {
    try {
      const message = JSON.parse(text);
      if (["wall", "picture", "gone"].includes(message.type)) this.listener[message.type]?.(message);
    } catch (error) {
      reportError(error);
    }
  }
}

/** Returns true if the server refuses to show its games: a refused socket shows no reason. */
async function isForbidden() {
  try {
    return (await fetch("/feed", { cache: "no-store" })).status === 403;
  } catch {
    return false;
  }
}
