/** What a tab remembers of its session, so that a reload is an ordinary take-over: the last state with
    its time, the warm part, and the input that no state contains. Times are those of the wall clock, as
    they outlive the page. */

import { fromStored, toStored } from "./bytes.js";

/** Time in milliseconds in which a page that is left lets go of its session, however busy the machine is. */
const LET_GO = 5000;

export class Memory {
  constructor(name, storage = sessionStorage) {
    this.storage = storage;
    this.key = `farboard.${name}`;
    const kept = this.read("link") ?? {};
    this.state = fromStored(kept.state);
    this.stateAt = kept.stateAt ?? Date.now();
    this.seenAt = kept.seenAt ?? Date.now();
    /** Lines of the person with the times at which they came. */
    this.lines = (kept.lines ?? []).map(({ bytes, at }) => ({ bytes: fromStored(bytes), at }));
    this.warm = fromStored(this.storage.getItem(`${this.key}.warm`));
  }

  /** Makes sure that no other tab goes on with the session: a copy of a tab has its memory, too, and begins a
      session of its own. */
  async claim() {
    const kept = this.read("name");
    if (kept && (await isUnused(`${this.key}.${kept}`))) return;
    if (kept) this.forget();
    const name = String(crypto.getRandomValues(new Uint32Array(1))[0]);
    this.write("name", name);
    await isUnused(`${this.key}.${name}`);
  }

  get hasSession() {
    return this.state.length > 0;
  }

  /** Keeps everything but the warm part, which is large and changes seldom. `seenAt` is when the tab last
      had a server. */
  keep(seenAt = Date.now()) {
    const lines = this.lines.map(({ bytes, at }) => ({ bytes: toStored(bytes), at }));
    this.write("link", { state: toStored(this.state), stateAt: this.stateAt, seenAt, lines });
  }

  keepWarm(bytes) {
    this.warm = bytes;
    this.put(`${this.key}.warm`, toStored(bytes));
  }

  forget() {
    Object.assign(this, { state: new Uint8Array(), warm: new Uint8Array(), lines: [] });
    for (const part of ["link", "warm"]) this.storage.removeItem(`${this.key}.${part}`);
  }

  /** Returns a part that the page itself has kept, or null. */
  read(part) {
    try {
      return JSON.parse(this.storage.getItem(`${this.key}.${part}`));
    } catch {
      return null;
    }
  }

  write(part, value) {
    this.put(`${this.key}.${part}`, JSON.stringify(value));
  }

  /** Stores a text. The session goes on if the storage is full; only a reload would lose it. */
  put(key, text) {
    try {
      this.storage.setItem(key, text);
    } catch {
      this.storage.removeItem(`${this.key}.warm`);
    }
  }
}

/** Takes a lock until the page ends. Returns false if another page holds it: not the one before a reload,
    which lets go at once. */
async function isUnused(name) {
  // Without TLS browsers have locks on the own machine only.
  if (!navigator.locks) return true;
  return new Promise((resolve) => {
    const hold = () => {
      resolve(true);
      return new Promise(() => {});
    };
    navigator.locks.request(name, { signal: AbortSignal.timeout(LET_GO) }, hold).catch(() => resolve(false));
  });
}
