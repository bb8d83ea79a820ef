/** What the page watches: a WebSocket of pictures, opened again when it is lost. */

const [FIRST_DELAY, LONGEST_DELAY] = [250, 8000];

export class Feed {
  /** `wish()` returns the message that names what is watched; `listener` has a method for each type of
      message, and `connection(kind, reason)`. */
  constructor(wish, listener) {
    Object.assign(this, { wish, listener, delay: FIRST_DELAY });
    addEventListener("online", () => this.retryNow());
  }

  connect() {
    clearTimeout(this.timer);
    const url = new URL("/feed", location.href);
    url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.onopen = () => {
      this.delay = FIRST_DELAY;
      this.listener.connection("open");
      this.ask();
    };
    socket.onmessage = ({ data }) => this.take(data);
    socket.onclose = () => {
      this.socket = null;
      this.listener.connection("lost", "The connection to the server was lost");
      this.timer = setTimeout(() => this.connect(), this.delay);
      this.delay = Math.min(2 * this.delay, LONGEST_DELAY);
    };
  }

  retryNow() {
    if (!this.socket) this.connect();
  }

  /** Says anew what is watched. */
  ask() {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(this.wish()));
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
