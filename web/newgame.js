/** The form for a new game. */

import { byId, element, setText } from "./elements.js";

const STORED = "farboard.new-game";

/** Ratings from which on players are called like this. */
const DEGREES = [
  [0, "beginner"],
  [900, "casual player"],
  [1300, "club player"],
  [1800, "strong club player"],
  [2200, "master"],
  [2500, "grandmaster"],
];

export class NewGame {
  /** `begin(message)` gets the `new_game` message. */
  constructor(begin) {
    this.form = byId("new-game-form");
    this.begin = begin;
    this.form.addEventListener("input", () => this.draw());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.keep();
      begin(this.message());
    });
  }

  /** Takes what the server offers. */
  offer({ variants, profiles, elo, levels }) {
    const { form } = this;
    const current = Object.fromEntries(new FormData(form));
    this.games = new Map(variants.map(({ name, game }) => [name, game]));
    this.hasEngines = (profiles ?? []).length > 0;
    form.variant.replaceChildren(...variants.map(({ name, title }) => element("option", { value: name }, title)));
    Object.assign(form.elo, { min: elo.min, max: elo.max });
    Object.assign(form.level, { min: 0, max: levels });
    const engines = [["", "Farboard"], ...(profiles ?? []).map(({ name, engine }) => [name, engine || name])];
    form.profile.replaceChildren(...engines.map(([value, name]) => element("option", { value }, name)));
    // A server that has taken over the session offers its games again.
    this.fill(this.isOffered ? current : kept());
    this.isOffered = true;
    this.draw();
  }

  /** Shows the form for another game, whose start position is the game's own. */
  open() {
    this.form.elements.fen.value = "";
    this.form.elements.variant.focus();
  }

  /** Shows why a game cannot begin. */
  fail(text) {
    setText(byId("form-error"), text);
    // Its start position may be the reason.
    if (text && this.form.elements.fen.value) this.form.querySelector("details").open = true;
  }

  draw() {
    const { form } = this;
    const kind = form.elements.strength.value;
    byId("profile-row").hidden = !this.mayChooseEngine();
    byId("elo-row").hidden = kind !== "elo";
    byId("level-row").hidden = kind !== "level";
    const isCustom = form.elements.time.value === "custom";
    byId("custom-time").hidden = !isCustom;
    // A browser checks what can be filled in.
    form.minutes.disabled = form.increment.disabled = !isCustom;
    const rating = Number(form.elo.value);
    const [, degree] = DEGREES.findLast(([least]) => rating >= least);
    setText(byId("elo-text"), `${rating}, ${degree}`);
    form.elo.setAttribute("aria-valuetext", `${rating}, ${degree}`);
    setText(byId("level-text"), `${form.level.value} of ${form.level.max}`);
  }

  message() {
    const { elements } = this.form;
    const opponents = {
      elo: { elo: Number(elements.elo.value) },
      level: { level: Number(elements.level.value) },
      full: { full: true },
    };
    return {
      type: "new_game",
      variant: elements.variant.value,
      fen: elements.fen.value.trim() || null,
      color: elements.color.value,
      clock: this.clock(),
      opponent: opponents[elements.strength.value],
      profile: (this.mayChooseEngine() && elements.profile.value) || null,
      name: elements.name.value.trim() || null,
    };
  }

  /** Returns true if other engines play the chosen game: checkers is Farboard's own. */
  mayChooseEngine() {
    return this.hasEngines && this.games?.get(this.form.elements.variant.value) === "chess";
  }

  clock() {
    const { time, minutes, increment } = this.form.elements;
    if (time.value === "none") return null;
    const [initial, added] =
      time.value === "custom"
        ? [Number(minutes.value) * 60, Number(increment.value)]
        : time.value.split("+").map(Number);
    return { initial_ms: Math.round(initial * 1000), increment_ms: Math.round(added * 1000) };
  }

  keep() {
    const values = Object.fromEntries([...new FormData(this.form)].filter(([name]) => name !== "fen"));
    localStorage.setItem(STORED, JSON.stringify(values));
  }

  fill(values) {
    for (const [name, value] of Object.entries(values)) {
      const field = this.form.elements[name];
      const isKnown = !field?.options || [...field.options].some((option) => option.value === value);
      if (field && isKnown) field.value = value;
    }
  }
}

/** Returns the fields of the last game that was begun in this browser. */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(STORED)) ?? {};
  } catch {
    // The form keeps its defaults.
    return {};
  }
}
