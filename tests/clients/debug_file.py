"""What xboard and an engine said to each other, from xboard's debug file."""

import re

LINE = re.compile(r"^(\d+) ([<>])(first|second)\s*: (.*)$")

KNOWN = [
    re.compile(form)
    for form in (
        r"feature .+",
        r"pong \d+",
        r"move ([a-h][1-8][a-h][1-8][nbrq]?|O-O|O-O-O)",
        r"\s*\d+ -?\d+ \d+ \d+( \d+)*[ \t].*",
        r"(1-0|0-1|1/2-1/2) \{.*\}",
        r"offer draw",
        r"Hint: .+",
        r"#.*",
    )
]

# From an opponent, that is a verdict on our move; its other complaints are about xboard.
ILLEGAL = re.compile(r"illegal", re.IGNORECASE)

TROUBLE = re.compile(r"error|illegal|rejected|NON-COMPLIANT|exited|unrecognized|lost", re.IGNORECASE)


def conversation(path):
    """(direction, engine, line) for every line; '<' comes from the engine."""
    for line in path.read_text(errors="replace").splitlines():
        if found := LINE.match(line):
            yield found[2], found[3], found[4]


def check(path, ours):
    """The engines named in `ours` speak only in forms that xboard knows, and nobody complains of them."""
    clocks = {engine: [] for engine in ours}
    for direction, engine, line in conversation(path):
        trouble = TROUBLE if engine in ours else ILLEGAL
        assert not trouble.search(line), f"{direction}{engine}: {line}"
        if engine not in ours:
            continue
        if direction == "<":
            assert any(form.fullmatch(line) for form in KNOWN), f"xboard does not know: {line}"
        elif line.startswith("time "):
            clocks[engine].append(int(line.split()[1]))
    for engine, readings in clocks.items():
        assert readings, f"the {engine} engine was never told its time"
        # xboard shows a flag that has fallen as one hundredth of a second.
        assert min(readings) > 1, f"the flag of the {engine} engine fell"
    return {engine: min(readings) for engine, readings in clocks.items()}
