"""The conversation between xboard and an engine, from xboard's debug file."""

import re

LINE = re.compile(r"^(\d+) ([<>])(first|second)\s*: (.*)$")

KNOWN = [
    re.compile(form)
    for form in (
        r"feature .+",
        r"pong \d+",
        r"move ([a-h][1-8][a-h][1-8][nbrqk]?|O-O|O-O-O|[PNBRQ]@[a-h][1-8])",
        r"setup \([\w.]+\) 8x8\+0_fairy .+",
        r"\s*\d+ -?\d+ \d+ \d+( \d+)*[ \t].*",
        r"(1-0|0-1|1/2-1/2) \{.*\}",
        r"offer draw",
        r"Hint: .+",
        r"stat01: \d+ \d+ \d+ \d+ \d+( \S+)?",
        r"#.*",
    )
]

# From an opponent, a verdict on the engine's move; its other complaints are about xboard.
ILLEGAL = re.compile(r"illegal", re.IGNORECASE)

# Refused by xboard 4.9.1 although they are in the protocol.
UNKNOWN_TO_XBOARD = re.compile(r"rejected (setscore|option \S+ -reset)")

TROUBLE = re.compile(r"error|illegal|rejected|NON-COMPLIANT|exited|unrecognized|lost", re.IGNORECASE)


def conversation(path):
    """(direction, engine, line) for every line; '<' comes from the engine."""
    for line in path.read_text(errors="replace").splitlines():
        if found := LINE.match(line):
            yield found[2], found[3], found[4]


def thinking_times(path, engine):
    """Seconds from each `time` before the engine's turn to its move."""
    times, asked = [], None
    for line in path.read_text(errors="replace").splitlines():
        if not (found := LINE.match(line)) or found[3] != engine:
            continue
        seconds, event = int(found[1]) / 1000, found[2] + found[4]
        if event.startswith(">time "):
            asked = seconds
        elif event.startswith("<move ") and asked is not None:
            times.append(seconds - asked)
            asked = None
    return times


def check(path, engines, expected=()):
    """Checks that these engines send only lines that xboard knows, and that there are no complaints
    about them. `expected` has the forms of complaints that a test provokes.
    """
    book = False
    for direction, engine, line in conversation(path):
        if any(re.fullmatch(form, line) for form in [UNKNOWN_TO_XBOARD, *expected]):
            continue
        trouble = TROUBLE if engine in engines else ILLEGAL
        assert not trouble.search(line), f"{direction}{engine}: {line}, see {path}"
        if engine not in engines:
            continue
        if direction == ">":
            book = book or line == "bk"
        elif book:
            # Book output is indented and ends with an empty line.
            book = line != ""
            assert not line or line[0] in " \t", f"not indented: {line}, see {path}"
        else:
            assert any(form.fullmatch(line) for form in KNOWN), f"xboard does not know: {line}, see {path}"


def lowest_clocks(path, engines):
    """The lowest clock of each engine, in centiseconds."""
    clocks = {engine: [] for engine in engines}
    for direction, engine, line in conversation(path):
        if engine in engines and direction == ">" and line.startswith("time "):
            clocks[engine].append(int(line.split()[1]))
    for engine, readings in clocks.items():
        assert readings, f"the {engine} engine never received its time, see {path}"
        # xboard shows a fallen flag as one hundredth of a second.
        assert min(readings) > 1, f"the flag of the {engine} engine fell, see {path}"
    return {engine: min(readings) for engine, readings in clocks.items()}
