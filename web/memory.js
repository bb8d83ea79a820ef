/** What a tab remembers of its session, so that a reload is an ordinary take-over: the last state with
    its time, the warm part, and the input that no state contains. Times are those of the wall clock, as
    they outlive the page. */

import { fromStored, toStored } from "./bytes.js";

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
