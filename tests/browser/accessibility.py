"""Every page, as checked by axe-core: names, roles, contrast, landmarks, and sizes of targets."""

import json
from contextlib import ExitStack
from importlib.resources import files

from browser_games import tab_of
from page_server import page_server
from player import Player

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text()
# Widths of a phone and a desktop.
WIDTHS = (390, 1280)
SCHEMES = ("light", "dark")


def accessible(out):
    """browser: axe-core finds no violation on any page, wide and narrow, light and dark"""
    secret = out / "secret"
    secret.write_text("open sesame number 1\n")
    secret.chmod(0o600)
    users = out / "users"
    users.write_text("bob certificate\n")
    users.chmod(0o644)
    with ExitStack() as stack:
        tab = stack.enter_context(tab_of(out))
        locked = stack.enter_context(page_server(out, "--secret-file", secret, "--users", users))
        tab.open(f"{locked}/login")
        tab.wait("!document.getElementById('with-key').hidden")
        check(tab, "login")
        address = stack.enter_context(page_server(out))
        other = tab.browser.tab()
        player = Player(other, address)
        player.begin("crazyhouse")
        player.wait_for_turn()
        player.type_move(player.hint())
        player.wait_for_turn()
        other.call("Page.bringToFront")
        check(other, "a game of crazyhouse")
        tab.open(f"{address}/play")
        tab.wait("document.querySelectorAll('main select option').length > 1")
        check(tab, "a new game")
        tab.open(f"{address}/")
        tab.call("Page.bringToFront")
        tab.wait("document.querySelector('.mini .unseen')?.textContent.includes('Crazyhouse')")
        game = tab.evaluate("document.querySelector('#wall a').href")
        check(tab, "the wall")
        tab.open(game)
        tab.wait("document.querySelectorAll('.move').length === 2")
        check(tab, "a game that is watched")
        tab.open(f"{address}/analysis")
        tab.wait("document.querySelectorAll('.lines li .score').length === 3")
        check(tab, "an analysis")
        for button in ("open-load", "open-copy", "share"):
            tab.click(f"#{button}")
            tab.wait("document.querySelector('dialog[open]')")
            check(tab, f"the dialog of #{button}")
            tab.press("Escape")
            tab.wait("!document.querySelector('dialog[open]')")
        tab.click("#open-setup")
        tab.wait("!document.getElementById('setup').hidden")
        check(tab, "setting up a position")
        tab.open(f"{address}/web/missing.html")
        check(tab, "an address without a page")


def check(tab, name):
    """Runs axe-core on the page as it is, in all widths and colours."""
    tab.evaluate(f"void (window.axe || (() => {{ {AXE} }})())")
    for width in WIDTHS:
        for scheme in SCHEMES:
            metrics = {"height": 900, "deviceScaleFactor": 1, "mobile": width < 800}
            tab.call("Emulation.setDeviceMetricsOverride", width=width, **metrics)
            colours = [{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}]
            tab.call("Emulation.setEmulatedMedia", features=colours)
            found = json.loads(tab.evaluate("axe.run(document).then((found) => JSON.stringify(found))"))
            assert len(found["passes"]) > 10, "hardly a rule applies: is this the page?"
            violations = [f"{rule['id']}: {node['html']}" for rule in found["violations"] for node in rule["nodes"]]
            assert not violations, f"{name}, {width} pixels, {scheme}: " + "\n".join(violations)


SCENARIOS = [accessible]
