"""How many tests a check ran, read from the output of the runners that are known (`framework/runners.txt`)."""

from __future__ import annotations

import re
from functools import cache

from limpet.ground.text.word_lists import read_words

FILE = "runners.txt"


def count_tests(line: str, output: str) -> int | None:
    """Return how many tests ran, None where neither the command line nor the output is one of a known runner."""
    named = [name for name, words, _ in _runners() if any(word.search(line) for word in words)]
    counts = {name: _sum(patterns, output) for name, _, patterns in _runners()}
    if named:
        return max(counts[name] for name in named)
    return max(counts.values()) or None


def _sum(patterns: tuple[re.Pattern[str], ...], output: str) -> int:
    found = (match for pattern in patterns for match in pattern.finditer(output))
    return sum(int(match[1]) if match.re.groups else 1 for match in found)


@cache
def _runners() -> tuple[tuple[str, tuple[re.Pattern[str], ...], tuple[re.Pattern[str], ...]], ...]:
    """Return (name, patterns of its words in a command line, patterns of its counts) of each known runner."""
    found = []
    for name, entries in read_words(FILE).items():
        pairs = [entry.split(" ", 1) for entry in entries]
        words = tuple(re.compile(rf"(?<![\w.-]){re.escape(text)}(?![\w-])") for kind, text in pairs if kind == "word")
        found.append((name, words, tuple(re.compile(text) for kind, text in pairs if kind == "count")))
    return tuple(found)
