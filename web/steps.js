/** Stepping through moves, by buttons and keys alike. */

/** Binds the buttons of the page and returns the keys for them. `go(node)`, `tree()`, `turn()`. */
export function bindSteps({ tree, go, turn }) {
  const acts = {
    first: () => go(tree().root),
    back: () => tree().current.parent && go(tree().current.parent),
    on: () => tree().current.children[0] && go(tree().current.children[0]),
    last: () => go(tree().line().at(-1)),
    turn,
  };
  for (const button of document.querySelectorAll("[data-step]")) {
    button.addEventListener("click", acts[button.dataset.step]);
  }
  return {
    ArrowLeft: ["one move back", acts.back],
    ArrowRight: ["one move on", acts.on],
    ",": ["one move back (also on the board)", acts.back],
    ".": ["one move on (also on the board)", acts.on],
    Home: ["first position", acts.first],
    End: ["last position", acts.last],
    f: ["turn the board", acts.turn],
  };
}
