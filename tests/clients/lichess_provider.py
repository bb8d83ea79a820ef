"""A provider of an external engine for lichess: requests jobs one at a time and sends the engine's results.

It sends the engine the same lines as lichess's example: unchecked options, `moves` without any, `stop` with every
job.
"""

import argparse
import json
import subprocess
import threading
import urllib.request
from http.client import HTTPConnection


class Engine:
    def __init__(self, command):
        # lichess's example also accepts a shell command line.
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "bufsize": 1, "text": True}
        self._child = subprocess.Popen(command, shell=True, **pipes)
        self._said = threading.Lock()
        self._session, self._settings = None, {}
        self.send("uci")
        self.variants = []
        for line in self.until("uciok"):
            if line.startswith("option name UCI_Variant "):
                self.variants = line.split(" var ")[1:]
        self.send("setoption name UCI_AnalyseMode value true")
        self.send("setoption name UCI_Chess960 value true")

    def send(self, line):
        with self._said:
            self._child.stdin.write(line + "\n")
            self._child.stdin.flush()

    def until(self, word):
        """Returns the lines before the next one that begins with this word."""
        while (line := self._child.stdout.readline()).split()[:1] != [word]:
            if not line:
                raise EOFError(word)
            yield line.strip()

    def is_ready(self):
        self.send("isready")
        list(self.until("readyok"))

    def finds(self, work):
        """Yields the lines with a score that this job produces."""
        if work["sessionId"] != self._session:
            self._session = work["sessionId"]
            self.send("ucinewgame")
            self.is_ready()
        names = {"threads": "Threads", "hash": "Hash", "multiPv": "MultiPV", "variant": "UCI_Variant"}
        changed = [key for key in names if work[key] != self._settings.get(key)]
        for key in changed:
            self._settings[key] = work[key]
            self.send(f"setoption name {names[key]} value {work[key]}")
        if changed:
            self.is_ready()
        self.send(f"position fen {work['initialFen']} moves {' '.join(work['moves'])}")
        limit = next(key for key in ("movetime", "depth", "nodes") if key in work)
        self.send(f"go {limit} {work[limit]}")
        for line in self.until("bestmove"):
            if line.startswith("info ") and "score" in line:
                yield line + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for flag in ("--engine", "--lichess", "--broker", "--token", "--log-level"):
        parser.add_argument(flag)
    asked = parser.parse_args()
    engine = Engine(asked.engine)
    secret = "a secret"
    post(f"{asked.lichess}/api/external-engine", {"name": "Farboard", "providerSecret": secret, "variants": known(engine)})
    while True:
        job = post(f"{asked.broker}/api/external-engine/work", {"providerSecret": secret})
        engine.send("stop")
        if job:
            send(asked.broker, job["id"], engine, job["work"])


def known(engine):
    """The engine's variants that lichess supports."""
    lichess = {"chess", "antichess", "atomic", "crazyhouse", "horde", "kingofthehill", "racingkings", "3check"}
    return [variant for variant in engine.variants if variant in lichess]


def post(url, what):
    request = urllib.request.Request(url, json.dumps(what).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read() or b"null")


def send(broker, number, engine, work):
    """Sends lines as they come. If the browser closes the connection, the search is stopped."""
    found = engine.finds(work)
    connection = HTTPConnection(broker.removeprefix("http://"))
    try:
        pieces = (line.encode() for line in found)
        headers = {"Transfer-Encoding": "chunked"}
        connection.request("POST", f"/api/external-engine/work/{number}", pieces, headers, encode_chunked=True)
        connection.getresponse().read()
    except OSError:
        pass
    finally:
        connection.close()
        engine.send("stop")
        for _ in found:
            pass


if __name__ == "__main__":
    main()
