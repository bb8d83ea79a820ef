/** The conversation with the server (docs/web.md): one JSON object a line each way. */

import { decode, join } from "./bytes.js";
import { Link } from "./link.js";
import { Memory } from "./memory.js";
import { noteMine } from "./mine.js";
import { capital } from "./words.js";

/** Types of the server's messages. */
const TYPES = new Set("hello game moved taken_back clocks lines hint draw over reviewed pgn note error".split(" "));

export class Session {
  /** `name` distinguishes the sessions of a tab: "play", "analysis". `listener` has a method for each type
      of message, and `connection(kind, reason)`. */
  constructor(name, listener) {
    this.memory = new Memory(name);
    this.listener = listener;
    this.rest = new Uint8Array();
    const url = new URL("/socket", location.href);
    url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    this.link = new Link(url, this.memory, {
      output: (bytes) => this.take(bytes),
      status: (kind, reason) => this.noteStatus(kind, reason),
      renewed: (reason) => this.renew(reason),
    });
    this.isOpen = false;
  }

  async start() {
    await this.memory.claim();
    this.isResumed = this.memory.hasSession;
    this.send({ type: "hello" });
    this.link.connect();
  }

  /** Sends a message, now or as soon as there is a server. */
  send(message) {
    if (this.link.isOver) this.listener.note({ text: "The session has ended. Reload the page for a new one." });
    this.link.send(JSON.stringify(message));
  }

  take(bytes) {
    this.rest = this.rest.length ? join(this.rest, bytes) : bytes;
    for (let end; (end = this.rest.indexOf(10)) >= 0;) {
      const line = this.rest.subarray(0, end);
      this.rest = this.rest.slice(end + 1);
      if (line.length > 0) this.dispatch(decode(line));
    }
  }

  dispatch(line) {
    try {
      const message = JSON.parse(line);
      if (message.type === "game") noteMine(this.memory.key, message.id);
      const handler = TYPES.has(message.type) ? this.listener[message.type] : null;
      handler?.call(this.listener, message);
    } catch (error) {
      // A defect of the page must not look like one of the connection.
      reportError(error);
    }
  }

  noteStatus(kind, reason) {
    if (kind === "lost") {
      this.rest = new Uint8Array();
      if (!this.isOpen) checkLogin();
      this.isOpen = false;
    }
    if (kind === "open") {
      if (this.isOpen) return;
      this.isOpen = true;
      // A server that has taken over the session may offer other games and engines.
      if (this.wasOpen) this.send({ type: "hello" });
      this.wasOpen = true;
    }
    this.listener.connection(kind, reason && plain(reason));
  }

  renew(reason) {
    this.listener.note({ text: `The session could not go on: ${reason}` });
    this.isResumed = false;
    this.send({ type: "hello" });
  }
}

/** Returns a server's reason, which may be a message, as a clause without an end. */
function plain(reason) {
  let text = reason;
  try {
    text = JSON.parse(reason).text ?? reason;
  } catch {
    // It is text already.
  }
  return capital(text.replace(/[.\s]+$/, ""));
}

let isChecking = false;

/** Goes to the login page if the server asks for it: a refused socket shows no reason. */
async function checkLogin() {
  if (isChecking) return;
  isChecking = true;
  try {
    const answer = await fetch(location.pathname, { cache: "no-store", redirect: "manual" });
    if (answer.status === 401 || answer.status === 403 || answer.type === "opaqueredirect") location.reload();
  } catch {
    // No server can be reached: the link goes on trying.
  } finally {
    isChecking = false;
  }
}
