"""Shell commands: forbidden ones hidden in the shell's forms, harmless ones of real projects, and what a look costs.

Forbidden commands are composed from a grammar (``tests/guard/shell/grammar.py``) by a seed, each checked by
``bash -n``; the harmless ones are those of ``tests/guard/shell/harmless.txt``. The speed is the processor time of a
whole process, as a ratio of the same interpreter started with ``-I -S -c pass``.

    python bench/shell.py [--count 2000] [--seed 0] [--speed] [--rounds 60] [--json] [--check]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections import Counter
from pathlib import Path

import limpet
from limpet.guard.acts import acts_of
from limpet.guard.shell.understand import parse_shell, understand

TESTS = Path(__file__).resolve().parents[1] / "tests" / "guard" / "shell"
SOURCE = os.path.dirname(os.path.dirname(limpet.__file__))
FORBIDDEN = frozenset(("push", "pull-request", "merge-request", "release", "deploy", "destructive", "remote-api"))
LOOK = """
import sys
sys.path.append(sys.argv[1])
from limpet.guard.acts import acts_of
from limpet.guard.shell.understand import parse_shell
from limpet.guard.shell.understand import understand
acts_of(understand(sys.argv[2], parse_shell))
"""
# What is timed: a command that is split without a parser, and one that is parsed.
TIMED = {"plain": "git status --short", "parsed": "cd src && git status | head -5"}
# At most this share of harmless commands may be asked about; a parsed look may cost so much more than a plain one.
MOST_NAGGED, MOST_PARSED = 0.005, 0.9


def main() -> None:
    """Measure and print; with ``--check`` exit 1 where a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    figures = speed(options.rounds) if options.speed else {**hidden(options.count, options.seed), **harmless()}
    if options.json:
        print(json.dumps(figures, indent=1))
    else:
        for name, value in figures.items():
            print(f"{name:34} {value}")
    faults = broken(figures)
    print(*faults, sep="\n", file=sys.stderr)
    sys.exit(1 if options.check and faults else 0)


def hidden(count: int, first: int) -> dict[str, object]:
    """Return how many composed commands show their act, are not clear, or are missed."""
    sys.path.insert(0, str(TESTS))
    from grammar import forbidden

    found: Counter[str] = Counter()
    missed: list[str] = []
    for seed in range(first, first + count):
        text, kind = forbidden(seed)
        if subprocess.run(["bash", "-n", "-c", text], capture_output=True, check=False).returncode:
            found["no shell text"] += 1
            continue
        understood = understand(text, parse_shell)
        if kind in {act.kind for act in acts_of(understood)}:
            found["act shows"] += 1
        elif not understood.clear:
            found["not clear"] += 1
        else:
            found["missed"] += 1
            missed.append(text)
    return {
        **{name: found[name] for name in ("act shows", "not clear", "missed", "no shell text")},
        "texts": missed[:10],
    }


def harmless() -> dict[str, object]:
    """Return how many commands of real projects may be asked about by a word, or count as a forbidden act."""
    texts = (TESTS / "harmless.txt").read_text(encoding="utf-8").splitlines()
    looks = [understand(text, parse_shell) for text in texts]
    nagged = [
        text
        for text, look in zip(texts, looks, strict=True)
        if (not look.clear and look.starts) or any(act.kind in FORBIDDEN for act in acts_of(look))
    ]
    return {"harmless": len(texts), "harmless that nag": len(nagged), "nagged": nagged}


def speed(rounds: int) -> dict[str, object]:
    """Return the median of the paired ratios to a bare interpreter, for each command that is timed."""
    ratios: dict[str, list[float]] = {name: [] for name in TIMED}
    for _ in range(rounds):
        for name, text in TIMED.items():
            floor = seconds(["-c", "pass"])
            ratios[name].append(seconds(["-c", LOOK, SOURCE, text]) / floor)
    return {name: round(statistics.median(found), 2) for name, found in ratios.items()}


def seconds(words: list[str]) -> float:
    """Return the processor time of an interpreter with these words, and of what it starts."""
    started = os.posix_spawn(sys.executable, [sys.executable, "-I", "-S", *words], dict(os.environ))
    _pid, status, used = os.wait4(started, 0)
    if status:
        raise SystemExit("the process failed")
    return used.ru_utime + used.ru_stime


def broken(figures: dict[str, object]) -> list[str]:
    """Return the promises that the figures break."""
    faults = []
    if figures.get("missed"):
        faults.append("a forbidden command was missed")
    nagged, harmless_ones = figures.get("harmless that nag", 0), figures.get("harmless", 1)
    if isinstance(nagged, int) and isinstance(harmless_ones, int) and nagged > MOST_NAGGED * harmless_ones:
        faults.append("more harmless commands nag than promised")
    plain, parsed = figures.get("plain"), figures.get("parsed")
    if isinstance(plain, float) and isinstance(parsed, float) and parsed - plain > MOST_PARSED:
        faults.append("a parsed look costs more than promised")
    return faults


if __name__ == "__main__":
    main()
