/** Games as text: pasting, copying and saving them. */

import { element } from "./elements.js";

/** Opens a dialog for a PGN or FEN; `load(text)` gets what was pasted. */
export function askForGame(load) {
  const text = element("textarea", {
    rows: 12,
    spellcheck: "false",
    "aria-label": "PGN or FEN",
    placeholder: "Paste a PGN or a FEN here",
  });
  const file = element("input", { type: "file", accept: ".pgn,.pdn,.fen,.txt", "aria-label": "Open a file" });
  file.addEventListener("change", async () => {
    if (file.files[0]) text.value = await file.files[0].text();
  });
  const dialog = openDialog(
    "Open a game or position",
    [text, file],
    [
      [
        "Open",
        () => {
          if (text.value.trim()) load(text.value);
        },
      ],
      ["Cancel", () => {}],
    ],
  );
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) dialog.querySelector("button.primary").click();
  });
  text.focus();
}

/** Returns the link with which others can watch a session, and with its key move in it. */
export function linkOf(id, key = "") {
  return new URL(`/game/${id}${key && `#${key}`}`, location.href).href;
}

/** Shows texts to copy or save: `{fen, pgn, name}`, and the link of the session `id` if it has one. */
export function offerGame({ fen, pgn, name, id, say }) {
  const field = element("input", { type: "text", readonly: true, "aria-label": "FEN", value: fen });
  const kind = name.endsWith(".pdn") ? "PDN" : "PGN";
  const text = element("textarea", { rows: 12, readonly: true, spellcheck: "false", "aria-label": kind }, pgn);
  const copy = async (what, title) => {
    await copyText(what);
    say(`${title} copied.`);
  };
  openDialog(
    "Copy or save",
    [field, text],
    [
      [`Copy ${kind}`, () => copy(pgn, kind)],
      ["Copy FEN", () => copy(fen, "FEN")],
      ...(id ? [["Copy link", () => copy(linkOf(id), "Link for others to watch")]] : []),
      [`Save ${kind}`, () => save(pgn, name)],
      ["Close", () => {}],
    ],
  );
}

/** Opens a dialog. `answers` are its buttons, each a label and what it does; the first is the usual one. */
export function openDialog(title, content, answers) {
  const buttons = answers.map(([label, act], index) =>
    element(
      "button",
      {
        type: "button",
        class: index === 0 ? "primary" : "",
        onclick: () => {
          act();
          dialog.close();
        },
      },
      label,
    ),
  );
  const dialog = element(
    "dialog",
    { class: "wide-dialog", "aria-label": title },
    element(
      "form",
      { class: "stack", method: "dialog" },
      element("h2", {}, title),
      ...content,
      element("div", { class: "actions" }, ...buttons),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Copies a text, also where the page was not loaded over TLS and has no clipboard of its own. */
export async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = element("textarea", { class: "unseen" });
  area.value = text;
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

function save(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/x-chess-pgn" }));
  element("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}
