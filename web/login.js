/** Logging in (docs/users.md). A user's key signs the server's challenge here, and is not sent. */

import { encode, join } from "./bytes.js";
import { byId, setText } from "./elements.js";

/** What stands before the 32 bytes of a private key of Ed25519 in PKCS #8. */
const PKCS8 = fromHex("302e020100300506032b657004220420");
const KEY_LINE = /^farboard-key ([\w.@+-]+) ed25519 ([0-9a-f]{64})\s*$/im;

class Refused extends Error {}

async function begin() {
  byId("to").value = new URLSearchParams(location.search).get("to") ?? "/";
  // A second try, and the page after it, know where the person wanted to go.
  byId("with-secret").action = `/login${location.search}${location.hash}`;
  if (performance.getEntriesByType("navigation")[0]?.responseStatus === 403) showError("The secret is wrong.");
  const { secret, users } = await ask();
  byId("with-secret").hidden = !secret;
  byId("with-key").hidden = !users;
  byId("with-certificate").hidden = secret || users;
  (secret ? byId("secret") : byId("key")).focus();
  byId("with-key").addEventListener("submit", (event) => {
    event.preventDefault();
    logIn().catch((error) => showError(error instanceof Refused ? error.message : `${error}`));
  });
}

async function ask() {
  const answer = await fetch("/login/challenge", { cache: "no-store" });
  if (!answer.ok) throw new Refused(await answer.text());
  return answer.json();
}

async function logIn() {
  const file = byId("key-file").files[0];
  const line = KEY_LINE.exec(file ? await file.text() : byId("key").value);
  if (!line) throw new Refused("This is no key: choose the file that farboard keygen has written, or paste its line.");
  const [, user, seed] = line;
  const { challenge } = await ask();
  const host = location.hostname.replace(/^\[|\]$/g, "");
  const signature = await sign(seed, claim(user, host, challenge));
  const form = new URLSearchParams({ user, host, challenge, signature, to: byId("to").value });
  const answer = await fetch("/login", { method: "POST", body: form });
  if (!answer.ok) throw new Refused(await answer.text());
  location.replace(answer.url + location.hash);
}

/** Returns the bytes to sign, as in src/auth/web_login.rs. */
function claim(user, host, challenge) {
  const length = new Uint8Array(8);
  length[7] = encode(host).length;
  return join(encode("farboard web login 1\0"), fromHex(challenge), length, encode(host), encode(user));
}

async function sign(seed, bytes) {
  if (!crypto.subtle) throw new Refused("Keys can be used on pages with https and on this machine (localhost) only.");
  let key;
  try {
    key = await crypto.subtle.importKey("pkcs8", join(PKCS8, fromHex(seed)), "Ed25519", false, ["sign"]);
  } catch {
    throw new Refused("This browser cannot sign with Ed25519: a newer one can.");
  }
  const signature = new Uint8Array(await crypto.subtle.sign("Ed25519", key, bytes));
  return Array.from(signature, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function fromHex(digits) {
  return Uint8Array.from(digits.match(/../g), (pair) => parseInt(pair, 16));
}

function showError(text) {
  setText(byId("form-error"), text);
}

begin().catch((error) => showError(error.message));
