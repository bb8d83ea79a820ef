/** The wall: all games and analyses that may be seen. Only what is on the screen is sent and drawn. */

import { byId, element, setText } from "./elements.js";
import { Feed } from "./feed.js";
import { mine } from "./mine.js";
import { showConnection } from "./table.js";
import { Tile } from "./tile.js";
import { plural } from "./words.js";

class Wall {
  constructor() {
    this.list = byId("wall");
    this.tiles = new Map();
    this.onScreen = new Set();
    this.variants = new Set();
    this.feed = new Feed(() => ({ watch: "wall", ids: [...this.onScreen] }), this);
    this.sight = new IntersectionObserver((entries) => this.see(entries), { rootMargin: "50% 0px" });
    for (const filter of ["kind", "variant"]) byId(filter).addEventListener("change", () => this.sift());
    setInterval(() => this.tick(), 1000);
    this.feed.connect();
  }

  wall({ whole, server, changed, gone }) {
    if (whole) for (const id of [...this.tiles.keys()]) if (!changed.some((entry) => entry.id === id)) this.remove(id);
    for (const id of gone) this.remove(id);
    for (const picture of changed) this.show(picture);
    const { games, analyses, searching, waiting, cores } = server;
    const parts = [
      plural(games, "game"),
      analyses === 1 ? "1 analysis" : `${analyses} analyses`,
      `${searching} of ${plural(cores, "core")} busy`,
      waiting ? `${waiting} waiting` : "",
    ];
    setText(byId("load"), parts.filter(Boolean).join(" · "));
    this.countShown();
  }

  show(picture) {
    let tile = this.tiles.get(picture.id);
    if (!tile) {
      tile = new Tile(picture.id);
      this.tiles.set(picture.id, tile);
      this.list.append(tile.row);
      this.sight.observe(tile.row);
    }
    tile.show(picture);
    tile.row.hidden = !this.passes(tile.picture);
    if (!this.variants.has(picture.variant)) {
      this.variants.add(picture.variant);
      byId("variant").append(element("option", { value: picture.variant }, picture.title));
    }
  }

  remove(id) {
    const tile = this.tiles.get(id);
    if (!tile) return;
    this.sight.unobserve(tile.row);
    tile.row.remove();
    this.tiles.delete(id);
    this.onScreen.delete(id);
  }

  see(entries) {
    for (const { target, isIntersecting } of entries) {
      const id = Number(target.dataset.id);
      if (isIntersecting) this.onScreen.add(id);
      else this.onScreen.delete(id);
    }
    this.feed.ask();
  }

  passes({ id, kind, variant }) {
    const wanted = byId("kind").value;
    const isOfKind = wanted === "mine" ? mine().has(id) : !wanted || wanted === kind;
    return isOfKind && [variant, ""].includes(byId("variant").value);
  }

  sift() {
    for (const { row, picture } of this.tiles.values()) row.hidden = !this.passes(picture);
    this.countShown();
  }

  /** Says why the wall is empty. */
  countShown() {
    byId("empty").hidden = this.tiles.size > 0;
    byId("none").hidden = this.tiles.size === 0 || [...this.tiles.values()].some(({ row }) => !row.hidden);
  }

  tick() {
    for (const id of this.onScreen) this.tiles.get(id)?.tick();
  }

  forbidden() {
    setText(byId("empty").firstElementChild, "Games cannot be watched on this server.");
    byId("empty").hidden = false;
  }

  connection(kind, reason) {
    showConnection(kind, `${reason}.`, () => this.feed.retryNow());
    // Another server may have other games behind the same numbers.
    if (kind === "open") for (const id of [...this.tiles.keys()]) this.remove(id);
  }
}

new Wall();
