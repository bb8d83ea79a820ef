"""A person at the page on which games are played."""

import json
import re

MOVES = "document.querySelectorAll('#moves .main > .move').length"
RESULT = "document.querySelector('#result:not([hidden]) p')?.textContent"
# A move that the board can take, or the end of the game.
TURN = f"(document.querySelector('[data-act=hint]:enabled')?.checkVisibility() && {MOVES} %% 2 === %d) || {RESULT}"


class Player:
    """Plays by what the page shows. All good moves come from the page's hints."""

    def __init__(self, tab, address):
        self.tab = tab
        self.address = address
        self.parity = 0

    def begin(self, variant="normal", color="white", level=0, fen="", time="none", start=None):
        """Begins a game against a level of the engine, by default without a clock. `start` presses the button."""
        tab = self.tab
        if not tab.evaluate("location.pathname === '/play'"):
            tab.open(f"{self.address}/play")
        tab.wait("document.querySelector('#new-game-form [name=variant]')?.options.length > 5")
        if tab.evaluate("document.getElementById('new-game').hidden"):
            tab.click("#result .actions button:nth-child(2)")
        values = {"variant": variant, "strength": "level", "level": str(level), "time": time, "color": color, "fen": fen}
        tab.evaluate(
            f"""(() => {{
                const {{ elements }} = document.getElementById("new-game-form");
                for (const [name, value] of Object.entries({json.dumps(values)})) elements[name].value = value;
                document.getElementById("new-game-form").dispatchEvent(new Event("input"));
            }})()"""
        )
        (start or self.press_play)()
        tab.wait("!document.getElementById('game-panel').hidden && !document.querySelector('#result:not([hidden])')")
        self.parity = 0 if tab.evaluate("document.querySelector('.boardside > :last-child').classList.contains('white')") else 1
        if variant == "checkers":
            self.parity = 1 - self.parity

    def press_play(self):
        self.tab.click("#new-game-form button[type=submit]")

    def wait_for_turn(self):
        """Waits for the own turn; returns false at the end of the game."""
        self.tab.wait(TURN % self.parity)
        return not self.result()

    def result(self):
        return self.tab.evaluate(RESULT)

    def moves(self):
        return self.tab.evaluate(MOVES)

    def events(self):
        return self.tab.evaluate("[...document.querySelectorAll('#events p')].map((line) => line.textContent)")

    def hint(self, ask=None):
        """Asks for a hint and returns the move as the page writes it."""
        self.tab.evaluate("document.getElementById('events').replaceChildren()")
        (ask or (lambda: self.tab.click("[data-act=hint]")))()
        line = self.tab.wait(
            "[...document.querySelectorAll('#events p')].map((line) => line.textContent).find((text) => text.startsWith('Hint:'))"
        )
        return re.search(r"\(([^()]+)\)\.$", line).group(1)

    def type_move(self, text):
        """Types a move into the field below the board."""
        before = self.moves()
        self.tab.click("#typed-text")
        self.tab.type(text)
        self.tab.press("Enter")
        self.tab.wait(f"{MOVES} > {before} || {RESULT}")

    def focused(self):
        return self.tab.evaluate("document.activeElement?.dataset.square ?? document.activeElement?.id")

    def go_to(self, square, is_turned=False):
        """Moves the cursor over the board to a square by arrow keys."""
        at = self.focused()
        right, up = ("ArrowRight", "ArrowUp") if not is_turned else ("ArrowLeft", "ArrowDown")
        left, down = ("ArrowLeft", "ArrowDown") if not is_turned else ("ArrowRight", "ArrowUp")
        files, ranks = ord(square[0]) - ord(at[0]), int(square[1]) - int(at[1])
        for key, count in ((right, files), (left, -files), (up, ranks), (down, -ranks)):
            for _ in range(max(0, count)):
                self.tab.press(key)
        assert self.focused() == square, f"{self.focused()} instead of {square}"
