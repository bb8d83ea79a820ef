/** The log of what happens, read aloud by screen readers and shown to all. */

import { element } from "./elements.js";

const MOST = 30;

export class Announcer {
  constructor(host) {
    this.host = host;
    host.setAttribute("role", "log");
    host.setAttribute("aria-label", "Events");
    host.classList.add("events");
    host.tabIndex = 0;
  }

  say(text, kind = "") {
    this.host.append(element("p", { class: kind }, text));
    while (this.host.children.length > MOST) this.host.firstChild.remove();
    this.host.scrollTop = this.host.scrollHeight;
  }
}
