/** Chess in words: for screen readers, and for people who do not read symbols. */

import { gameOfFen, squareName } from "./fen.js";
import { kindName, pieceName } from "./pieces.js";

/** Returns a score as people write it: "+0.35", "−1.20", "#5". */
export function scoreText(score) {
  if (!score) return "–";
  if (score.mate === 0) return score.won === "black" ? "0–1" : "1–0";
  if ("mate" in score) return score.mate < 0 ? `−#${-score.mate}` : `#${score.mate}`;
  const pawns = (Math.abs(score.cp) / 100).toFixed(2);
  return score.cp < 0 ? `−${pawns}` : `+${pawns}`;
}

/** Returns a score in words: "White is better by 1.2 pawns". */
export function scoreWords(score, game = "chess") {
  if (!score) return "no evaluation yet";
  if ("mate" in score) {
    const winner = score.mate < 0 ? "Black" : "White";
    const count = Math.abs(score.mate);
    if (score.mate === 0) return `${score.won === "black" ? "Black" : "White"} has won`;
    return game === "checkers"
      ? `${winner} wins in ${plural(count, "move")}`
      : `${winner} mates in ${plural(count, "move")}`;
  }
  const amount = Math.abs(score.cp);
  if (amount < 15) return "the position is level";
  const winner = score.cp < 0 ? "Black" : "White";
  const degree = amount < 60 ? "slightly better" : amount < 150 ? "better" : amount < 400 ? "much better" : "winning";
  return `${winner} is ${degree}, by ${(amount / 100).toFixed(1)} ${game === "checkers" ? "men" : "pawns"}`;
}

/** Returns White's expected share of the points, from 0 to 1. */
export function expectation(score) {
  if (!score) return 0.5;
  if ("mate" in score) return score.mate < 0 || score.won === "black" ? 0 : 1;
  return 1 / (1 + Math.exp(-score.cp / 270));
}

/** Returns a move in words: "knight takes f3, check". */
export function moveWords(san) {
  if (/^\d/.test(san)) return san.replaceAll("x", " takes ").replaceAll("-", " to ");
  if (/^O-O-O/.test(san)) return `castles long${ending(san)}`;
  if (/^O-O/.test(san)) return `castles short${ending(san)}`;
  const [, drop, kind, from, takes, to, promotion] =
    san.match(/^(?:([PNBRQK]?)@)?([NBRQK])?([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=?([NBRQK]))?/) ?? [];
  if (!to) return san;
  if (drop !== undefined) return `${kindName(drop || "P")} dropped on ${to}${ending(san)}`;
  const man = kind ? kindName(kind) : takes ? "pawn" : "";
  const became = promotion ? `, becomes a ${kindName(promotion)}` : "";
  return [man, from, takes && "takes", to].filter(Boolean).join(" ") + became + ending(san);
}

function ending(san) {
  return san.endsWith("#") ? ", checkmate" : san.includes("+") ? ", check" : "";
}

/** Returns engine lines in words, with their first moves. */
export function linesWords(lines, game) {
  const words = lines.map(({ score, san }, index) => {
    const moves = san.slice(0, 4).map(moveWords).join(", ");
    return `Line ${index + 1}: ${scoreWords(score, game)}; ${moves}.`;
  });
  return words.join(" ") || "There are no lines yet.";
}

/** Returns a time in words: "2 minutes 5 seconds". */
export function timeWords(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts = [
    [Math.floor(seconds / 3600), "hour"],
    [Math.floor(seconds / 60) % 60, "minute"],
    [seconds % 60, "second"],
  ];
  const said = parts.filter(([count]) => count > 0).map(([count, unit]) => plural(count, unit));
  return said.join(" ") || "0 seconds";
}

/** Returns the men of a position in words, White's first. */
export function positionWords(position) {
  const game = gameOfFen(position.fen);
  const lists = { white: [], black: [] };
  for (const letter of "KQRBNPMkqrbnpm") {
    const squares = Object.keys(position.pieces)
      .filter((square) => position.pieces[square] === letter)
      .sort();
    if (squares.length === 0) continue;
    const side = letter === letter.toUpperCase() ? "white" : "black";
    const names = squares.map((square) => squareName(square, game));
    lists[side].push(`${names.length > 1 ? pluralOf(kindName(letter)) : kindName(letter)} ${names.join(" ")}`);
  }
  const hands = Object.entries(position.hands ?? {}).map(([side, hand]) => {
    const men = Object.entries(hand).map(([letter, count]) => plural(count, kindName(letter)));
    return men.length ? ` ${capital(side)} has in hand: ${men.join(", ")}.` : "";
  });
  return `White: ${lists.white.join(", ")}. Black: ${lists.black.join(", ")}.${hands.join("")} ${capital(position.turn)} to move.`;
}

/** Returns a result in words: "Checkmate. White wins, 1–0." */
export function resultWords(result) {
  const winner = { "1-0": "White wins", "0-1": "Black wins", "1/2-1/2": "Draw" }[result.score] ?? "Unfinished";
  const score = result.score === "1/2-1/2" ? "½–½" : result.score.replace("-", "–");
  return `${winner}, ${score}: ${result.reason}`;
}

/** Returns what is on a square: "white knight", "empty". */
export function squareWords(position, square) {
  const letter = position.pieces[square];
  return letter ? pieceName(letter) : "empty";
}

/** Returns how many checks a side of three-check has to give. */
export function checksWords(left) {
  return `${plural(left, "check")} to win`;
}

export function plural(count, noun) {
  return count === 1 ? `1 ${noun}` : `${count} ${pluralOf(noun)}`;
}

function pluralOf(noun) {
  if (noun.endsWith("s")) return noun;
  return noun === "man" ? "men" : `${noun}s`;
}

export function capital(text) {
  return text ? text[0].toUpperCase() + text.slice(1) : text;
}

/** Returns a text as a sentence: messages of the server are clauses. One that begins with a move keeps it as it was
    typed, since Bxc3 is another move than bxc3. */
export function sentence(text) {
  const whole = /[.!?]$/.test(text) ? text : `${text}.`;
  return /^\S*\d\S*:/.test(whole) ? whole : capital(whole);
}

/** Returns what happens in a session that is watched. */
export function activityWords({ kind, activity, result }) {
  return kind === "game" && activity === "idle" ? (result ? "" : "waiting for the player") : (activity ?? "");
}

/** Returns a large number shortened: "1.2 M". */
export function shortNumber(number) {
  if (number >= 1e9) return `${(number / 1e9).toFixed(1)} G`;
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  return number >= 1e3 ? `${Math.round(number / 1e3)} k` : String(Math.round(number ?? 0));
}
