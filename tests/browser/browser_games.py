"""Games in a real browser: by clicking, by keyboard, by typed moves, over reloads and lost servers."""

import json
import re
import subprocess
import time
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace

import chess
from devtools import TEST_TIMEOUT, chromium
from hosted import configuration
from page_server import mortal_page, page_server
from paths import SERVER
from player import MOVES, RESULT, Player

# More moves than any of these games takes.
MOST_MOVES = 150
SAN = "#moves .main > .move > .san"


@contextmanager
def tab_of(out):
    """Yields a tab; the page may not have complained at the end. The last picture is kept."""
    with chromium() as browser:
        tab = browser.tab()
        try:
            yield tab
        finally:
            tab.screenshot(out / "last.png")
        # Events that were under way arrive before the next answer.
        tab.evaluate("1")
    assert not browser.complaints, browser.complaints


def play_out(player, play):
    """Plays to the end with hints; `play` makes a move that is written in SAN. Returns the number of moves."""
    for count in range(MOST_MOVES):
        if not player.wait_for_turn():
            return count
        play(player.hint())
    raise AssertionError(f"no end after {MOST_MOVES} moves: {player.events()}")


def check_win(player, winner):
    """Checks that this side has won, and prints how."""
    result = player.result()
    assert result.startswith(f"{winner} wins"), result
    print(f"{player.moves()} half-moves: {result}")


class Follower:
    """Follows a game of chess, to know the squares of moves."""

    def __init__(self, player):
        self.player = player

    def board(self):
        """The position after all moves of the page."""
        board = chess.Board()
        for san in self.player.tab.evaluate(f"[...document.querySelectorAll('{SAN}')].map((text) => text.textContent)"):
            board.push_san(san)
        return board

    def squares(self, san):
        move = self.board().parse_san(san)
        return chess.square_name(move.from_square), chess.square_name(move.to_square), move.promotion


def clicking(out):
    """browser: a game is won by clicking"""
    with page_server(out) as address, tab_of(out) as tab:
        player = Player(tab, address)
        follower = Follower(player)

        def click(san):
            before = player.moves()
            origin, target, promotion = follower.squares(san)
            tab.click(f"[data-square={origin}]")
            tab.wait(f"document.querySelector('[data-square={target}]').classList.contains('target')")
            tab.click(f"[data-square={target}]")
            if promotion:
                tab.click(f"dialog [aria-label={chess.piece_name(promotion)}]")
            tab.wait(f"{MOVES} > {before}")

        player.begin()
        play_out(player, click)
        check_win(player, "White")


def keyboard(out):
    """browser: a game is won by keyboard alone, with Black"""
    with page_server(out) as address, tab_of(out) as tab:
        player = Player(tab, address)
        follower = Follower(player)

        def press_play():
            tab.evaluate("document.querySelector('#new-game-form [name=color]:checked').focus()")
            for _ in range(6):
                tab.press("Tab")
                if tab.evaluate("document.activeElement.matches('#new-game-form button[type=submit]')"):
                    break
            tab.press("Enter")

        def enter(san):
            before = player.moves()
            origin, target, promotion = follower.squares(san)
            tab.press("b")
            player.go_to(origin, is_turned=True)
            tab.press("Enter")
            player.go_to(target, is_turned=True)
            tab.press("Enter")
            if promotion:
                tab.wait("!!document.querySelector('dialog[open]')")
                wanted = chess.piece_name(promotion)
                while tab.evaluate("document.activeElement.ariaLabel") != wanted:
                    tab.press("ArrowRight")
                tab.press("Enter")
            tab.wait(f"{MOVES} > {before}")

        player.begin(color="black", start=press_play)
        for _ in range(MOST_MOVES):
            if not player.wait_for_turn():
                break
            enter(player.hint(lambda: tab.press("h")))
        check_win(player, "Black")


def typed(out):
    """browser: games of four kinds are won by typed moves"""
    with page_server(out) as address, tab_of(out) as tab:
        player = Player(tab, address)
        for variant in ("crazyhouse", "atomic", "fischerandom", "checkers"):
            player.begin(variant)
            print(variant, end=": ")
            play_out(player, player.type_move)
            check_win(player, "White")


def reloading(out):
    """browser: a game goes on after a reload, after the server is killed, and in each of two tabs"""
    with ExitStack() as servers, tab_of(out) as tab:
        server, address = mortal_page(servers, out)
        player = Player(tab, address)
        player.begin()
        for _ in range(2):
            player.wait_for_turn()
            player.type_move(player.hint())
        player.wait_for_turn()
        game = tab.evaluate("document.getElementById('moves').textContent")

        tab.reload()
        player.wait_for_turn()
        assert tab.evaluate("document.getElementById('moves').textContent") == game
        player.type_move(player.hint())
        player.wait_for_turn()

        other = Player(tab.browser.tab(), address)
        other.begin("atomic", color="black")
        other.wait_for_turn()

        count, others = player.moves(), other.moves()
        server.kill()
        server.wait()
        tab.wait("document.getElementById('connection').classList.contains('lost')")
        # A move without a server is played when there is one.
        tab.click("#typed-text")
        tab.type(follow_up(player))
        tab.press("Enter")
        mortal_page(servers, out, address)
        tab.wait(f"{MOVES} >= {count + 2}")
        tab.wait("document.getElementById('connection').textContent === ''")
        other.tab.wait(f"{MOVES} === {others} && document.getElementById('connection').textContent === ''")
        other.type_move(other.hint())
        print(f"{player.moves()} and {other.moves()} half-moves over two servers")


def follow_up(player):
    """Any legal move in the position of the page."""
    return next(iter(Follower(player).board().legal_moves)).uci()


def analysing(out):
    """browser: three lines are analysed, one is stepped into, a game is reviewed, and all of it survives a reload"""
    name = "<img src=x onerror=alert(1)>"
    pgn = f'[White "{name}"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n'
    with page_server(out) as address, tab_of(out) as tab:
        tab.open(f"{address}/analysis")
        tab.wait("document.querySelectorAll('.lines li .score').length === 3")
        assert "%" in tab.wait("document.querySelector('#book button')?.textContent")
        tab.click(".lines li:nth-child(2) button:nth-child(2)")
        tab.wait("document.querySelectorAll('.move').length === 2")
        tab.press("ArrowLeft")
        tab.wait("document.querySelector('[aria-current=true]')?.textContent.startsWith('1.')")
        open_text(tab, "6k1/8/6K1/8/8/8/8/R7 w - - 0 1")
        tab.wait("document.querySelector('#lines .score')?.textContent.startsWith('#1')")
        open_text(tab, pgn)
        tab.wait("document.querySelectorAll('.move').length === 7")
        assert tab.evaluate("document.querySelector('.strip.white .name').textContent") == name
        tab.click("#review-start")
        tab.wait("document.getElementById('review-text').textContent")
        tab.reload()
        # Whatever was left of the review: seven moves have eight positions.
        scores = "document.querySelector('#graph .curve').getAttribute('d')?.split(' L').length === 8"
        tab.wait(scores)
        blunder = tab.wait("document.querySelector('.move.blunder')?.textContent")
        assert "knight f6" in blunder, blunder
        # The engine goes on, for the mistakes that one looks at.
        tab.press("n")
        tab.wait("document.querySelector('#lines .score')")
        tab.press("End")
        tab.reload()
        tab.wait(f"{scores} && document.querySelectorAll('.move.blunder').length === 1")
        assert tab.evaluate("document.querySelectorAll('#moves .main > .move').length") == 7
        # A slip of a key loses nothing.
        tab.focus("combobox", "Game")
        tab.press("ArrowDown")
        tab.click("dialog button:not(.primary)")
        # The browser reports a dialog's end in a later task.
        tab.wait("document.getElementById('variant').value === 'normal'")
        assert tab.evaluate("document.querySelectorAll('#moves .main > .move').length") == 7
        # An analysis that is left ends on the server, and goes on when it is shown again.
        tab.click("nav a")
        tab.wait("document.getElementById('load')?.textContent.includes('0 analyses')")
        tab.evaluate("void history.back()")
        tab.wait("document.querySelectorAll('#moves .main > .move').length === 7")
        tab.wait("!document.querySelector('main').inert && !document.getElementById('connection').textContent")


def saving(out):
    """browser: an analysis of checkers is saved whole, with its start position, and numbers follow that of chess"""
    with page_server(out) as address, tab_of(out) as tab:
        tab.open(f"{address}/analysis")
        tab.wait("!document.querySelector('main').inert")
        open_text(tab, '[GameType "21"]\n[White "Tinsley"]\n\n1. 11-15 23-19 2. 8-11 *')
        tab.wait("document.querySelectorAll('.move').length === 3")
        tab.press("Home")
        text = saved(tab)
        assert all(part in text for part in ('[White "Tinsley"]', '[GameType "21"]', "1. 11-15 23-19 2. 8-11")), text
        assert "FEN" not in text, text
        open_text(tab, "B:W21,22,32:B1,2,12")
        tab.wait("document.querySelectorAll('.move').length === 0")
        position = saved(tab)
        assert '[FEN "B:W21,22,32:B1,2,12"]' in position
        # A king jumps in a circle.
        open_text(tab, "W:WK17:B14,15,22,23")
        tab.wait("document.querySelector('[data-square=b4]').ariaLabel.includes('king')")
        for square in ("b4", "d6", "f4", "d2", "b4"):
            tab.click(f"[data-square={square}]")
        tab.wait("document.querySelectorAll('#moves .move').length === 1")
        open_text(tab, position)
        tab.wait("document.querySelectorAll('#moves .move').length === 0")
        assert '[FEN "B:W21,22,32:B1,2,12"]' in saved(tab)
        open_text(tab, '[SetUp "1"]\n[FEN "4k3/p7/8/8/8/8/P7/4K3 b - - 0 30"]\n\n30... a6 31. a4 *')
        tab.wait("document.querySelectorAll('.move').length === 2")
        assert "30... a6 31. a4" in saved(tab)
        tab.press("Home")
        tab.press("ArrowRight")
        heard(tab, "Move 30: ")


def saved(tab):
    """The text of the analysis that the page offers."""
    tab.click("#open-copy")
    text = tab.wait("document.querySelector('dialog textarea')?.value")
    tab.click("dialog .actions button:last-child")
    tab.wait("!document.querySelector('dialog')")
    return text


def new_game(out):
    """browser: the form of a new game keeps its fields when the server is lost; the focus; clocks on a small screen"""
    with ExitStack() as servers, tab_of(out) as tab:
        server, address = mortal_page(servers, out)
        player = Player(tab, address)
        player.begin(fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
        player.wait_for_turn()
        tab.focus("button", "Resign")
        tab.press("Enter")
        tab.wait("document.querySelector('dialog')")
        tab.press("Enter")
        tab.wait("document.activeElement === document.querySelector('#result p')")
        # What the button does not do any more, its key does not do.
        tab.press("u")
        heard(tab, "There is no game going on.")
        tab.click("#result .actions button:nth-child(2)")
        variant = "document.querySelector('#new-game-form [name=variant]')"
        assert tab.evaluate(f"document.activeElement === {variant} && !document.querySelector('[name=fen]').value")
        # This option is in the list until the next server has sent its games.
        tab.evaluate(f"{variant}.append(new Option('old')), {variant}.value = 'racingkings'")
        server.kill()
        server.wait()
        tab.wait("document.getElementById('connection').classList.contains('lost')")
        mortal_page(servers, out, address)
        tab.wait(f"![...{variant}.options].some(({{ text }}) => text === 'old')")
        assert tab.evaluate(f"{variant}.value") == "racingkings"
        tab.wait("document.getElementById('connection').textContent === ''")
        assert not tab.evaluate("document.getElementById('new-game').hidden")
        tab.click("#back-to-game")
        assert player.result()

        tab.call("Emulation.setDeviceMetricsOverride", width=740, height=360, deviceScaleFactor=1, mobile=True)
        player.begin("crazyhouse", time="300+3")
        hidden = """[...document.querySelectorAll('.strip .clock')].filter((clock) => {
            const { x, y, width, height } = clock.getBoundingClientRect();
            return document.elementFromPoint(x + width / 2, y + height / 2) !== clock;
        }).length"""
        assert tab.evaluate(hidden) == 0


def open_text(tab, text):
    tab.click("#open-load")
    tab.evaluate(f"document.querySelector('dialog textarea').value = {json.dumps(text)}")
    tab.click("dialog button.primary")


def careless(out):
    """browser: a clock runs on while its player looks back, and what cannot be done changes nothing"""
    with page_server(out) as address, tab_of(out) as tab:
        player = Player(tab, address)
        player.begin(time="600+5")
        player.wait_for_turn()
        player.type_move("1. e4")
        player.wait_for_turn()
        clock = "document.querySelector('.strip.white .clock').textContent"
        first = tab.evaluate(clock)
        tab.wait(f"{clock} !== {json.dumps(first)}")
        tab.press("ArrowLeft")
        assert tab.evaluate(clock) != first

        tab.open(f"{address}/analysis")
        tab.wait("document.querySelectorAll('.lines li .score').length === 3")
        open_text(tab, f"1. e4 {{{'x' * 300_000}}} e5")
        heard(tab, "too long")
        tab.click("#open-setup")
        tab.click("#setup .actions button:nth-child(2)")
        tab.click("#setup button.primary")
        tab.wait("document.querySelector('#setup .trouble')?.textContent")
        tab.click("#setup .actions:last-child button:nth-child(2)")
        # Moves that are typed faster than the server answers wait for their positions.
        tab.click("#typed-text")
        for text in ("1", "e4", "1... e5"):
            tab.type(text)
            tab.press("Enter")
        for answer in ("not a legal move", "E4.", "E5."):
            heard(tab, answer)
        tab.wait("document.querySelectorAll('.move').length === 2")

        # The whole game is analysed while its start is looked at.
        tab.click("#review-start")
        tab.press("Home")
        tab.wait("document.getElementById('review-text').textContent.includes('accuracy')")

        # A man from the pocket follows a quick hand.
        open_text(tab, '[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5 *')
        tab.wait("document.querySelectorAll('.strip.white .pocket button:enabled').length === 1")
        tab.drag(".strip.white .pocket [data-source='P@']", "#board [data-square=e4]")
        tab.wait("document.querySelector('[aria-current=true]')?.textContent.includes('@e4')")
        assert not tab.evaluate("!!document.querySelector('.ghost')")
        tab.click("#open-setup")
        assert tab.evaluate("document.querySelector('[name=hand-black]').value") == "P"
        tab.evaluate("document.querySelector('[name=hand-white]').value = 'NN'")
        tab.click("#setup button.primary")
        tab.wait("document.querySelector('.strip.white .pocket [data-source=\"N@\"] .count')?.textContent === '2'")
        wall = tab.browser.tab()
        wall.open(f"{address}/")
        wall.call("Page.bringToFront")
        wall.wait("document.querySelector('.mini .white .extras')?.textContent === '2'")
        tab.call("Page.bringToFront")
        open_text(tab, "1. e4 *")
        wall.call("Page.bringToFront")
        wall.wait("[...document.querySelectorAll('.mini .extras')].every((extras) => !extras.childNodes.length)")


def heard(tab, text):
    """Waits until the log of the page has a text."""
    tab.wait(f"[...document.querySelectorAll('#events p')].some((line) => line.textContent.includes({json.dumps(text)}))")


def engines(out):
    """browser: Stockfish's lines stand beside Farboard's for each position, also after a reload and a lost server"""
    config = out / "farboard.toml"
    lines = "document.querySelectorAll('.other-engine .lines .score').length"
    with ExitStack() as servers, tab_of(out) as tab:
        config.write_text(configuration())
        server, address = mortal_page(servers, out, "http://127.0.0.1:0", "--config", config)
        tab.open(f"{address}/analysis")
        tab.wait("document.querySelectorAll('#lines .score').length === 3")
        tab.click("#engines summary")
        boxes = tab.evaluate("[...document.querySelectorAll('#engine-names label')].map((label) => label.textContent)")
        box = next(number for number, name in enumerate(boxes, 1) if name.startswith("Stockfish"))
        tab.click(f"#engine-names label:nth-child({box}) input")
        tab.wait(f"{lines} === 3")
        tab.click(".other-engine .lines li:nth-child(2) button:nth-child(2)")
        tab.wait("document.querySelectorAll('.move').length === 2")
        tab.wait(f"{lines} === 3 && document.querySelector('.other-engine .lines button').textContent.startsWith('2.')")
        tab.screenshot(out / "engines.png")
        tab.reload()
        tab.wait(f"{lines} === 3")
        server.kill()
        server.wait()
        tab.wait("document.querySelector('.other-engine .quiet').textContent")
        mortal_page(servers, out, address, "--config", config)
        tab.wait(f"{lines} === 3 && !document.querySelector('.other-engine .quiet').textContent")
        tab.click(f"#engine-names label:nth-child({box}) input")
        tab.wait("!document.querySelector('.other-engine')")


def watching(out):
    """browser: a game is found on the wall, and watched while it is played"""
    with page_server(out) as address, tab_of(out) as tab:
        player = Player(tab.browser.tab(), address)
        player.begin("crazyhouse")
        player.wait_for_turn()
        player.type_move(player.hint())
        player.wait_for_turn()
        tab.open(f"{address}/")
        # Only what is on the screen is sent, and a tab in the background is not drawn.
        tab.call("Page.bringToFront")
        tab.wait("document.querySelector('.mini .unseen')?.textContent.includes('Crazyhouse')")
        for kind, shown in [("analysis", 0), ("mine", 1)]:
            choose = f"const kind = document.getElementById('kind'); kind.value = '{kind}'"
            tab.evaluate(f"{{ {choose}; kind.dispatchEvent(new Event('change')); }}")
            tab.wait(f"[...document.querySelectorAll('.mini')].filter((tile) => tile.checkVisibility()).length === {shown}")
        tab.click(".mini")
        tab.wait(f"location.pathname.startsWith('/game/') && {MOVES} === {player.moves()}")
        player.type_move(player.hint())
        player.wait_for_turn()
        tab.wait(f"{MOVES} === {player.moves()}")
        assert tab.evaluate("document.querySelectorAll('.pocket:not([hidden])').length") == 2
        player.tab.call("Page.bringToFront")
        player.tab.click("[data-act=take_back]")
        heard(tab, "Moves were taken back.")
        for button in ("[data-act=resign]", "dialog button.primary", "#result button.primary"):
            player.tab.wait(f"!!document.querySelector('{button}')?.checkVisibility()")
            player.tab.click(button)
        heard(tab, "A new game begins.")


def sharing(out):
    """browser: guests of a shared analysis see the same lines, move if they may, and do so after a reload and a lost server"""
    names = "(() => [...document.querySelectorAll('#moves .main > .move')].map((move) => move.textContent).join(' '))()"
    with ExitStack() as servers, tab_of(out) as coach:
        server, address = mortal_page(servers, out)
        coach.open(f"{address}/analysis")
        coach.wait("document.querySelectorAll('.lines li .score').length === 3")
        coach.click("#share")
        links = coach.evaluate("[...document.querySelectorAll('dialog input')].map((field) => field.value)")
        coach.evaluate("document.querySelector('dialog').close()")
        watcher, pupil = coach.browser.tab(), coach.browser.tab()
        for tab, link in [(watcher, links[0]), (pupil, links[1])]:
            tab.open(link)
            tab.call("Page.bringToFront")
            tab.wait("document.querySelectorAll('.lines li .score').length === 3")
        pupil.click("#board [data-square=e2]")
        # Pictures that come meanwhile leave the man selected.
        about = "document.querySelector('#lines .about').textContent"
        before = pupil.evaluate(about)
        pupil.wait(f"{about} !== {json.dumps(before)}")
        pupil.click("#board [data-square=e4]")
        for tab in (coach, pupil, watcher):
            tab.call("Page.bringToFront")
            tab.wait(f"{names}.includes('e4')")
        coach.wait("document.querySelectorAll('.lines li .score').length === 3")
        watcher.call("Page.bringToFront")
        for square in ("e7", "e5"):
            watcher.click(f"#board [data-square={square}]")
        pupil.call("Page.bringToFront")
        pupil.press("Home")
        pupil.click("#set-board")
        pupil.wait("document.querySelectorAll('.move').length === 0")
        coach.call("Page.bringToFront")
        coach.wait("!document.querySelector('#moves [aria-current=true]')?.textContent.includes('e4')")
        assert "e5" not in coach.evaluate(names)
        coach.reload()
        coach.wait("document.querySelectorAll('.lines li .score').length === 3")
        coach.click("#running")
        guest_moves(coach, pupil, ("d2", "d4"), "d4", lines=0)
        coach.click("#running")
        server.kill()
        server.wait()
        for tab in (coach, pupil):
            tab.wait("document.getElementById('connection').textContent")
        mortal_page(servers, out, address)
        guest_moves(coach, pupil, ("g8", "f6"), "Nf6")
        coach.click("#share")
        coach.click("dialog .actions button:nth-child(3)")
        pupil.call("Page.bringToFront")
        pupil.wait("document.getElementById('game-about').textContent.includes('guests may not move')")


def guest_moves(coach, pupil, squares, san, lines=3):
    """Waits until both pages are connected again, and moves as the guest."""
    for tab, ready in [(coach, f"document.querySelectorAll('.lines li .score').length === {lines}"), (pupil, "true")]:
        tab.wait(f"!document.getElementById('connection').textContent && {ready}")
    pupil.call("Page.bringToFront")
    pupil.wait("document.getElementById('game-about').textContent.includes('you may move')")
    for square in squares:
        pupil.click(f"#board [data-square={square}]")
    coach.call("Page.bringToFront")
    coach.wait(f"document.querySelector('#moves [aria-current=true]')?.textContent.includes('{san}')")


def signing_in(out):
    """browser: a server asks for its secret or a user's key, and the game goes on after a restart"""
    secret = out / "secret"
    secret.write_text("open sesame number 1\n")
    secret.chmod(0o600)
    keys = {name: keygen(out, name) for name in ("alice", "mallory")}
    users = out / "users"
    users.write_text(keys["alice"].public)
    users.chmod(0o644)
    config = out / "farboard.toml"
    with ExitStack() as servers, tab_of(out) as tab:
        config.write_text(f'[http]\naddress = "127.0.0.1:0"\nsecret_file = "{secret}"\n')
        server, address = mortal_page(servers, out, None, "--config", config)
        player = Player(tab, address)
        tab.open(f"{address}/play")
        sign_in(tab, "secret", "open sesame number 2")
        tab.wait("document.querySelector('#form-error').textContent.includes('wrong')")
        sign_in(tab, "secret", "open sesame number 1")
        tab.wait("location.pathname === '/play'")
        player.begin()
        player.wait_for_turn()
        player.type_move(player.hint())
        player.wait_for_turn()
        server.kill()
        server.wait()
        # The cookie is still good, but the server that follows knows users only.
        config.write_text(f'users = "{users}"\nhttp = "{address.removeprefix("http://")}"\ncontrol = "{out / "control"}"\n')
        server, _ = mortal_page(servers, out, None, "--config", config)
        for private in ("farboard-key", keys["mallory"].private.replace("mallory", "alice")):
            type_key(tab, private)
            tab.wait("document.querySelector('#form-error').textContent")
        assert "no user with this name and key" in tab.evaluate("document.querySelector('#form-error').textContent")
        type_key(tab, keys["alice"].private)
        tab.wait("location.pathname === '/play'")
        player.wait_for_turn()
        assert player.moves() == 2, player.moves()
        listed = run([SERVER, "sessions", "--control", out / "control"])
        assert "alice" in listed, listed


def keygen(out, name):
    """A user's new key: the line of its file and the line for the server."""
    file = out / f"{name}.key"
    public = run([SERVER, "keygen", name, file])
    return SimpleNamespace(private=file.read_text().strip(), public=public)


def run(command):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=TEST_TIMEOUT).stdout


def sign_in(tab, field, text):
    """Types into a field of the page that asks for a login."""
    tab.wait(f"location.pathname === '/login' && document.activeElement?.id === '{field}'")
    tab.evaluate("window.isOld = true")
    tab.type(text)
    tab.press("Enter")
    tab.wait("!window.isOld && document.readyState === 'complete'")


def type_key(tab, private):
    """Gives the page that asks for a login the line of a private key."""
    tab.wait("location.pathname === '/login' && document.activeElement?.id === 'key'")
    tab.evaluate("document.querySelector('#form-error').textContent = ''")
    tab.evaluate("document.querySelector('#key').value = ''")
    tab.type(private)
    tab.press("Enter")


def blind(out):
    """browser: a game is won by what the accessibility tree says, with an evaluation before each move"""
    with page_server(out) as address, tab_of(out) as tab:
        tab.open(f"{address}/play")
        listener = Listener(tab)
        for radio in ("By level", "No clock", "White"):
            tab.focus("radio", radio)
            tab.press(" ")
        tab.focus("slider", "Level of the opponent")
        tab.press("Home")
        tab.focus("button", "Play")
        tab.press("Enter")
        listener.hear("You play White")
        assert "e2, white pawn" in tab.names("gridcell") and len(tab.names("gridcell")) == 64, tab.names("gridcell")
        for count in range(MOST_MOVES):
            listener.ask("hint", "Hint: ")
            hint = re.search(r"\(([^()]+)\)\.$", listener.heard).group(1)
            listener.ask("score", "No evaluation", "White is ", "Black is ", "The position ", "White mates", "Black mates")
            listener.ask(hint, "Farboard: ", "White wins", "Black wins", "Draw")
            if not listener.heard.startswith("Farboard"):
                break
        print(f"{count + 1} moves: {listener.heard}")
        assert listener.heard.startswith("White wins"), listener.heard


class Listener:
    """A person who types, and gets the lines of the log."""

    def __init__(self, tab):
        self.tab = tab
        self.lines = []
        self.heard = ""

    def ask(self, text, *beginnings):
        self.tab.focus("textbox", "Type a move or a question")
        self.tab.type(text)
        self.tab.press("Enter")
        self.hear(*beginnings)

    def hear(self, *beginnings):
        """Waits for a new line that begins like one of these."""
        end = time.monotonic() + TEST_TIMEOUT
        while True:
            if fitting := [line for line in self.new_lines() if line.startswith(beginnings)]:
                self.heard = fitting[-1]
                return
            assert time.monotonic() < end, f"nothing begins with {beginnings}: {self.lines}"

    def new_lines(self):
        """The lines added since the last call. The log drops its oldest ones."""
        log = self.tab.accessible("log")
        lines = self.tab.names("StaticText", within=log[0]["backendDOMNodeId"]) if log else []
        kept = next(count for count in range(len(lines), -1, -1) if self.lines[len(self.lines) - count :] == lines[:count])
        self.lines = lines
        return lines[kept:]


SCENARIOS = [clicking, keyboard, typed, reloading, analysing, saving, new_game, careless, engines, watching, sharing, signing_in, blind]
