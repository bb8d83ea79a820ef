/** The frames of a server on the link (docs/shim.md): a line, then as many bytes as it says. */

import { decode, join, readCount } from "./bytes.js";

const MOST_HEADER = 128;

/** For each frame: the words of its line after the first, where `bytes` lengths follow in order. */
const FORMS = {
  frame: ["accounted", "output:length", "edits:length", "due"],
  end: ["accounted", "output:length"],
  warm: ["warm:length"],
  move: [],
  leave: [],
  fault: ["reason:length"],
  unfit: ["reason:length"],
};

export class FrameReader {
  constructor() {
    this.held = new Uint8Array();
  }

  push(bytes) {
    this.held = this.held.length ? join(this.held, bytes) : bytes;
  }

  /** Returns the next line without its ending if it is complete, else null. */
  line() {
    const end = this.held.indexOf(10);
    if (end < 0) return null;
    const line = decode(this.held.subarray(0, end));
    this.held = this.held.subarray(end + 1);
    return line.replace(/\r$/, "");
  }

  /** Returns the next frame if it is complete, else null. Throws an error if the bytes are none. */
  frame() {
    const end = this.held.indexOf(10);
    if (end < 0 && this.held.length <= MOST_HEADER) return null;
    if (end < 0 || end > MOST_HEADER) throw new Error("the server sent an endless line");
    const [kind, ...words] = decode(this.held.subarray(0, end)).split(" ");
    const form = Object.hasOwn(FORMS, kind) ? FORMS[kind] : null;
    if (!form || form.length !== words.length) throw new Error("the server sent an unknown frame");
    const frame = { kind };
    let at = end + 1;
    for (const [index, name] of form.entries()) {
      const [key, isLength] = name.split(":");
      if (!isLength) {
        frame[key] = key === "due" ? words[index] === "due" : readCount(words[index]);
        continue;
      }
      const length = readCount(words[index]);
      if (this.held.length < at + length) return null;
      frame[key] = this.held.subarray(at, at + length);
      at += length;
    }
    this.held = this.held.subarray(at);
    return frame;
  }
}
