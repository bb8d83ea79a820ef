/** Bytes: joining, edits of a text, and a form that session storage can keep. */

const encoder = new TextEncoder();
const strict = new TextDecoder("utf-8", { fatal: true });

export function encode(text) {
  return encoder.encode(text);
}

export function decode(bytes) {
  return strict.decode(bytes);
}

export function join(...parts) {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Applies edits of the link, `KEEP DELETE INSERT` on a line each and followed by the inserted bytes.
    Throws an error if they were not made for this text. */
export function applyEdits(text, edits) {
  const made = [];
  let kept = 0;
  let at = 0;
  while (at < edits.length) {
    const end = edits.indexOf(10, at);
    if (end < 0) throw new Error("edits of the state are cut off");
    const numbers = decode(edits.subarray(at, end)).split(" ").map(readCount);
    if (numbers.length !== 3) throw new Error("edits of the state are malformed");
    const [keep, remove, insert] = numbers;
    at = end + 1;
    if (kept + keep + remove > text.length || at + insert > edits.length) throw new Error("edits do not fit the state");
    made.push(text.subarray(kept, kept + keep), edits.subarray(at, at + insert));
    kept += keep + remove;
    at += insert;
  }
  return join(...made, text.subarray(kept));
}

/** Reads a number of bytes or milliseconds. */
export function readCount(word) {
  if (!/^\d{1,16}$/.test(word ?? ""))
    throw new Error(`the server sent ${JSON.stringify(word ?? "")} instead of a number`);
  return Number(word);
}

/** Returns bytes as a text with one character each. */
export function toStored(bytes) {
  let stored = "";
  for (let at = 0; at < bytes.length; at += 8192) stored += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return stored;
}

export function fromStored(stored) {
  return Uint8Array.from(stored ?? "", (character) => character.charCodeAt(0));
}
