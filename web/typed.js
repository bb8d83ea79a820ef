/** Moves and questions typed as text. */

import { gameOfFen, squareOfNumber } from "./fen.js";
import { squareWords } from "./words.js";

export class Typed {
  /** `commands` are functions by their word; each may return what to say. `position()` is the one on the
      board, `play(move)` gets a legal move, `pass(text)` what is none: the server says why. While `isReady()`
      is false, moves wait for `resume()`. */
  constructor(form, { commands, position, play, pass, announce, isReady = () => true }) {
    this.input = form.querySelector("input");
    Object.assign(this, { position, play, pass, announce, isReady, waiting: [] });
    this.commands = {
      ...commands,
      help: () => {
        const moves = this.isCheckers() ? "11-15 or 15x22" : "Nf3, e4, e2e4 or P@e5";
        return `Type a move, such as ${moves}; the name of a square; or ${Object.keys(commands).join(", ")}.`;
      },
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.input.value.trim();
      this.input.value = "";
      if (text) this.enter(text);
    });
  }

  isCheckers() {
    const position = this.position();
    return Boolean(position) && gameOfFen(position.fen) === "checkers";
  }

  enter(text) {
    const word = text.toLowerCase();
    if (Object.hasOwn(this.commands, word)) {
      const said = this.commands[word]();
      if (said) this.announce(said);
      return;
    }
    this.waiting.push(text);
    this.resume();
  }

  /** Takes the moves that were typed before the position came in which they are to be played. */
  resume() {
    while (this.waiting.length > 0 && this.isReady()) this.enterMove(this.waiting.shift());
  }

  /** Drops these moves, as the person has gone to another position. */
  forget() {
    for (const text of this.waiting.splice(0)) this.announce(`${text} was not played.`);
  }

  enterMove(text) {
    const word = text.toLowerCase();
    const position = this.position();
    const legal = position?.legal ?? [];
    const isCheckers = this.isCheckers();
    const square = squareOf(word, isCheckers);
    const written = isCheckers ? text : text.replace(/^\d+\.+\s*/, "");
    const move = matching(legal, written, isCheckers);
    if (move) this.play(move);
    else if (position && square) this.announce(`${word}: ${squareWords(position, square)}`);
    else this.pass(written);
  }
}

/** Returns the square that a word names: "e4", in checkers "11". */
function squareOf(word, isCheckers) {
  if (/^[a-h][1-8]$/.test(word)) return word;
  return isCheckers && /^\d{1,2}$/.test(word) ? squareOfNumber(Number(word)) : null;
}

/** Returns the legal move that a text means, by coordinates or notation, if there is exactly one. */
function matching(legal, text, isCheckers) {
  const plain = (written) =>
    written
      .replace(/[+#!?=x:-]|e\.p\./g, "")
      .replace(/0/g, "O")
      .trim();
  const tests = [
    (move) => move.uci === text,
    (move) => move.uci.toLowerCase() === text.toLowerCase(),
    (move) => move.san === text,
    (move) => !isCheckers && plain(move.san) === plain(text),
    (move) => !isCheckers && plain(move.san).toLowerCase() === plain(text).toLowerCase(),
    (move) => isCheckers && numbers(move.uci) === numbers(text),
  ];
  for (const test of tests) {
    const found = legal.filter(test);
    if (found.length === 1) return found[0];
  }
  return null;
}

/** Returns the first and last number of a checkers move. */
function numbers(text) {
  const found = text.match(/\d+/g) ?? [];
  return `${found[0]}-${found[found.length - 1]}`;
}
