"""Fit and test the weights of ``limpet.ground.text.tokens`` against a real tokenizer.

    python bench/tokens_calibrate.py bench/tokens_corpus/*.txt docs src ...

Each argument is a UTF-8 text file or a folder of them, and weighs the same. Every second chunk is fitted, the others
are the test. Prints the test, then COSTS as it belongs into ``src/limpet/ground/tokens.py``.
"""

from __future__ import annotations

import math
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from limpet.ground.text.tokens import COSTS, RESERVE, views  # noqa: E402

try:
    import ctok  # type: ignore[import-not-found]
except ImportError:
    sys.exit("needs Python 3.12 and ctok (pip install ctok)")

FAMILY = "4.7"
SIZES = (200, 800, 2500)
LIMIT = 150_000  # characters taken from one argument
CAUTION = 0.80  # weight of an undercount against 0.20 of an equal overcount
SWEEPS = 2_000
SUFFIXES = {".md", ".txt", ".py", ".js", ".ts", ".json", ".yaml", ".yml", ".toml", ".sh", ".html", ".xml"}
# Tokens a character that are set, not fitted, because samples are short or scripts of unlike cost share a page of
# Unicode. Measured on interface texts: I Hindi 0.9, Thai 1.0, Bengali 1.1; J Punjabi 2.5, Kannada 2.0, Gujarati and
# Telugu 1.1; M Malayalam 1.3, Khmer and Burmese 1.2; V Vietnamese. Y, B, l, m lie between what a sign costs alone and
# in running text. "?" and Z (half a character beyond U+FFFF) are what the UTF-8 bytes cost at most, less RESERVE.
FIXED = {
    ("scripts", b"I"): 1.05, ("scripts", b"J"): 2.4, ("scripts", b"M"): 1.25, ("scripts", b"V"): 0.8,
    ("scripts", b"Y"): 2.6, ("scripts", b"B"): 1.3, ("scripts", b"?"): 3.0, ("scripts", b"Z"): 1.75,
    ("beyond", b"l"): 2.0, ("beyond", b"m"): 2.2,
}  # fmt: skip
FEATURES = [(view, pattern) for view, patterns in COSTS.items() for pattern in patterns]


class Chunk(NamedTuple):
    """``counts`` in the order of FEATURES, ``tokens`` by the tokenizer, ``weight`` in the fit."""

    source: str
    size: int
    counts: list[int]
    tokens: int
    weight: float


def main(paths: list[str]) -> None:
    if not paths:
        sys.exit(__doc__)
    chunks = [chunk for path in paths for chunk in cut(Path(path))]
    report(chunks[1::2], fit(chunks[::2]))
    show(fit(chunks))


def cut(path: Path) -> list[Chunk]:
    """All chunks of one argument, of every size."""
    texts = list(read(path))
    pieces = [(size, piece) for text in texts for size in SIZES for piece in split(text, size)]
    return [Chunk(path.stem, size, count(piece), tokens(piece), 1 / len(pieces)) for size, piece in pieces]


def read(path: Path) -> Iterator[str]:
    files = [path] if path.is_file() else sorted(f for f in path.rglob("*") if f.suffix in SUFFIXES and f.is_file())
    share = max(5_000, LIMIT // max(1, len(files)))
    step = max(1, len(files) * share // LIMIT)
    for file in files[::step]:
        try:
            yield file.read_text(encoding="utf-8")[:share]
        except UnicodeDecodeError:
            continue


def split(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text) - size + 1, size)]


def count(text: str) -> list[int]:
    seen = views(text)
    return [seen.get(view, b"").count(pattern) for view, pattern in FEATURES]


def tokens(text: str) -> int:
    """Tokens of the text alone: a count is that of a whole message, whose frame a one-letter message shows."""
    return int(ctok.token_count(text, FAMILY) - ctok.token_count("a", FAMILY) + 1)


def fit(chunks: list[Chunk]) -> list[float]:
    """Weights >= 0 with the least squared relative error, an undercount weighing more than an overcount."""
    costs = [FIXED.get(feature, 0.1) for feature in FEATURES]
    for _ in range(12):
        weights = [
            chunk.weight * (CAUTION if error(chunk, costs) < 0 else 1 - CAUTION) / chunk.tokens**2 for chunk in chunks
        ]
        costs = solve(chunks, weights, costs)
    return costs


def solve(chunks: list[Chunk], weights: list[float], costs: list[float]) -> list[float]:
    """Coordinate descent over the normal equations."""
    span = range(len(FEATURES))
    gram = [[0.0] * len(FEATURES) for _ in span]
    target = [0.0] * len(FEATURES)
    for chunk, weight in zip(chunks, weights, strict=True):
        present = [(j, n) for j, n in enumerate(chunk.counts) if n]
        for j, n in present:
            target[j] += weight * n * chunk.tokens
            for k, m in present:
                gram[j][k] += weight * n * m
    costs = list(costs)
    for _ in range(SWEEPS):
        for j in span:
            if gram[j][j] and FEATURES[j] not in FIXED:
                slope = target[j] - sum(gram[j][k] * costs[k] for k in span)
                costs[j] = max(0.0, costs[j] + slope / gram[j][j])
    return costs


def error(chunk: Chunk, costs: list[float], reserve: float = 0.0) -> float:
    """Relative: -0.1 is an undercount by a tenth."""
    plain = sum(n * cost for n, cost in zip(chunk.counts, costs, strict=True))
    guess = math.ceil(plain * (1 + reserve)) if reserve else plain
    return guess / chunk.tokens - 1


def report(chunks: list[Chunk], costs: list[float]) -> None:
    print("                 |             without reserve             |   with reserve")
    print("chunks         n |    mean  median abs      p5  undercount | undercount  median    worst")
    for size in SIZES:
        line(f"{size} chars", [chunk for chunk in chunks if chunk.size == size], costs)
    for source in dict.fromkeys(chunk.source for chunk in chunks):
        line(source, [chunk for chunk in chunks if chunk.source == source], costs)


def line(name: str, chunks: list[Chunk], costs: list[float]) -> None:
    if not chunks:
        return
    n = len(chunks)
    plain = sorted(error(chunk, costs) for chunk in chunks)
    safe = sorted(error(chunk, costs, RESERVE) for chunk in chunks)
    median = sorted(map(abs, plain))[n // 2]
    print(
        f"{name[:11]:11}{n:5} | {sum(plain) / n:+7.1%}  {median:10.1%} {plain[n // 20]:+7.1%}  {under(plain):10.1%}"
        f" | {under(safe):10.1%} {safe[n // 2]:+7.1%}  {safe[0]:+7.1%}"
    )


def under(errors: list[float]) -> float:
    return sum(e < 0 for e in errors) / len(errors)


def show(costs: list[float]) -> None:
    """COSTS as Python source."""
    for view in COSTS:
        items = [f'b"{p.decode()}":_{c:.2f},' for (v, p), c in zip(FEATURES, costs, strict=True) if v == view]
        body = textwrap.fill(" ".join(items), 100, initial_indent=" " * 8, subsequent_indent=" " * 8)
        print(f'    "{view}": {{\n{body}\n    }},'.replace("_", " "))


if __name__ == "__main__":
    main(sys.argv[1:])
