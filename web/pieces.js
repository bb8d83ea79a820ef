/** The men, drawn as SVG. Each drawing is 100 units wide and high and is placed on the page once. */

import { drawing } from "./elements.js";

/** Shapes in order: `body` is filled and outlined, `line` is a detail in the outline's colour. */
const FOOT = ["body", "M22 91 V85 C22 79 26 76 32 76 H68 C74 76 78 79 78 85 V91 Z"];
const SHAPES = {
  P: [
    ["body", "M33 76 C34 66 42 61 43 48 H57 C58 61 66 66 67 76 Z"],
    ["body", "M36 49 C36 45 39 43 42 43 H58 C61 43 64 45 64 49 Z"],
    ["body", "M50 15 A15 15 0 1 1 50 45 A15 15 0 1 1 50 15 Z"],
    FOOT,
  ],
  R: [
    ["body", "M32 76 L35 43 H65 L68 76 Z"],
    ["body", "M27 15 H38 V23 H45 V15 H55 V23 H62 V15 H73 V34 C73 40 69 43 64 43 H36 C31 43 27 40 27 34 Z"],
    ["line", "M35 43 H65"],
    FOOT,
  ],
  N: [
    [
      "body",
      "M31 76 C30 63 43 57 46 47 C40 50 36 54 32 57 C27 61 20 60 17 54 C15 50 17 47 19 44 " +
        "C25 37 27 33 29 26 L27 11 L38 19 C60 16 78 34 76 76 Z",
    ],
    ["line", "M46 47 C48 44 49 41 49 37"],
    ["line", "M54 25 C65 34 68 48 67 66"],
    ["dot", "M37 29 A3.5 3.5 0 1 1 37 36 A3.5 3.5 0 1 1 37 29 Z"],
    FOOT,
  ],
  B: [
    ["body", "M34 76 C36 70 42 68 43 60 H57 C58 68 64 70 66 76 Z"],
    ["body", "M50 8 A6 6 0 1 1 50 20 A6 6 0 1 1 50 8 Z"],
    ["body", "M50 18 C62 26 70 36 70 46 C70 54 65 59 58 60 H42 C35 59 30 54 30 46 C30 36 38 26 50 18 Z"],
    ["line", "M59 29 L48 43"],
    ["line", "M39 60 H61"],
    FOOT,
  ],
  Q: [
    [
      "body",
      "M32 76 C32 68 30 62 26 54 L12 29 L31 43 L32 20 L44 41 L50 15 L56 41 L68 20 L69 43 L88 29 L74 54 " +
        "C70 62 68 68 68 76 Z",
    ],
    ["line", "M30 62 C42 58 58 58 70 62"],
    ["body", "M12 22 A5.5 5.5 0 1 1 12 33 A5.5 5.5 0 1 1 12 22 Z"],
    ["body", "M32 12 A5.5 5.5 0 1 1 32 23 A5.5 5.5 0 1 1 32 12 Z"],
    ["body", "M50 7 A5.5 5.5 0 1 1 50 18 A5.5 5.5 0 1 1 50 7 Z"],
    ["body", "M68 12 A5.5 5.5 0 1 1 68 23 A5.5 5.5 0 1 1 68 12 Z"],
    ["body", "M88 22 A5.5 5.5 0 1 1 88 33 A5.5 5.5 0 1 1 88 22 Z"],
    FOOT,
  ],
  K: [
    ["body", "M46 6 H54 V12 H60 V20 H54 V30 H46 V20 H40 V12 H46 Z"],
    [
      "body",
      "M32 76 C32 70 29 65 23 58 C14 47 18 32 31 31 C40 30 46 35 50 43 C54 35 60 30 69 31 " +
        "C82 32 86 47 77 58 C71 65 68 70 68 76 Z",
    ],
    ["body", "M50 24 C56 29 58 34 56 40 L50 50 L44 40 C42 34 44 29 50 24 Z"],
    ["line", "M31 63 C43 59 57 59 69 63"],
    FOOT,
  ],
};
const DISC = [
  ["body", "M50 10 A40 40 0 1 1 50 90 A40 40 0 1 1 50 10 Z"],
  ["line", "M50 19 A31 31 0 1 1 50 81 A31 31 0 1 1 50 19 Z"],
];
const CHECKERS = {
  m: [...DISC, ["line", "M50 31 A19 19 0 1 1 50 69 A19 19 0 1 1 50 31 Z"]],
  k: [...DISC, ["crown", "M33 64 L29 38 L41 48 L50 33 L59 48 L71 38 L67 64 Z"]],
};

const NAMES = { P: "pawn", N: "knight", B: "bishop", R: "rook", Q: "queen", K: "king", M: "man" };

/** Returns the colour of a man by the case of its letter. */
export function colourOf(letter) {
  return letter === letter.toUpperCase() ? "white" : "black";
}

/** Returns the name of a kind of man without its colour: "knight". */
export function kindName(letter) {
  return NAMES[letter.toUpperCase()] ?? letter;
}

/** Returns the name of a man: "white knight". */
export function pieceName(letter) {
  return `${colourOf(letter)} ${kindName(letter)}`;
}

/** Returns the picture of a man. `game` is "chess" or "checkers". */
export function pieceImage(letter, game = "chess") {
  return drawing(
    "svg",
    { class: "piece", viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false" },
    pieceUse(letter, game),
  );
}

/** Returns a reference to the drawing of a man, for use inside a larger drawing. */
export function pieceUse(letter, game = "chess") {
  placeDrawings();
  return drawing("use", { href: `#${symbolId(letter, game)}`, width: 100, height: 100 });
}

function symbolId(letter, game) {
  return `${game}-${colourOf(letter)}-${letter.toUpperCase()}`;
}

/** Places the drawings on the page, the first time. */
function placeDrawings() {
  if (document.getElementById("men")) return;
  const symbols = [];
  for (const [game, shapes] of [
    ["chess", SHAPES],
    ["checkers", CHECKERS],
  ]) {
    for (const [letter, paths] of Object.entries(shapes)) {
      for (const colour of ["white", "black"]) {
        const cased = colour === "white" ? letter.toUpperCase() : letter.toLowerCase();
        const parts = paths.map(([kind, d]) => drawing("path", { class: kind, d }));
        const symbol = { id: symbolId(cased, game), viewBox: "0 0 100 100", class: `man ${colour}` };
        symbols.push(drawing("symbol", symbol, drawing("g", { class: `man ${colour}` }, ...parts)));
      }
    }
  }
  document.body.append(drawing("svg", { id: "men", class: "drawings", "aria-hidden": "true" }, ...symbols));
}
