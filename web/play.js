/** The page on which a person plays. */

import { Announcer } from "./announcer.js";
import { choose } from "./choice.js";
import { byId, element, setText } from "./elements.js";
import { offerGame } from "./exchange.js";
import { firstSide, gameOfFen } from "./fen.js";
import { handOver } from "./handover.js";
import { Keys } from "./keys.js";
import { Lines } from "./lines.js";
import { MoveList } from "./movelist.js";
import { NewGame } from "./newgame.js";
import { Session } from "./session.js";
import { bindSteps } from "./steps.js";
import { showConnection, Table } from "./table.js";
import { Tree } from "./tree.js";
import { Typed } from "./typed.js";
import { capital, moveWords, positionWords, resultWords, scoreWords, sentence } from "./words.js";

class Play {
  constructor() {
    this.announcer = new Announcer(byId("events"));
    this.say = (text, kind) => this.announcer.say(text, kind);
    this.table = new Table(byId("board"), { play: (move) => this.move(move.uci), announce: this.say });
    this.moves = new MoveList(byId("moves"), (node) => this.go(node));
    this.lineList = new Lines(byId("lines"));
    this.newGame = new NewGame((message) => this.send(message));
    this.tree = new Tree();
    this.state = null;
    this.variants = new Map();
    this.session = new Session("play", this);
    this.bind();
    this.session.start();
  }

  bind() {
    const steps = bindSteps({ tree: () => this.tree, go: (node) => this.go(node), turn: () => this.table.turn() });
    byId("open-copy").addEventListener("click", () => this.send({ type: "pgn" }));
    for (const button of document.querySelectorAll("[data-act]")) {
      button.addEventListener("click", () => this.act(button.dataset.act));
    }
    const clock = () => this.table.clocks.words();
    const score = () => capital(`${scoreWords(this.score, this.table.game)}.`);
    const commands = {
      clock,
      score,
      board: () => (this.state ? positionWords(this.state.position) : "There is no game."),
      last: () => this.lastWords(),
      undo: () => void this.act("take_back"),
      hint: () => void this.act("hint"),
      draw: () => void this.act("offer_draw"),
      resign: () => void this.act("resign"),
      rematch: () => void this.act("rematch"),
    };
    this.typed = new Typed(byId("typed"), {
      commands,
      position: () => this.state?.position,
      play: (move) => this.move(move.uci),
      pass: (text) => this.move(text),
      announce: this.say,
    });
    new Keys({
      ...steps,
      m: ["type a move", () => this.typed.input.focus()],
      b: ["to the board", () => this.table.board.setCursor(this.table.board.cursor, true)],
      c: ["say the clocks", () => this.say(clock())],
      e: ["say the evaluation", () => this.say(score())],
      l: ["say the last move", () => this.say(this.lastWords())],
      u: ["take back", () => this.act("take_back")],
      h: ["hint", () => this.act("hint")],
    });
    byId("back-to-game").addEventListener("click", () => {
      this.showPanel();
      byId("result").querySelector("p")?.focus({ preventScroll: true });
    });
    byId("thinking").addEventListener("toggle", () => this.drawThinking());
  }

  send(message) {
    this.session.send(message);
  }

  move(text) {
    if (this.state?.mode !== "play") return this.say("There is no game. Choose one and press Play.");
    this.goToEnd();
    this.send({ type: "move", move: text, ply: this.state.position.ply });
  }

  async act(act) {
    // Keys and words do what the buttons do.
    if (document.querySelector(`[data-act="${act}"]`)?.disabled) {
      const isPlaying = this.state?.mode === "play" && !this.state.position.result;
      return this.say(isPlaying ? "Not now." : "There is no game going on.");
    }
    if (act === "resign") {
      const sure = await choose("Resign this game?", [
        { label: "Resign", value: true, primary: true },
        { label: "Play on", value: false },
      ]);
      if (!sure) return;
    }
    if (act === "offer_draw") this.say("You offer a draw.");
    this.send({ type: act });
  }

  /** Returns the name of the opponent, without its version and level. */
  opponent() {
    const { color, white, black } = this.state;
    return (color === "white" ? black : white).replace(/( [\d.]+)?( \(.*\))?$/, "") || "Farboard";
  }

  // Messages of the server.

  hello(message) {
    this.variants = new Map(message.variants.map((variant) => [variant.name, variant]));
    this.newGame.offer(message);
    if (message.banner) this.say(message.banner);
    if (this.state) this.drawGame();
  }

  game(message) {
    const hadFocus = isAtForm();
    const isNew =
      !this.state ||
      this.state.mode !== message.mode ||
      (message.moves.length === 0 && !message.position.result) ||
      this.state.start !== message.start;
    this.state = message;
    const game = this.variants.get(message.variant)?.game ?? gameOfFen(message.start);
    this.table.game = game;
    this.tree = new Tree(message.start, firstSide(message.start, game), game);
    this.tree.follow(message.moves);
    this.score = null;
    this.lineList.show(null);
    if (isNew) this.thought = null;
    this.table.clocks.take(message.clocks);
    if (isNew) this.table.chooser.cancel();
    if (isNew && message.color) this.table.turn(message.color);
    if (isNew && message.mode === "play") this.say(this.welcome(message));
    this.drawGame();
    this.update(false);
    this.newGame.fail("");
    this.showPanel(!isNew && this.wantsNew);
    // On a phone the form was below the board.
    if (isNew && message.mode === "play" && byId("board").getBoundingClientRect().top < 0) byId("board").scrollIntoView();
    if (isNew && message.mode === "play") this.table.board.setCursor(message.color === "black" ? "e7" : "e2", hadFocus);
  }

  moved({ move, by, position, clocks }) {
    const wasAtEnd = this.isAtEnd();
    const node = this.tree.add(this.tree.end(), move);
    if (wasAtEnd) this.tree.current = node;
    Object.assign(this.state, { position, clocks });
    const mover = by === "you" ? "You" : this.opponent();
    document.title = by === "you" || position.result ? "Play · Farboard" : "Your move · Farboard";
    this.table.clocks.take(clocks);
    this.say(`${mover}: ${moveWords(move.san)}.`, by);
    this.update(by === "engine");
  }

  taken_back({ position, clocks }) {
    Object.assign(this.state, { position, clocks });
    while (this.tree.end().ply > position.ply) this.tree.remove(this.tree.end());
    this.tree.current = this.tree.end();
    this.table.clocks.take(clocks);
    this.table.chooser.cancel();
    this.say("Taken back.");
    this.update(false);
  }

  clocks({ clocks }) {
    this.state.clocks = clocks;
    this.table.clocks.take(clocks);
  }

  lines(message) {
    this.thought = message;
    this.score = message.lines[0]?.score ?? this.score;
    this.drawThinking();
  }

  pgn({ text }) {
    const name = this.table.game === "checkers" ? "game.pdn" : "game.pgn";
    offerGame({ fen: this.state.position.fen, pgn: text, name, id: this.state.id, say: this.say });
  }

  hint({ move }) {
    this.say(`Hint: ${moveWords(move.san)} (${move.san}).`);
    this.table.showLines([{ pv: [move.uci] }]);
  }

  draw({ accepted }) {
    this.say(accepted ? "The draw is agreed." : `${this.opponent()} declines the draw.`);
  }

  over({ result }) {
    this.state.position.result = result;
    this.table.clocks.stop();
    document.title = "Play · Farboard";
    this.say(`${resultWords(result)}.`, "result");
    this.update(false);
  }

  note({ text }) {
    this.say(text);
  }

  error({ text, about }) {
    this.say(sentence(text), "error");
    this.newGame.fail(about === "new_game" ? sentence(text) : "");
    if (about === "move" && this.state) this.update(false);
  }

  connection(kind, reason) {
    const isPlaying = this.state?.mode === "play" && !this.state.position.result;
    const text = isPlaying ? `${reason}. Your game is safe.` : `${reason}.`;
    showConnection(kind, text, () => this.session.link.retryNow());
    if (kind === "lost" && !this.state) {
      setText(byId("waiting").firstElementChild, `${text} A game can begin as soon as there is a connection.`);
      byId("waiting").hidden = false;
    }
    if (kind === "over") this.say("The session has ended. Reload the page for a new one.");
  }

  // Drawing.

  isAtEnd() {
    return this.tree.current === this.tree.end();
  }

  goToEnd() {
    if (!this.isAtEnd()) this.go(this.tree.end());
  }

  /** Steps to a position of the game. */
  go(node) {
    if (!this.state) return;
    this.tree.current = node;
    this.update(true);
    if (node.san) this.say(`Move ${this.tree.number(node)}: ${moveWords(node.san)}.`, "quiet");
  }

  update(animates) {
    const { position, mode, color } = this.state;
    const plays = mode === "play" && !position.result;
    if (this.isAtEnd()) this.table.show(position, plays ? color : null, { moves: animates });
    else this.table.showEarlier(this.tree.current.fen, this.tree.current.uci);
    // The arrow of a hint belongs to the position before.
    this.table.setArrows([]);
    this.moves.show(this.tree);
    const isOnMove = position.turn === color;
    const useless = { move_now: isOnMove, hint: !isOnMove };
    const held = document.querySelector("[data-act]:focus-visible");
    for (const button of document.querySelectorAll("[data-act]")) {
      button.disabled = !plays || Boolean(useless[button.dataset.act]);
    }
    this.drawResult(position.result);
    // A button that is disabled loses the focus.
    if (held?.disabled && plays) this.table.board.setCursor(this.table.board.cursor, true);
    else if (held?.disabled) byId("result").querySelector("p")?.focus({ preventScroll: true });
    this.drawThinking();
  }

  drawGame() {
    const { white, black, variant, mode } = this.state;
    this.table.setNames(mode === "play" ? { white, black } : {});
    setText(byId("game-title"), mode === "play" ? `${white || "White"} – ${black || "Black"}` : "Game");
    setText(byId("game-about"), this.variants.get(variant)?.title ?? variant);
  }

  drawResult(result) {
    const host = byId("result");
    host.hidden = !result;
    if (!result || host.dataset.shown === JSON.stringify(result)) return;
    host.dataset.shown = JSON.stringify(result);
    host.replaceChildren(
      element("p", { tabindex: -1 }, resultWords(result)),
      element(
        "div",
        { class: "actions" },
        element(
          "button",
          { type: "button", class: "primary", onclick: () => this.send({ type: "rematch" }) },
          "Rematch",
        ),
        element("button", { type: "button", onclick: () => this.openForm() }, "New game"),
        element("button", { type: "button", onclick: () => this.analyse() }, "Analyse"),
      ),
    );
  }

  drawThinking() {
    const isShown = byId("thinking").open;
    document.body.classList.toggle("thinking", isShown);
    this.table.setScore(isShown ? this.score : null);
    if (!isShown || !this.thought) return;
    this.lineList.reserve(this.thought.lines.length || 1);
    this.lineList.show(this.thought, {
      game: this.table.game,
      ply: this.thought.ply,
      offset: this.tree.offset,
    });
  }

  openForm() {
    this.showPanel(true);
    this.newGame.open();
  }

  /** Shows the form or the game. */
  showPanel(wantsNew = false) {
    const hasGame = this.state?.mode === "play";
    this.wantsNew = wantsNew;
    byId("waiting").hidden = true;
    byId("new-game").hidden = hasGame && !wantsNew;
    byId("game-panel").hidden = !hasGame || wantsNew;
    byId("back-to-game").hidden = !hasGame;
  }

  analyse() {
    const { variant, start, white, black, position } = this.state;
    const moves = this.tree.path(this.tree.end()).map(({ uci }) => uci);
    const tags = { White: white, Black: black, Result: position.result?.score ?? "*" };
    handOver({ variant, fen: start, moves, bottom: this.table.board.bottom, tags });
  }

  welcome({ color, moves, position }) {
    const opponent = color === "white" ? this.state.black : this.state.white;
    const text = `You play ${capital(color)} against ${opponent || "Farboard"}.`;
    if (position.result) return `${text} ${resultWords(position.result)}.`;
    return moves.length ? `${text} The game goes on. ${this.lastWords()}` : text;
  }

  lastWords() {
    const last = this.tree.end();
    return last.san ? `Last move: ${moveWords(last.san)}.` : "No move has been played.";
  }
}

/** Returns true if the person has just begun a game, and continues at the board. */
function isAtForm() {
  return [byId("new-game"), byId("result")].some((part) => part.contains(document.activeElement));
}

new Play();
