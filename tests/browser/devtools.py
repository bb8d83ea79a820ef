"""A small client of Chromium's DevTools protocol."""

import base64
import json
import re
import shutil
import subprocess
import tempfile
import time
from contextlib import contextmanager

from process import running
from websockets.sync.client import connect

# A busy machine may be slow; only a hang takes this long.
TEST_TIMEOUT = 60

KEYS = {"Enter": 13, "Tab": 9, " ": 32, "End": 35, "Home": 36, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, ".": 190}

# Resolves with the value of an expression as soon as that is true.
WAIT = """new Promise((resolve, reject) => {
    const end = performance.now() + %d;
    const look = () => {
        let value = null;
        try { value = %s; } catch (error) { if (performance.now() > end) return reject(error); }
        if (value) resolve(value);
        else if (performance.now() > end) reject(new Error("timed out"));
        else setTimeout(look, 10);
    };
    look();
})"""


class PageError(AssertionError):
    """A script of the test or of the page failed, or something did not happen in time."""


class Gone(Exception):
    """The page was replaced while a script ran in it."""


@contextmanager
def chromium():
    """Yields a headless browser."""
    profile = tempfile.mkdtemp(prefix="farboard-chromium-")
    command = [
        shutil.which("chromium") or "chromium",
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--remote-debugging-port=0",
        f"--user-data-dir={profile}",
        "about:blank",
    ]
    with open(f"{profile}/log", "w+") as log:
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": log}
        with running(command, **options) as process:
            with connect(debugger_of(log, process), max_size=None) as socket:
                yield Browser(socket)
    shutil.rmtree(profile, ignore_errors=True)


def debugger_of(log, process):
    """The address of the debugger, which the browser prints when it is ready."""
    end = time.monotonic() + TEST_TIMEOUT
    while time.monotonic() < end:
        log.seek(0)
        if found := re.search(r"ws://\S+", log.read()):
            return found.group()
        assert process.poll() is None, "Chromium did not start"
    raise AssertionError("Chromium has not printed its address")


class Browser:
    def __init__(self, socket):
        self.socket = socket
        self.number = 0
        self.complaints = []

    def call(self, method, session=None, **parameters):
        """Calls a method and returns its result; notes complaints of pages on the way."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        self.socket.send(json.dumps(message | ({"sessionId": session} if session else {})))
        while True:
            answer = json.loads(self.socket.recv(timeout=2 * TEST_TIMEOUT))
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise Gone(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.note(answer)

    def note(self, event):
        """Keeps exceptions of the page and violations of its policy. A lost server is no complaint."""
        parameters = event.get("params", {})
        if event.get("method") == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        if event.get("method") == "Log.entryAdded" and parameters["entry"]["source"] in ("security", "violation"):
            self.complaints.append(parameters["entry"]["text"])

    def tab(self):
        """Opens a tab."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        tab = Tab(self, session)
        for domain in ("Page", "Runtime", "Log", "Accessibility"):
            tab.call(f"{domain}.enable")
        tab.call("Emulation.setDeviceMetricsOverride", width=1280, height=900, deviceScaleFactor=1, mobile=False)
        return tab


class Tab:
    def __init__(self, browser, session):
        self.browser = browser
        self.session = session

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def evaluate(self, expression):
        """The value of an expression of JavaScript, or of its promise."""
        parameters = {"awaitPromise": True, "returnByValue": True, "userGesture": True}
        answer = self.call("Runtime.evaluate", expression=expression, **parameters)
        if details := answer.get("exceptionDetails"):
            raise PageError(f"{expression[-200:]}: {details.get('exception', {}).get('description', details['text'])}")
        return answer["result"].get("value")

    def wait(self, expression, patience=TEST_TIMEOUT):
        """Waits until an expression is true, also over a reload, and returns its value."""
        end = time.monotonic() + patience
        while True:
            left = end - time.monotonic()
            assert left > 0, f"not true within {patience} s: {expression}"
            try:
                return self.evaluate(WAIT % (left * 1000, expression))
            except Gone:
                continue
            except PageError as error:
                raise PageError(f"never true: {expression}") from error

    def open(self, address):
        self.call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete'")

    def reload(self):
        """Loads the page again, and waits until the old one is gone."""
        self.evaluate("window.isOld = true")
        self.call("Page.reload")
        self.wait("!window.isOld && document.readyState === 'complete'")

    def click(self, selector):
        """Clicks the middle of an element, which must be on the screen and not covered."""
        quoted = json.dumps(selector)
        self.wait(f"!!document.querySelector({quoted})?.checkVisibility()")
        x, y = self.evaluate(
            f"""(() => {{
                const element = document.querySelector({quoted});
                element.scrollIntoView({{ block: "nearest", behavior: "instant" }});
                const {{ x, y, width, height }} = element.getBoundingClientRect();
                const [left, top] = [x + width / 2, y + height / 2];
                const hit = document.elementFromPoint(left, top);
                if (!element.contains(hit)) throw new Error("covered by " + hit?.outerHTML.slice(0, 80));
                return [left, top];
            }})()"""
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def drag(self, source, target):
        """Drags the middle of an element to that of another in few movements, as a quick hand does."""
        middle = """(({ x, y, width, height }) => [x + width / 2, y + height / 2])(
            document.querySelector(%s).getBoundingClientRect())"""
        start, end = (self.evaluate(middle % json.dumps(selector)) for selector in (source, target))
        for kind, part in [("mousePressed", 0), ("mouseMoved", 0.4), ("mouseMoved", 0.8), ("mouseMoved", 1), ("mouseReleased", 1)]:
            x, y = (first + part * (last - first) for first, last in zip(start, end))
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=int(kind != "mouseReleased"), clickCount=1)

    def press(self, key):
        """Presses and releases a key."""
        text = "\r" if key == "Enter" else key if len(key) == 1 else ""
        code = KEYS.get(key) or ord(key.upper())
        down = {"type": "keyDown", "text": text} if text else {"type": "rawKeyDown"}
        self.call("Input.dispatchKeyEvent", key=key, windowsVirtualKeyCode=code, **down)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def type(self, text):
        for character in text:
            self.press(character)

    def accessible(self, role, name=None, within=None):
        """The nodes of the accessibility tree with this role, and name if given."""
        place = {"backendNodeId": within} if within else {"nodeId": self.call("DOM.getDocument", depth=0)["root"]["nodeId"]}
        wanted = {"role": role} | ({"accessibleName": name} if name else {})
        nodes = self.call("Accessibility.queryAXTree", **place, **wanted)["nodes"]
        return [node for node in nodes if not node["ignored"]]

    def names(self, role, within=None):
        return [node.get("name", {}).get("value", "") for node in self.accessible(role, within=within)]

    def focus(self, role, name):
        """Moves the focus to a node of the accessibility tree, as a screen reader does."""
        end = time.monotonic() + TEST_TIMEOUT
        while not (found := self.accessible(role, name)):
            assert time.monotonic() < end, f"there is no {role} {name!r}, only {self.names(role)}"
        self.call("DOM.focus", backendNodeId=found[0]["backendDOMNodeId"])

    def screenshot(self, path):
        # A tab in the background is not drawn.
        self.call("Page.bringToFront")
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
