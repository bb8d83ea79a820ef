/** Men in the text of a position, to show earlier positions and to set new ones up. */

/** Returns the men of a position's text by square: FEN in chess, PDN's form in checkers. */
export function piecesOf(fen, game = "chess") {
  return game === "checkers" ? checkersPieces(fen) : chessPieces(fen);
}

function chessPieces(fen) {
  const pieces = {};
  const rows = fen
    .split(/[ [\]]/)[0]
    .split("/")
    .slice(0, 8);
  rows.forEach((row, index) => {
    let file = 0;
    for (const sign of row) {
      if (/[1-8]/.test(sign)) file += Number(sign);
      else if (/[a-z]/i.test(sign) && file < 8) pieces["abcdefgh"[file++] + (8 - index)] = sign;
    }
  });
  return pieces;
}

function checkersPieces(fen) {
  const pieces = {};
  let side = "w";
  for (const part of fen.replace(/^\s*[WB]:|\.$/gi, "").split(/[:,]/)) {
    const [, letter, king, first, last] = part.trim().match(/^([WB])?(K)?(\d+)?(?:-(\d+))?$/i) ?? [];
    if (letter) side = letter.toLowerCase();
    if (!first) continue;
    const man = king ? "k" : "m";
    for (let number = Number(first); number <= Number(last ?? first); number++) {
      const square = squareOfNumber(number);
      if (square) pieces[square] = side === "w" ? man.toUpperCase() : man;
    }
  }
  return pieces;
}

/** Returns the square of a checkers number: 1 is b8, 32 is g1. */
export function squareOfNumber(number) {
  if (number < 1 || number > 32) return null;
  const row = Math.floor((number - 1) / 4);
  const file = ((number - 1) % 4) * 2 + (row % 2 === 0 ? 1 : 0);
  return "abcdefgh"[file] + (8 - row);
}

/** Returns the name by which people of a game call a square: "e4", in checkers "11". */
export function squareName(square, game) {
  if (game !== "checkers") return square;
  return isDark(square) ? String(numberOfSquare(square)) : "light square";
}

/** Returns true if a square is dark. */
export function isDark(square) {
  return ("abcdefgh".indexOf(square[0]) + Number(square[1])) % 2 === 1;
}

/** Returns the game of a position's text. */
export function gameOfFen(fen) {
  return /^[WB]:/.test(fen) ? "checkers" : "chess";
}

/** Returns the men in hand in a position's text, as positions of the server have them; null without drops. */
export function handsOf(fen) {
  const [, pocket] = fen.match(/\[([^\]]*)\]/) ?? [];
  if (pocket === undefined) return null;
  const hands = { white: {}, black: {} };
  for (const letter of pocket.replace("-", "")) {
    const man = letter.toUpperCase();
    const hand = letter === man ? hands.white : hands.black;
    hand[man] = (hand[man] ?? 0) + 1;
  }
  return hands;
}

/** Returns the checks that are left to give in a position's text, or null. */
export function checksOf(fen) {
  const [, white, black] = fen.match(/ (\d)\+(\d)(?: |$)/) ?? [];
  return white ? { white: Number(white), black: Number(black) } : null;
}

function numberOfSquare(square) {
  const row = 8 - Number(square[1]);
  return row * 4 + Math.floor("abcdefgh".indexOf(square[0]) / 2) + 1;
}

/** Returns the castling rights in a position's text as `KQkq`, also where it names the rooks' files. */
export function castlingOf(fen) {
  const pieces = chessPieces(fen);
  const kings = { K: "a", k: "a" };
  for (const [square, letter] of Object.entries(pieces)) if (letter in kings) kings[letter] = square[0];
  const usual = (letter) => {
    const isWhite = letter === letter.toUpperCase();
    const isShort = letter.toLowerCase() > kings[isWhite ? "K" : "k"];
    return isWhite ? (isShort ? "K" : "Q") : isShort ? "k" : "q";
  };
  const rights = fen.split(" ")[2] ?? "";
  return rights.replace(/[a-h]/gi, usual);
}

/** Returns the text of a position. `castling` has the letters of FEN, `hands` the men in hand in games with
    drops (`{white: "NPP", black: ""}`), `checks` the checks left in three-check. */
export function fenOf(pieces, { game = "chess", turn = "white", castling = "", hands = null, checks = null }) {
  if (game === "checkers") {
    const of = (man, king) =>
      Object.entries(pieces)
        .filter(([, letter]) => letter === man || letter === king)
        .map(([square, letter]) => (letter === king ? "K" : "") + numberOfSquare(square));
    return `${turn === "white" ? "W" : "B"}:W${of("M", "K").join(",")}:B${of("m", "k").join(",")}`;
  }
  const rows = [8, 7, 6, 5, 4, 3, 2, 1].map((rank) => {
    const row = [..."abcdefgh"].map((file) => pieces[file + rank] ?? "1").join("");
    return row.replace(/1+/g, (empty) => String(empty.length));
  });
  const pocket = hands ? `[${hands.white.toUpperCase()}${hands.black.toLowerCase()}]` : "";
  const left = checks ? `${checks.white}+${checks.black} ` : "";
  return `${rows.join("/")}${pocket} ${turn === "white" ? "w" : "b"} ${castling || "-"} - ${left}0 1`;
}

/** Returns the side that moves first after a position's text. */
export function firstSide(fen, game = "chess") {
  if (game === "checkers") return /^\s*W/i.test(fen) ? "white" : "black";
  return fen.split(" ")[1] === "b" ? "black" : "white";
}

/** Returns the squares of a move in coordinates, for marking it. */
export function squaresOf(uci, game = "chess") {
  if (!uci) return null;
  if (game === "checkers") {
    const numbers = uci.split(/[-x]/).map(Number);
    return { from: squareOfNumber(numbers[0]), to: squareOfNumber(numbers[numbers.length - 1]) };
  }
  return uci[1] === "@" ? { from: null, to: uci.slice(2, 4) } : { from: uci.slice(0, 2), to: uci.slice(2, 4) };
}
