/** A question with a few answers, such as the piece of a promotion. */

import { element } from "./elements.js";

/** Asks, and returns the chosen answer's `value`, or null. Answers have a `label`, and may have an `image`. */
export function choose(question, answers) {
  return new Promise((resolve) => {
    const dialog = element("dialog", { class: "choice", "aria-label": question });
    let chosen = null;
    const buttons = answers.map(({ label, value, image, primary }) => {
      const pick = () => {
        chosen = value;
        dialog.close();
      };
      const look = { type: "button", class: image ? "picture" : primary ? "primary" : "plain", onclick: pick };
      return image
        ? element("button", { ...look, "aria-label": label, title: label }, image)
        : element("button", look, label);
    });
    dialog.append(element("p", {}, question), element("div", { class: "answers" }, ...buttons));
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    dialog.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
      const at = buttons.indexOf(document.activeElement);
      if (step && at >= 0) buttons[(at + step + buttons.length) % buttons.length].focus();
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(chosen);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
