/** The sessions of this browser's tabs, which all of its tabs know. */

const PREFIX = "farboard.mine.";
const KEY = `${PREFIX}${crypto.getRandomValues(new Uint32Array(1))[0]}`;

/** Notes the number of this tab's session, or null if it has none that others can see. */
export function noteMine(id) {
  try {
    if (id === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, String(id));
  } catch {
    // Without storage, or with a full one, only the wall's filter lacks this session.
  }
}

/** Returns the numbers of all sessions of this browser. */
export function mine() {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  return new Set(keys.map((key) => Number(localStorage.getItem(key))));
}

addEventListener("pagehide", () => localStorage.removeItem(KEY));
