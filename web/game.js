/** The page on which one game is watched. */

import { Announcer } from "./announcer.js";
import { byId, setText } from "./elements.js";
import { offerGame } from "./exchange.js";
import { Feed } from "./feed.js";
import { firstSide } from "./fen.js";
import { Graph } from "./graph.js";
import { handOver } from "./handover.js";
import { Keys } from "./keys.js";
import { Lines } from "./lines.js";
import { gameOf } from "./miniboard.js";
import { MoveList } from "./movelist.js";
import { bindSteps } from "./steps.js";
import { showConnection, Table } from "./table.js";
import { Tree } from "./tree.js";
import { activityWords, capital, moveWords, positionWords, resultWords, scoreWords } from "./words.js";

/** Time in milliseconds in which the server shows a move that it has accepted. */
const PATIENCE = 3000;

class Watch {
  constructor() {
    this.id = Number(location.pathname.split("/")[2]);
    /** The key of a shared analysis: who has it may move. */
    this.key = location.hash.slice(1);
    this.announcer = new Announcer(byId("events"));
    this.say = (text, kind) => this.announcer.say(text, kind);
    this.table = new Table(byId("board"), { play: (move) => this.send([...this.path(), move.uci]), announce: this.say });
    this.moves = new MoveList(byId("moves"), (node) => this.go(node));
    this.lineList = new Lines(byId("lines"));
    this.graph = new Graph(byId("graph"), (ply) => this.go(this.tree.line()[ply]));
    this.tree = new Tree();
    this.scores = [];
    this.feed = new Feed(() => ({ watch: "game", id: this.id }), this);
    this.bind();
    this.feed.connect();
  }

  bind() {
    const steps = bindSteps({ tree: () => this.tree, go: (node) => this.go(node), turn: () => this.table.turn() });
    const score = () => capital(`${scoreWords(this.shown?.score, this.table.game)}.`);
    new Keys({
      ...steps,
      b: ["to the board", () => this.table.board.setCursor(this.table.board.cursor, true)],
      c: ["say the clocks", () => this.say(this.table.clocks.words())],
      e: ["say the evaluation", () => this.say(score())],
      p: ["say the position", () => this.shown && this.say(positionWords(this.shown))],
    });
    byId("open-copy").addEventListener("click", () => this.copy());
    byId("analyse").addEventListener("click", () => {
      if (this.shown) {
        const { variant, white, black, result } = this.shown;
        const tags = this.shown.kind === "game" ? { White: white, Black: black, Result: result?.score ?? "*" } : {};
        handOver({ variant, fen: this.tree.start, moves: this.path(), bottom: this.table.board.bottom, tags });
      }
    });
    byId("set-board").addEventListener("click", () => this.send(this.path()));
  }

  /** Returns the moves to the position that is shown. */
  path() {
    return this.tree.path().map(({ uci }) => uci);
  }

  get mayMove() {
    return Boolean(this.key && this.shown?.guests);
  }

  /** Returns what a person with a key may do. */
  rights() {
    if (!this.key || this.shown.kind !== "analysis") return "";
    return this.mayMove ? "you may move" : "guests may not move now";
  }

  /** Sets the board for all who see this analysis. */
  send(moves) {
    this.feed.send({ watch: "play", id: this.id, key: this.key, moves });
    clearTimeout(this.doubt);
    this.doubt = setTimeout(() => {
      this.say("The server did not accept this: the link may no longer be valid.", "error");
      this.draw(true);
    }, PATIENCE);
  }

  picture(picture) {
    const before = this.shown;
    const known = this.tree.end();
    if (before?.fen !== picture.fen || before.ply !== picture.ply) clearTimeout(this.doubt);
    this.shown = picture;
    this.table.game = gameOf(picture);
    const news = this.follow(picture);
    if (before && news) this.say(news, "quiet");
    for (const [ply, score] of Object.entries(picture.scores ?? {})) this.scores[ply] = score;
    this.scores[this.tree.end().ply] = picture.score ?? this.scores[this.tree.end().ply] ?? null;
    this.scores.length = this.tree.end().ply + 1;
    const last = this.tree.end();
    if (before && last.ply > known.ply) this.say(`${capital(moveWords(last.san))}.`, "engine");
    if (picture.result && before && !before.result) this.say(`${resultWords(picture.result)}.`, "result");
    this.table.setNames(picture);
    setText(
      byId("game-title"),
      picture.kind === "analysis" ? "Analysis" : `${picture.white || "White"} – ${picture.black || "Black"}`,
    );
    setText(
      byId("game-about"),
      [picture.variant === "normal" ? "" : picture.title, activityWords(picture), this.rights()]
        .filter(Boolean)
        .join(" · "),
    );
    byId("result").hidden = !picture.result;
    setText(byId("result"), picture.result ? resultWords(picture.result) : "");
    this.table.clocks.take(picture.clocks);
    this.table.setScore(picture.score);
    this.drawLines(picture);
    if (last !== known || !before) this.moves.show(this.tree);
    this.draw(Boolean(before));
  }

  /** Takes the moves of a picture. Moves that stay keep their nodes, and a person who has stepped back stays there.
      Returns what to say of moves that are gone. */
  follow({ start, moves, kind }) {
    const { tree } = this;
    const { current } = tree;
    const wasAtEnd = current === tree.end();
    const known = tree.path(tree.end());
    const goesOn = tree.start === start && known.every(({ uci }, index) => moves[index]?.uci === uci);
    if (!goesOn) {
      this.tree = new Tree(start, firstSide(start, this.table.game), this.table.game);
      this.scores = [];
    }
    this.tree.follow(moves);
    if (!wasAtEnd) this.tree.current = goesOn ? current : (this.tree.line()[current.ply] ?? this.tree.end());
    if (goesOn || kind === "analysis") return "";
    const isShorter = moves.length > 0 && moves.every(({ uci }, index) => known[index]?.uci === uci);
    return isShorter ? "Moves were taken back." : "A new game begins.";
  }

  /** Offers the game as text: the server writes it. */
  async copy() {
    const answer = await fetch(`/game/${this.id}.pgn`, { cache: "no-store" }).catch(() => null);
    if (!answer?.ok || !this.shown) return this.say("The game cannot be read at the moment.", "error");
    const { fen } = this.tree.current;
    const name = `game-${this.id}.${this.table.game === "checkers" ? "pdn" : "pgn"}`;
    offerGame({ fen, pgn: await answer.text(), name, id: this.id, say: this.say });
  }

  drawLines({ lines, depth, nps }) {
    this.lineList.reserve(Math.max(1, lines?.length ?? 0));
    const message = lines?.length ? { lines, depth, nps, nodes: null } : null;
    const ply = this.tree.end().ply;
    this.lineList.show(message, { game: this.table.game, ply, offset: this.tree.offset });
  }

  go(node) {
    if (!node || !this.shown) return;
    this.tree.current = node;
    this.moves.show(this.tree);
    if (node.san) this.say(`Move ${this.tree.number(node)}: ${moveWords(node.san)}.`, "quiet");
    this.draw(true);
  }

  draw(moves) {
    if (!this.shown) return;
    const isAtEnd = this.tree.current === this.tree.end();
    const { mayMove } = this;
    const legal = mayMove ? (this.shown.legal ?? []) : [];
    if (isAtEnd)
      this.table.show({ ...this.shown, legal, ply: this.tree.current.ply }, mayMove ? "both" : null, { moves });
    else this.table.showEarlier(this.tree.current.fen, this.tree.current.uci);
    this.table.showLines(isAtEnd ? (this.shown.lines ?? []) : []);
    byId("guest").hidden = !mayMove || isAtEnd;
    byId("graph").hidden = this.scores.filter(Boolean).length < 2;
    this.graph.show(this.scores, this.tree.current.ply);
  }

  gone() {
    const text = "This session has ended, or it may not be watched.";
    if (!this.shown) setText(byId("game-title"), "No game");
    setText(byId("game-about"), text);
    this.table.clocks.stop();
    this.say(text, "error");
  }

  forbidden() {
    setText(byId("game-title"), "Games cannot be watched on this server.");
  }

  connection(kind, reason) {
    showConnection(kind, `${reason}.`, () => this.feed.retryNow());
  }
}

new Watch();
