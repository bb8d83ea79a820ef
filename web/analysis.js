/** The page on which positions and games are analysed. */

import { Announcer } from "./announcer.js";
import { byId, element, setText } from "./elements.js";
import { Engines } from "./engines.js";
import { encode } from "./bytes.js";
import { bookMoves } from "./book.js";
import { choose } from "./choice.js";
import { askForGame, offerGame } from "./exchange.js";
import { firstSide, gameOfFen } from "./fen.js";
import { Graph } from "./graph.js";
import { takeOver } from "./handover.js";
import { Keys } from "./keys.js";
import { Lines } from "./lines.js";
import { MoveList } from "./movelist.js";
import { pgnOf, tagsOf } from "./pgn.js";
import { Requests } from "./requests.js";
import { Review } from "./review.js";
import { Session } from "./session.js";
import { Setup } from "./setup.js";
import { Sharing } from "./sharing.js";
import { bindSteps } from "./steps.js";
import { showConnection, Table } from "./table.js";
import { Tree } from "./tree.js";
import { Typed } from "./typed.js";
import { capital, linesWords, moveWords, plural, positionWords, resultWords, scoreText, scoreWords, sentence } from "./words.js";

/** Nodes for each position of a whole game. */
const REVIEW_NODES = 200_000;

/** Most bytes of a message: a line of the server's protocol. */
const MOST_BYTES = 262_000;

/** The start positions of chess and of checkers, which PGN need not name. */
const USUAL_CHESS = /^rnbqkbnr\/pppppppp\/8\/8\/8\/8\/PPPPPPPP\/RNBQKBNR w KQkq/;
const USUAL_CHECKERS = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";

class Analysis {
  constructor() {
    this.announcer = new Announcer(byId("events"));
    this.say = (text, kind) => this.announcer.say(text, kind);
    this.table = new Table(byId("board"), { play: (move) => this.play(move), announce: this.say });
    this.moves = new MoveList(byId("moves"), (node) => this.go(node));
    this.lineList = new Lines(byId("lines"), (line, count) => this.follow(line, count));
    this.engines = new Engines(byId("other-lines"), {
      follow: (line, count) => this.follow(line, count),
      keep: (names) => this.session.memory.write("engines", names),
    });
    this.graph = new Graph(byId("graph"), (ply) => this.go(this.tree.line()[ply]));
    this.variants = new Map();
    this.variant = "normal";
    this.tree = null;
    /** The node whose position is on the board with its legal moves. */
    this.onBoard = null;
    this.review = new Review();
    this.requests = new Requests({ send: (message) => this.sendRequest(message), chosen: () => this.chosen() });
    this.session = new Session("analysis", this);
    this.sharing = new Sharing(this.session, this.say);
    this.restore();
    this.setup = new Setup(this.table.frame, byId("setup"), {
      use: (fen) => this.begin(this.variant, fen),
      close: () => this.showSetup(false),
      announce: this.say,
    });
    this.bindControls();
    this.bindTyping();
    this.session.start();
  }

  bindControls() {
    const count = byId("count");
    count.replaceChildren(...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => element("option", { value: n }, plural(n, "line"))));
    count.value = String(this.options.lines);
    byId("running").checked = this.options.running;
    count.addEventListener("change", () => this.setOptions({ lines: Number(count.value) }));
    byId("running").addEventListener("change", (event) => this.setOptions({ running: event.target.checked }));
    byId("variant").addEventListener("change", (event) => this.beginOther(event.target.value));
    byId("open-load").addEventListener("click", () => askForGame((text) => this.load(text)));
    byId("open-setup").addEventListener("click", () => this.openSetup());
    byId("open-copy").addEventListener("click", () => this.copy());
    byId("share").addEventListener("click", () => this.sharing.offer(this.id));
    byId("start-again").addEventListener("click", () => this.beginOther(this.variant));
    byId("review-start").addEventListener("click", () => this.toggleReview());
    byId("review-next").addEventListener("click", () => this.nextMistake());
    byId("promote").addEventListener("click", () => {
      this.tree.promote(this.tree.current);
      this.draw();
    });
    byId("delete").addEventListener("click", () => {
      this.tree.remove(this.tree.current);
      this.analyse();
    });
    this.lineList.reserve(this.options.lines);
  }

  bindTyping() {
    const steps = bindSteps({ tree: () => this.tree, go: (node) => this.go(node), turn: () => this.turn() });
    const score = () =>
      this.position?.result
        ? sentence(resultWords(this.position.result))
        : sentence(scoreWords(this.score, this.table.game));
    const lines = () => linesWords(this.lineList.message?.lines ?? [], this.table.game);
    const board = () => (this.position ? positionWords(this.position) : "");
    this.typed = new Typed(byId("typed"), {
      commands: {
        score,
        lines,
        board,
        last: () => this.lastWords(),
        back: () => void steps.ArrowLeft[1](),
        on: () => void steps.ArrowRight[1](),
      },
      position: () => this.position,
      play: (move) => this.play(move),
      pass: (text) => this.say(`${text} is not a legal move here.`, "error"),
      announce: this.say,
      isReady: () => this.isReady() || this.prepare(),
    });
    new Keys({
      ...steps,
      m: ["type a move", () => this.typed.input.focus()],
      b: ["to the board", () => this.table.board.setCursor(this.table.board.cursor, true)],
      e: ["say the evaluation", () => this.say(score())],
      l: ["say the engine’s lines", () => this.say(lines())],
      n: ["next mistake", () => this.nextMistake()],
      p: ["play the engine’s best move", () => this.follow(this.lineList.message?.lines[0], 1)],
    });
  }

  send(message) {
    this.session.send(message);
  }

  /** Sends a request for another position, which ends the analysis of a whole game. */
  sendRequest(message) {
    this.endReview();
    this.send(message);
  }

  endReview() {
    if (this.review.end()) setText(byId("review-text"), "Stopped.");
  }

  /** Returns the request for the position and options that the person has chosen. */
  chosen() {
    const moves = this.tree.path().map(({ uci }) => uci);
    return { type: "analyse", variant: this.variant, fen: this.tree.start, moves, ...this.options };
  }

  // What a person does.

  setOptions(changed) {
    Object.assign(this.options, changed);
    this.lineList.reserve(this.options.lines);
    if (!this.options.running) this.clearLines();
    this.analyse();
  }

  /** Begins with a start position. Moves are not lost by a slip of a key. */
  async beginOther(variant) {
    const isSure = this.tree?.root.children.length
      ? await choose("Begin again? The moves of this analysis will be lost.", [
          { label: "Begin again", value: true, primary: true },
          { label: "Keep them", value: false },
        ])
      : true;
    if (isSure) this.begin(variant, null);
    else byId("variant").value = this.variant;
  }

  /** Begins a new analysis. */
  begin(variant, fen) {
    this.clearLines();
    this.requests.ask("new", { type: "analyse", variant, fen, moves: [], ...this.options });
  }

  load(text) {
    // A FEN does not say its game.
    const isFen = /^[a-z1-8~]+\/\S+\s+[wb]\s/i.test(text.trim());
    const message = { type: "load", text, variant: isFen && this.table.game === "chess" ? this.variant : null };
    if (encode(JSON.stringify(message)).length > MOST_BYTES) {
      return this.say("This text is too long: at most 256 KB.", "error");
    }
    this.pasted = { tags: tagsOf(text), hasMore: /[({]/.test(text.replace(/^\[.*$/gm, "")) };
    this.requests.ask("load", message);
  }

  /** Has the server show and analyse the current node. */
  analyse() {
    this.endReview();
    this.draw();
    this.requests.stepSoon();
  }

  /** Returns true if moves can be played at the current node: the board has its legal moves. */
  isReady() {
    return this.requests.isEmpty && this.tree !== null && this.onBoard === this.tree.current;
  }

  /** Has the current node put on the board, for a move that waits. In a review nothing else would; it ends. */
  prepare() {
    if (this.review.isRunning) this.analyse();
    return false;
  }

  play(move) {
    this.tree.current = this.tree.add(this.tree.current, { ...move, fen: null });
    this.say(`${capital(moveWords(move.san))}.`, "quiet");
    this.analyse();
  }

  /** Plays the first moves of an engine line as a variation. */
  follow(line, count) {
    // What is clicked again belongs to the position before.
    if (!line || this.setup.isOpen || !(this.isReady() || this.prepare())) return;
    for (let index = 0; index < count; index++) {
      this.tree.current = this.tree.add(this.tree.current, { uci: line.pv[index], san: line.san[index], fen: null });
    }
    this.say(`${capital(moveWords(line.san[count - 1]))}.`, "quiet");
    this.analyse();
  }

  go(node) {
    if (!node || node === this.tree.current || this.setup.isOpen) return;
    this.typed.forget();
    this.tree.current = node;
    if (node.fen) this.table.showEarlier(node.fen, node.uci);
    this.say(node.san ? this.lastWords() : "Start position.", "quiet");
    this.clearLines();
    // A suggested move has no position yet.
    if (this.review.isRunning && node.fen) this.draw();
    else this.analyse();
  }

  toggleReview() {
    if (this.review.isRunning) {
      this.send({ type: "stop" });
      return this.analyse();
    }
    if (this.requests.awaitsOther) return;
    const end = this.tree.line().at(-1);
    if (end === this.tree.root) return this.say("There are no moves to analyse.");
    this.tree.current = end;
    this.requests.ask("step", { ...this.chosen(), running: false });
    this.review.begin(this.tree.line());
    this.send({ type: "review", nodes: REVIEW_NODES });
  }

  nextMistake() {
    const line = this.tree.line();
    const at = line.indexOf(this.tree.current);
    const next = line.slice(at + 1).find(({ mark }) => mark) ?? line.find(({ mark }) => mark);
    if (next) this.go(next);
    else this.say("No mistake is marked.");
  }

  openSetup() {
    const { fen } = this.position;
    if (this.review.isRunning) this.analyse();
    this.showSetup(true);
    this.setup.open({ fen, game: this.table.game, start: this.tree.start, bottom: this.table.board.bottom });
  }

  turn() {
    this.table.turn();
    if (this.setup.isOpen) this.setup.board.turn(this.table.board.bottom);
  }

  showSetup(isOpen) {
    document.body.classList.toggle("setting-up", isOpen);
    this.table.board.grid.inert = isOpen;
    document.querySelector("main > .panel").hidden = isOpen;
  }

  /** Offers the game as text, with its variations. */
  copy() {
    const { white, black } = this.names;
    const isCheckers = this.table.game === "checkers";
    const start = this.startIsUsual ? {} : { SetUp: "1", FEN: this.tree.start };
    const title = this.variants.get(this.variant)?.title ?? this.variant;
    const variant = isCheckers ? { GameType: "21" } : this.variant === "normal" ? {} : { Variant: title };
    const tags = {
      Event: "Analysis",
      Site: "Farboard",
      White: white || "?",
      Black: black || "?",
      Result: "*",
      ...this.tags,
      ...variant,
      ...start,
    };
    const name = isCheckers ? "analysis.pdn" : "analysis.pgn";
    offerGame({ fen: this.position.fen, pgn: pgnOf(this.tree, tags), name, id: this.id, say: this.say });
  }

  // Messages of the server.

  hello({ variants, profiles, banner }) {
    this.variants = new Map(variants.map((variant) => [variant.name, variant]));
    byId("variant").replaceChildren(...variants.map(({ name, title }) => element("option", { value: name }, title)));
    byId("variant").value = this.variant;
    this.engines.offer(profiles, this.session.memory.read("engines") ?? []);
    if (banner) this.say(banner);
    this.review.state = "unknown";
    this.requests.restart();
    const handed = takeOver();
    if (handed) {
      const { bottom, tags, ...game } = handed;
      this.pasted = { tags };
      this.table.turn(bottom);
      this.requests.ask("new", { type: "analyse", ...game, ...this.options });
    } else if (!this.session.isResumed && this.tree) {
      this.tree.current = this.tree.end();
      this.requests.step();
    } else if (!this.session.isResumed) this.begin(this.variant, null);
    this.session.isResumed = true;
  }

  game(message) {
    this.id = message.id;
    // A guest's move does not count while a request of the person is on its way, which sets the board after it.
    if (message.by_guest && !this.requests.isEmpty) return;
    const kind = message.by_guest ? "news" : this.requests.answered();
    if (!kind) return;
    // The session has no analysis yet.
    if (message.mode === "idle") return this.tree ? this.requests.step() : this.begin(this.variant, null);
    const { variant, start, moves, position } = message;
    this.variant = variant;
    this.table.game = this.variants.get(variant)?.game ?? gameOfFen(start);
    byId("variant").value = variant;
    const isOther = !this.tree || this.tree.start !== start || kind === "new" || kind === "load";
    if (this.setup.isOpen && isOther) this.setup.end();
    document.querySelector("main").inert = false;
    if (isOther) this.tree = new Tree(start, firstSide(start, this.table.game), this.table.game);
    if (isOther) this.tags = this.pasted?.tags ?? {};
    const { White, Black } = this.tags ?? {};
    this.names = { white: White || message.white, black: Black || message.black };
    if (isOther) setText(byId("review-text"), "");
    this.startIsUsual = USUAL_CHESS.test(start) || start === USUAL_CHECKERS;
    const before = this.tree.current;
    this.tree.follow(moves);
    if (message.by_guest) this.sayGuestsMove(before);
    if (kind === "load" || (isOther && moves.length > 0)) {
      const more = this.pasted?.hasMore ? " Comments and variations are left out." : "";
      this.say(moves.length > 0 ? `Opened: ${moves.length} half-moves.${more}` : "Opened: a position.");
    }
    if (isOther) this.pasted = null;
    this.position = position;
    this.onBoard = this.tree.current;
    byId("book").replaceChildren(...bookMoves(position.book ?? [], (line) => this.follow(line, 1)));
    this.table.setNames(this.names);
    this.table.show(position, "both", { moves: false });
    if (position.result && this.ended !== position.fen) this.say(`${resultWords(position.result)}.`, "result");
    this.ended = position.result ? position.fen : this.ended;
    this.score = this.tree.current.score;
    this.clearLines();
    this.draw();
    this.askOthers(moves.map(({ uci }) => uci));
    // A game that has been opened is on the board, but not analysed yet.
    if (kind === "load" && this.options.running) this.requests.step();
    else this.requests.takePostponed();
    this.typed.resume();
  }

  /** Says what a guest has done: played a move after a node, or set the board. */
  sayGuestsMove(before) {
    const { current } = this.tree;
    if (current === before) return;
    const played = current.parent === before ? capital(moveWords(current.san)) : this.lastWords();
    this.say(`A guest: ${played.replace(/\.$/, "")}.`, "news");
  }

  /** Has the other engines analyse the position on the board. */
  askOthers(moves) {
    const { game } = this.table;
    const { ply } = this.tree.current;
    const request = { variant: this.variant, fen: this.tree.start, moves, ...this.options };
    this.engines.analyse({ request, game, ply, offset: this.tree.offset });
  }

  lines(message) {
    if (!this.isReady() || message.ply !== this.tree.current.ply || !this.options.running) return;
    this.score = message.lines[0]?.score ?? null;
    this.tree.current.score ??= null;
    this.lineList.show(message, { game: this.table.game, ply: message.ply, offset: this.tree.offset });
    this.table.setScore(this.score);
    this.table.showLines(message.lines);
    this.speakScore(message.depth);
  }

  /** Says the evaluation in words once it is worth something. */
  speakScore(depth) {
    const node = this.tree.current;
    if (depth < 12 || this.spoken === node || !this.score) return;
    this.spoken = node;
    this.say(sentence(scoreWords(this.score, this.table.game)), "quiet");
  }

  reviewed(message) {
    const { tree, review } = this;
    if (review.state === "unknown") review.begin(review.line ?? tree.line());
    if (!review.take(message, tree.firstSide, this.position.result)) return;
    setText(byId("review-text"), review.text(message.ply, tree.firstSide));
    if (message.done) {
      for (const mistake of review.mistakes()) this.suggest(mistake);
      // The server has the position at the end of the game, and does nothing.
      if (this.options.running || tree.current !== review.line.at(-1)) this.requests.step();
    }
    this.draw();
  }

  /** Hangs the better move beside a mistake. */
  suggest({ parent }) {
    if (parent.best && !parent.children.some(({ uci }) => uci === parent.best.uci)) {
      this.tree.add(parent, { ...parent.best, fen: null });
    }
  }

  note({ text }) {
    this.say(text);
  }

  error({ about, text }) {
    this.say(sentence(text), "error");
    if (about === "analyse" && this.setup.isOpen) this.setup.fail(sentence(text));
    if (about === "analyse" || about === "load") {
      const kind = this.requests.answered();
      this.pasted = null;
      if (kind === "step") this.returnToBoard();
      this.requests.takePostponed();
      this.typed.resume();
    }
    byId("variant").value = this.variant;
    if (!this.tree && this.variant !== "normal") this.begin("normal", null);
  }

  /** Shows the position that the server has, after it has refused another one. */
  returnToBoard() {
    if (!this.onBoard) return;
    this.tree.current = this.onBoard;
    this.table.show(this.position, "both", { moves: false });
    this.draw();
  }

  connection(kind, reason) {
    const text = this.tree ? `${reason}. Your analysis is safe.` : `${reason}.`;
    showConnection(kind, text, () => this.session.link.retryNow());
    if (kind === "over") this.say("The session has ended. Reload the page for a new one.");
    if (kind === "open") this.sharing.renew();
  }

  // Drawing and keeping.

  clearLines() {
    this.lineList.show(null);
    this.table.setArrows([]);
  }

  draw() {
    if (!this.tree) return;
    const line = this.tree.line();
    const { ply } = this.tree.current;
    const marked = line.filter(({ mark }) => mark).map(({ ply: at, mark }) => ({ ply: at, kind: mark }));
    this.moves.show(this.tree);
    this.graph.show(
      line.map(({ score }) => score),
      ply,
      marked,
    );
    byId("graph").hidden = !line.some(({ score }) => score);
    byId("review-next").hidden = marked.length === 0;
    setText(byId("review-start"), this.review.isRunning ? "Stop" : "Analyse game");
    this.table.setScore(this.score);
    this.session.memory.write("tree", {
      tree: this.tree.kept(),
      tags: this.tags,
      variant: this.variant,
      options: this.options,
    });
  }

  restore() {
    const kept = this.session.memory.read("tree");
    this.options = kept?.options ?? { lines: 3, running: true };
    if (!kept || !this.session.memory.hasSession) return;
    this.tree = Tree.restore(kept.tree);
    this.tags = kept.tags ?? {};
    this.variant = kept.variant;
  }

  lastWords() {
    const { current } = this.tree;
    if (!current.san) return "Start position.";
    const score = current.score ? ` ${scoreText(current.score)}` : "";
    return `Move ${this.tree.number(current)}: ${moveWords(current.san)}.${score}`;
  }
}

new Analysis();
