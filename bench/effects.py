"""What looking at a repository costs the guard: a snapshot, and the look at the end of a turn, as multiples of what
``git status`` takes in the same run.

    python bench/effects.py [--files 10000] [--rounds 15] [--check]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from limpet.engine.guard.snapshot import Snapshot, find_difference, take_snapshot
from limpet.ground.clock import Clock

MOST = 2.5
CHANGED = 5


def main() -> int:
    """Print the figures; return 1 where ``--check`` finds one above MOST."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        make_repository(folder, given.files)
        ratios = measure(folder, given.rounds)
    for name, ratio in ratios.items():
        print(f"{name}: {ratio:.2f} x git status (at most {MOST})")
    return int(given.check and any(ratio > MOST for ratio in ratios.values()))


def make_repository(folder: str, files: int) -> None:
    """Make a repository with so many committed files, some of them changed since."""
    for number in range(files):
        path = Path(folder, f"d{number // 200}", f"f{number}.py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"x = {number}\n" * 20)
    for words in (("init", "-q"), ("add", "-A"), ("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "x")):
        subprocess.run(("git", *words), cwd=folder, check=True)
    change(folder, "y")


def change(folder: str, text: str) -> None:
    """Change some files."""
    for number in range(CHANGED):
        Path(folder, "d0", f"f{number}.py").write_text(f"{text} = {number}\n")


def measure(folder: str, rounds: int) -> dict[str, float]:
    """Return the ratio of each look's median to that of ``git status``."""
    clock = Clock()
    times: dict[str, list[float]] = {"git status": [], "snapshot": [], "end of a turn": []}
    with tempfile.TemporaryDirectory() as texts:
        for number in range(rounds):
            status = ("git", "status", "-s")
            _timed(times["git status"], partial(subprocess.run, status, cwd=folder, capture_output=True))
            before = _timed(times["snapshot"], partial(take_snapshot, folder, clock, texts))
            change(folder, f"z{number}")
            _timed(times["end of a turn"], partial(_look_again, folder, before, clock))
    floor = median(times.pop("git status"))
    return {name: median(each) / floor for name, each in times.items()}


def _look_again(folder: str, before: Snapshot, clock: Clock) -> None:
    after = take_snapshot(folder, clock)
    assert after is not None
    find_difference(before, after)


def _timed(times: list[float], act: Callable[[], Any]) -> Any:
    start = time.perf_counter()
    found = act()
    times.append(time.perf_counter() - start)
    return found


if __name__ == "__main__":
    sys.exit(main())
