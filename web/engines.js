/** Other engines of the server on the position of an analysis, each in a session of its own. */

import { byId, element, setText } from "./elements.js";
import { Lines } from "./lines.js";
import { Session } from "./session.js";
import { sentence } from "./words.js";

/** The engines that can be chosen, and the chosen ones. */
export class Engines {
  /** `follow(line, count)` plays the first moves of a line; `keep(names)` remembers which are chosen. */
  constructor(host, { follow, keep }) {
    Object.assign(this, { host, follow, keep });
    this.chosen = new Map();
    this.wanted = null;
    this.offered = null;
  }

  /** Offers the profiles of the server; `names` are those that were chosen before. */
  offer(profiles, names) {
    // Boxes that stay keep the focus, and a click that has begun.
    const offered = JSON.stringify(profiles);
    if (offered === this.offered) return;
    this.offered = offered;
    for (const name of [...this.chosen.keys()]) if (!profiles.some((profile) => profile.name === name)) this.close(name);
    const choice = ({ name, engine }) => {
      const box = element("input", { type: "checkbox", checked: names.includes(name) });
      box.addEventListener("change", () => (box.checked ? this.open(name, engine) : this.close(name)));
      if (box.checked) this.open(name, engine);
      return element("label", { class: "check" }, box, element("span", {}, titleOf(name, engine)));
    };
    byId("engines").hidden = profiles.length === 0;
    byId("engine-names").replaceChildren(...profiles.map(choice));
    byId("engines").open ||= this.chosen.size > 0;
  }

  open(name, engine) {
    if (this.chosen.has(name)) return;
    this.chosen.set(name, new OtherEngine(name, engine, this.host, this.follow));
    this.chosen.get(name).analyse(this.wanted);
    this.keep([...this.chosen.keys()]);
  }

  close(name) {
    this.chosen.get(name)?.close();
    this.chosen.delete(name);
    this.keep([...this.chosen.keys()]);
  }

  /** Has all of them analyse what the page shows: `request` has the members of an `analyse` message, the rest
      says how to write its lines. */
  analyse(wanted) {
    this.wanted = wanted;
    for (const engine of this.chosen.values()) engine.analyse(wanted);
  }
}

/** One of them: the listener of its session. */
class OtherEngine {
  constructor(name, engine, host, follow) {
    this.name = name;
    const title = titleOf(name, engine);
    this.remark = element("p", { class: "quiet", role: "status" });
    this.row = element("section", { class: "other-engine", "aria-label": title }, element("h3", {}, title), this.remark);
    this.lineList = new Lines(this.row, follow);
    host.append(this.row);
    /** The last request, as it was sent, and whether the server has set up its position. */
    this.asked = null;
    this.isReady = this.isSetUp = false;
    this.session = new Session(`analysis.${name}`, this);
    this.session.start();
  }

  analyse(wanted) {
    if (!wanted) return;
    const { request, ...shown } = wanted;
    this.shown = shown;
    if (JSON.stringify(request) === JSON.stringify(this.asked)) return;
    this.asked = request;
    this.lineList.reserve(request.lines);
    if (this.isReady) this.ask();
  }

  ask() {
    this.isSetUp = false;
    this.lineList.show(null);
    // Otherwise the server's own engine would answer under the name of this one.
    const isCheckers = this.shown.game === "checkers";
    setText(this.remark, isCheckers ? "Does not play checkers." : "");
    this.session.send(isCheckers ? { type: "stop" } : { ...this.asked, type: "analyse", profile: this.name });
  }

  close() {
    this.session.link.end();
    this.row.remove();
  }

  // Messages of the server.

  hello() {
    // The next game is that of the session, which is a new one if no server could use its state.
    this.isReady = false;
  }

  game({ mode, variant, start, moves }) {
    const { asked, isReady } = this;
    this.isReady = true;
    if (!asked) return;
    const line = moves.map(({ uci }) => uci).join();
    this.isSetUp =
      mode === "analysis" && variant === asked.variant && start === asked.fen && line === asked.moves.join();
    if (this.isSetUp) setText(this.remark, "");
    else if (!isReady) this.ask();
  }

  lines(message) {
    if (this.isSetUp && this.asked.running) this.lineList.show(message, this.shown);
  }

  note({ text }) {
    setText(this.remark, text);
  }

  error({ about, text }) {
    // What does not run need not be stopped.
    if (about !== "stop") setText(this.remark, sentence(text));
  }

  connection(kind, reason) {
    // A session that is over has said why.
    if (kind === "over") this.isReady = this.isSetUp = false;
    else setText(this.remark, kind === "lost" ? `${reason}. Connecting again…` : "");
  }
}

function titleOf(name, engine) {
  return engine.toLowerCase().startsWith(name.toLowerCase()) ? engine : `${engine} (${name})`;
}
