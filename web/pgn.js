/** The tree of an analysis as PGN, with its variations and evaluations. */

import { numbered } from "./lines.js";

const SIGNS = { inaccuracy: "$6", mistake: "$2", blunder: "$4" };

/** Returns the PGN of a tree. `tags` are further tags by name. */
export function pgnOf(tree, tags) {
  const lines = Object.entries(tags).map(([name, value]) => `[${name} "${String(value).replace(/["\\]/g, "\\$&")}"]`);
  const words = [];
  write(tree.root, tree.offset, words);
  words.push(tags.Result ?? "*");
  return `${lines.join("\n")}\n\n${wrapped(words)}\n`;
}

/** Returns the tags of the first game in PGN by name, without unknown players. */
export function tagsOf(text) {
  const [head] = text.match(/^(?:\s*\[[^\n]*)*/);
  const tags = [...head.matchAll(/^\[(\w+) "((?:[^"\\\n]|\\.)*)"\]/gm)].slice(0, 40);
  const named = tags.map(([, name, value]) => [name, value.replace(/\\(.)/g, "$1")]);
  return Object.fromEntries(named.filter(([, value]) => value !== "?"));
}

function write(from, offset, words) {
  for (let at = from, isFirst = true; at.children.length > 0; at = at.children[0]) {
    const [next, ...others] = at.children;
    writeMove(next, offset, isFirst, words);
    isFirst = others.length > 0 || Boolean(next.score);
    for (const other of others) {
      const inner = [];
      writeMove(other, offset, true, inner);
      write(other, offset, inner);
      inner[0] = `(${inner[0]}`;
      inner[inner.length - 1] += ")";
      words.push(...inner);
    }
  }
}

function writeMove(node, offset, isFirst, words) {
  words.push(
    ...numbered(node.san, offset + node.ply - 1, isFirst)
      .replace("…", "...")
      .split(" "),
  );
  if (node.mark) words.push(SIGNS[node.mark]);
  if (node.score && node.score.mate !== 0) words.push(`{[%eval ${scoreOf(node.score)}]}`);
}

function scoreOf(score) {
  return "mate" in score ? `#${score.mate}` : (score.cp / 100).toFixed(2);
}

/** Joins words to lines of at most 80 characters. */
function wrapped(words) {
  let [text, length] = ["", 0];
  for (const word of words) {
    const breaks = length + word.length + 1 > 80;
    text += length === 0 ? word : breaks ? `\n${word}` : ` ${word}`;
    length = breaks || length === 0 ? word.length : length + word.length + 1;
  }
  return text;
}
