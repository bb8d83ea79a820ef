"""Parses the page: code blocks with the paragraphs above them, and the table of machines."""

import re
from dataclasses import dataclass

from paths import PAGE

HEADING = "# From an empty Debian to three servers"


@dataclass
class Block:
    """A code block and the paragraph above it."""

    paragraph: str
    language: str
    text: str
    line: int


def blocks():
    """The code blocks of the page's main section."""
    lines = PAGE.read_text().splitlines()
    begin = lines.index(HEADING) + 1
    found, paragraph, number = [], [], begin
    while number < len(lines) and not lines[number].startswith("## "):
        line = lines[number]
        if line.startswith("```"):
            end = lines.index("```", number + 1)
            found.append(Block(" ".join(paragraph), line[3:], "\n".join(lines[number + 1 : end]), number + 1))
            paragraph = []
            number = end
        elif line:
            paragraph.append(line)
        elif paragraph and not lines[number + 1].startswith("```"):
            paragraph = []
        number += 1
    return found


def named_machines():
    """The addresses of the table, by name."""
    section = PAGE.read_text().split(HEADING, 1)[1].split("\n## ", 1)[0]
    machines = {}
    for names, addresses in re.findall(r"(?m)^\| ([a-z, ]+) \| (\d[^|]*) \|", section):
        machines.update(zip(names.split(", "), re.findall(r"\d+\.\d+\.\d+\.\d+", addresses)))
    return machines


def installed_from_debian():
    """The Debian packages that the page installs."""
    words = set()
    for block in blocks():
        for line in re.findall(r"(?m)^apt install -y (.*)$", block.text):
            words.update(word for word in line.split() if word[0] not in "-.")
    return sorted(words)


def matches(wanted, line):
    pattern = ".*".join(re.escape(part) for part in wanted.split("…"))
    return re.fullmatch(r"\s*" + pattern + r"\s*", line) is not None


def shows(wanted, output):
    """Returns True if the output has all lines, in that order."""
    lines = iter(output.splitlines())
    return all(any(matches(line, other) for other in lines) for line in wanted.splitlines())
