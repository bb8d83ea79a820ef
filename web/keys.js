/** Single keys for what is done often, with a list of them that also switches them off. */

import { element } from "./elements.js";

const STORED = "farboard.keys";

export class Keys {
  /** `keys` maps a key to its name and action: `{f: ["turn the board", () => …]}`. */
  constructor(keys) {
    this.keys = { ...keys, "?": ["show this list", () => this.list()] };
    this.areOn = stored() !== "off";
    document.addEventListener("keydown", (event) => this.press(event));
    const button = element("button", { type: "button", class: "list-keys", onclick: () => this.list() }, "Keys");
    document.querySelector("header.site").append(button);
  }

  press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const isTyping = event.target.closest?.("input, textarea, select, dialog, [contenteditable]");
    const bound = Object.hasOwn(this.keys, event.key) ? this.keys[event.key] : null;
    const isReady = !document.querySelector("main").inert;
    if (!bound || isTyping || !isReady || !(this.areOn || event.key.length > 1)) return;
    event.preventDefault();
    bound[1]();
  }

  list() {
    const box = element("input", { type: "checkbox", checked: this.areOn });
    box.addEventListener("change", () => {
      this.areOn = box.checked;
      localStorage.setItem(STORED, box.checked ? "on" : "off");
    });
    const rows = Object.entries(this.keys).flatMap(([key, [name]]) => [
      element("dt", {}, element("kbd", {}, KEY_NAMES[key] ?? key)),
      element("dd", {}, name),
    ]);
    const dialog = element(
      "dialog",
      { class: "keys", "aria-label": "Keys" },
      element("h2", {}, "Keys"),
      element("dl", {}, ...rows),
      element(
        "p",
        {},
        "On the board, the arrow keys move from square to square, Enter selects a man and its target, and Escape lets go.",
      ),
      element("label", { class: "check" }, box, "Single letters work as keys"),
      element(
        "div",
        { class: "actions" },
        element("button", { type: "button", class: "primary", onclick: () => dialog.close() }, "Close"),
      ),
    );
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
}

/** Returns what is stored, if the browser lets pages store anything. */
function stored() {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}

const KEY_NAMES = { ArrowLeft: "←", ArrowRight: "→", Home: "Home", End: "End" };
