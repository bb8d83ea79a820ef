/** Hands a game over from one page to the analysis, within the tab. */

const STORED = "farboard.handover";

/** Opens the analysis with a game: `{variant, fen, moves}`, the side at the bottom, and tags of PGN. */
export function handOver(game) {
  sessionStorage.setItem(STORED, JSON.stringify(game));
  location.assign("/analysis");
}

/** Returns the game that was handed over, once, or null. */
export function takeOver() {
  const kept = sessionStorage.getItem(STORED);
  sessionStorage.removeItem(STORED);
  return kept ? JSON.parse(kept) : null;
}
