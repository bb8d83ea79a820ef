/** An analysis that others watch or move in. */

import { copyText, linkOf, openDialog } from "./exchange.js";
import { element } from "./elements.js";

export class Sharing {
  constructor(session, say) {
    Object.assign(this, { session, say });
  }

  /** The key that lets guests move, as long as they may. */
  get key() {
    return this.session.memory.read("guests");
  }

  set key(key) {
    this.session.memory.write("guests", key);
    this.session.send({ type: "share", key });
  }

  /** Shows the links to the session `id`, which is null if it may not be watched. */
  offer(id) {
    if (!id) return this.say("Sessions of this server cannot be watched.", "error");
    this.key = this.key ?? newKey();
    const links = { "Link to watch": linkOf(id), "Link to watch and move": linkOf(id, this.key) };
    const fields = Object.entries(links).map(([title, value]) =>
      element("label", {}, title, element("input", { type: "text", readonly: true, value })),
    );
    openDialog("Share this analysis", fields, [
      ...Object.keys(links).map((title) => [`Copy ${title.toLowerCase()}`, () => this.copy(links, title)]),
      ["Stop guests moving", () => this.stop()],
      ["Close", () => {}],
    ]);
  }

  async copy(links, title) {
    await copyText(links[title]);
    this.say(`${title} copied.`);
  }

  stop() {
    this.key = null;
    this.say("Only you may move now.");
  }

  /** Tells a server that has taken over the session who may move: it does not know the key. */
  renew() {
    const { key } = this;
    if (key) this.key = key;
  }
}

/** Returns a key that nobody can guess. */
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
