/** The sessions of this browser's tabs, which all of its tabs know. */

const PREFIX = "farboard.mine.";
const KEY = `${PREFIX}${crypto.getRandomValues(new Uint32Array(1))[0]}`;

/** Notes the number of a session of this tab, or null if others cannot see it. */
export function noteMine(name, id) {
  try {
    if (id === null) localStorage.removeItem(`${KEY}.${name}`);
    else localStorage.setItem(`${KEY}.${name}`, String(id));
  } catch {
    // Without storage, or with a full one, only the wall's filter lacks this session.
  }
}

/** Returns the numbers of all sessions of this browser. */
export function mine() {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  return new Set(keys.map((key) => Number(localStorage.getItem(key))));
}

addEventListener("pagehide", () => {
  for (const key of Object.keys(localStorage)) if (key.startsWith(`${KEY}.`)) localStorage.removeItem(key);
});
