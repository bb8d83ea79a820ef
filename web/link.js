/** The client's end of the link (docs/shim.md) over a WebSocket. If the connection is lost, the next
    server gets the last state and the input that it does not contain, and the session goes on. */

import { applyEdits, decode, encode, join } from "./bytes.js";
import { FrameReader } from "./frames.js";

const GREETING = "farboard-link 1";
/** Delays in milliseconds between attempts at a server that cannot be reached, and the longest one after
    a server that had accepted the session and failed. */
const [FIRST_DELAY, LONGEST_DELAY, LONGEST_AFTER_ADMISSION] = [50, 1000, 8000];
/** Time in milliseconds for a server's first word. */
const FIRST_WORD = 10_000;
/** Time in milliseconds within which a server accounts for a line. Phones change networks silently. */
const ACCOUNTED = 15_000;
/** A server that is lost within this time in milliseconds has not ended the outage. */
const PROBATION = 5000;
/** Number of servers that a line may crash before it is refused. */
const MOST_CRASHES = 2;

export class Link {
  /** `handlers`: `output(bytes)`, `status(kind, reason)` with "connecting", "open", "lost" or "over",
      `renewed(reason)` when no server can use the state and a new session begins. */
  constructor(url, memory, handlers) {
    Object.assign(this, { url, memory, handlers });
    this.sent = 0;
    this.isDue = false;
    this.crashes = { key: "", count: 0 };
    this.lostAt = memory.hasSession ? memory.seenAt : null;
    this.delay = FIRST_DELAY;
    this.isOver = false;
    addEventListener("pagehide", () => this.leave());
    // A browser may keep the page and show it again. Another one of the tab may have had the session since.
    addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
    addEventListener("online", () => this.retryNow());
    addEventListener("visibilitychange", () => this.retryNow());
  }

  /** Connects, unless it is connected. */
  connect() {
    clearTimeout(this.timer);
    if (this.socket || this.isOver) return;
    this.handlers.status("connecting");
    const socket = new WebSocket(this.url);
    socket.binaryType = "arraybuffer";
    Object.assign(this, { socket, reader: new FrameReader(), phase: "greeting", sent: 0, openedAt: null });
    socket.onopen = () => {
      this.openedAt = Date.now();
      socket.send(encode(`${GREETING}\n`));
    };
    socket.onmessage = ({ data }) => socket === this.socket && this.take(new Uint8Array(data));
    socket.onclose = () => socket === this.socket && this.lose("The connection to the server was lost");
    this.watch = setTimeout(() => socket === this.socket && this.lose("The server does not answer"), FIRST_WORD);
  }

  retryNow() {
    if (!this.socket) this.connect();
  }

  /** Sends a line of the person, now or as soon as there is a server. */
  send(line) {
    if (this.isOver) return;
    this.memory.lines.push({ bytes: encode(`${line}\n`), at: Date.now() });
    this.memory.keep();
    this.sendMore();
    if (this.phase === "linked" && this.memory.lines.length === 1) this.watchInput();
  }

  /** Ends the session; the next one begins anew. */
  end() {
    this.isOver = true;
    this.drop();
    this.memory.forget();
  }

  /** Lets go of the server: nobody waits for the session of a page that is not shown. */
  leave() {
    if (this.isOver) return;
    this.lostAt ??= Date.now();
    this.memory.keep(this.lostAt);
    clearTimeout(this.timer);
    this.drop();
  }

  take(bytes) {
    this.reader.push(bytes);
    try {
      if (this.phase === "greeting" && !this.greet()) return;
      for (let frame; this.socket && (frame = this.reader.frame());) this.handle(frame);
    } catch (error) {
      this.lose(`The server sent something unusable: ${error.message}`);
    }
  }

  /** Reads lines up to the greeting, and gives the session to the server. Others are its reasons. */
  greet() {
    for (let line; (line = this.reader.line()) !== null;) {
      if (line === GREETING) {
        this.begin();
        return true;
      }
      this.refusal = line;
    }
    return false;
  }

  begin() {
    const { state, warm, stateAt, hasSession } = this.memory;
    this.phase = "linked";
    this.refusal = null;
    if (!hasSession) {
      this.socket.send(encode("new\n"));
    } else {
      const age = since(stateAt);
      const away = this.lostAt === null ? 0 : since(this.lostAt);
      const calm = this.memory.lines.length === 0 && this.crashes.count >= MOST_CRASHES ? "calm" : "search";
      this.socket.send(join(encode(`resume ${state.length} ${warm.length} ${age} ${away} ${calm}\n`), state, warm));
    }
    this.refuseFatalLine();
    this.sendMore();
  }

  /** Has the first line refused if servers crashed on it again and again. */
  refuseFatalLine() {
    const [first] = this.memory.lines;
    if (!first || this.crashes.count < MOST_CRASHES || this.crashes.key !== keyOf(first)) return;
    this.socket.send(join(encode(`refuse ${first.bytes.length} ${since(first.at)}\n`), first.bytes));
    this.sent = 1;
  }

  sendMore() {
    if (this.phase !== "linked" || this.socket?.readyState !== WebSocket.OPEN) return;
    for (; this.sent < this.memory.lines.length; this.sent++) {
      const { bytes, at } = this.memory.lines[this.sent];
      for (let start = 0; start < bytes.length; start += 65_536) {
        const part = bytes.subarray(start, start + 65_536);
        this.socket.send(join(encode(`input ${part.length} ${since(at)}\n`), part));
      }
    }
  }

  /** Loses a server that does not say anything about the input it has got. */
  watchInput() {
    clearTimeout(this.watch);
    const { socket } = this;
    if (!socket || this.memory.lines.length === 0) return;
    this.watch = setTimeout(() => socket === this.socket && this.lose("The server does not answer"), ACCOUNTED);
  }

  handle(frame) {
    const act = {
      frame: () => this.update(frame),
      warm: () => this.memory.keepWarm(frame.warm.slice()),
      move: () => this.move(),
      leave: () => this.lose("The server is being restarted", true),
      end: () => {
        this.account(frame.accounted);
        this.handlers.output(frame.output);
        this.end();
        this.handlers.status("over");
      },
      fault: () => this.crashed(decode(frame.reason)),
      unfit: () => this.renew(decode(frame.reason)),
    };
    act[frame.kind]();
    this.watchInput();
  }

  update({ accounted, output, edits, due }) {
    this.memory.state = applyEdits(this.memory.state, edits);
    this.account(accounted);
    this.isDue = due;
    if (accounted > 0 || edits.length > 0) {
      this.memory.stateAt = Date.now();
      this.memory.keep();
    }
    this.lostAt = null;
    if (accounted > 0) this.delay = FIRST_DELAY;
    this.handlers.status("open");
    this.handlers.output(output);
  }

  /** Removes bytes for which the server has accounted. */
  account(count) {
    const { lines } = this.memory;
    if (count > 0) this.crashes = { key: "", count: 0 };
    while (count > 0) {
      if (this.sent === 0 || lines.length === 0) throw new Error("it accounts for more than it got");
      const part = Math.min(count, lines[0].bytes.length);
      lines[0].bytes = lines[0].bytes.subarray(part);
      count -= part;
      if (lines[0].bytes.length > 0) continue;
      lines.shift();
      this.sent--;
    }
  }

  /** Goes to another server behind the same address, at a moment at which nothing is due. */
  move() {
    if (!this.isDue && this.memory.lines.length === 0) this.lose("The session moves to another server", true);
  }

  crashed(reason) {
    const [first] = this.memory.lines;
    const key = keyOf(first);
    this.crashes = { key, count: this.crashes.key === key ? this.crashes.count + 1 : 1 };
    this.lose(`A defect of the server: ${reason}`);
  }

  /** Begins a new session after no server could use the state. */
  renew(reason) {
    this.memory.forget();
    this.lose(reason, true);
    this.handlers.renewed(reason);
  }

  lose(reason, isHarmless = false) {
    const wasAdmitted = this.phase === "linked";
    if (this.openedAt && since(this.openedAt) > PROBATION) this.delay = FIRST_DELAY;
    this.lostAt ??= Date.now();
    this.drop();
    if (this.isOver) return;
    const longest = wasAdmitted && !isHarmless ? LONGEST_AFTER_ADMISSION : LONGEST_DELAY;
    this.handlers.status("lost", this.refusal ?? reason);
    this.timer = setTimeout(() => this.connect(), Math.min(this.delay, longest));
    this.delay = Math.min(this.delay * 2, LONGEST_AFTER_ADMISSION);
  }

  drop() {
    clearTimeout(this.watch);
    const { socket } = this;
    this.socket = null;
    this.phase = "closed";
    socket?.close();
  }
}

/** Returns the milliseconds since a time of the wall clock, which may have been set back. */
function since(time) {
  return Math.max(0, Math.round(Date.now() - time));
}

/** Returns what identifies a line that servers crash on. */
function keyOf(line) {
  return line ? `${line.at} ${line.bytes.length}` : "search";
}
