"""How long activating an agent takes as a whole process, against another command of its group.

Rounds run every case once in random order, so that a busy moment of the machine hits all alike. Run it with the Python
that Limpet is installed in.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

from hook_projects import make_alike, make_memories, make_project
from nobody import become_nobody

from limpet.hosts.commands.upkeep import compile_package

PROMISED = {"the same agent": 1.5, "another agent": 1.5}
NEIGHBOUR = "work agent show"
WARM_UPS = 3
MEMORIES = 500
LIMPET = [sys.executable, "-c", "from limpet.__main__ import main; main()"]
TURNS = ("dev", "architect")
IDENTITY = ("-c", "user.name=Bench", "-c", "user.email=bench@example.invalid")


def main() -> None:
    """Print the figures; with ``--check`` exit 1 unless every promise holds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    random.seed(1)
    with tempfile.TemporaryDirectory() as folder:
        become_nobody(folder)
        compile_package()
        root = make_repository(folder)
        times = measure(root, given.rounds)
    figures = {name: statistics.median(found) for name, found in times.items()}
    ratios = {name: round(figure / figures[NEIGHBOUR], 2) for name, figure in figures.items()}
    load = [round(one, 2) for one in os.getloadavg()] if hasattr(os, "getloadavg") else []
    if given.json:
        print(json.dumps({"ms": {name: 1000 * one for name, one in figures.items()}, "ratios": ratios, "load": load}))
    else:
        for name, figure in figures.items():
            print(f"{name:24} {1000 * figure:8.1f} ms  {ratios[name]:6.2f} x")
        print(f"load {load}")
    broken = [name for name, most in PROMISED.items() if ratios[name] > most]
    for name in broken if given.check else ():
        print(f"broken: {name} takes {ratios[name]} x {NEIGHBOUR}, promised are {PROMISED[name]:g}", file=sys.stderr)
    sys.exit(1 if given.check and broken else 0)


def make_repository(folder: str) -> str:
    """A project in a git repository with a commit, changed files, the shipped rules and memories; its root."""
    root = os.path.join(folder, "project")
    make_memories(make_project(root, 10), make_alike(MEMORIES), left=80)
    for words in (("init", "-q"), ("commit", "-q", "--allow-empty", "-m", "Begin")):
        subprocess.run(["git", *IDENTITY, *words], cwd=root, check=True)
    return root


def measure(root: str, rounds: int) -> dict[str, list[float]]:
    """Return the seconds of each case: the same agent again, and another one, which changes the session."""
    times: dict[str, list[float]] = {NEIGHBOUR: [], "the same agent": [], "another agent": []}
    for turn in range(WARM_UPS + rounds):
        current, other = TURNS[turn % 2], TURNS[(turn + 1) % 2]
        cases = {NEIGHBOUR: ["list"], "the same agent": ["activate", current]}
        for name in random.sample(list(cases), len(cases)):
            times[name].append(seconds([*LIMPET, "work", "agent", *cases[name]], root))
        times["another agent"].append(seconds([*LIMPET, "work", "agent", "activate", other], root))
    return {name: found[WARM_UPS:] for name, found in times.items()}


def seconds(command: list[str], root: str) -> float:
    """Return how long a process takes, from its start to its exit; one that fails ends the measurement."""
    began = time.perf_counter()
    done = subprocess.run(command, cwd=root, stdin=subprocess.DEVNULL, capture_output=True)
    took = time.perf_counter() - began
    if done.returncode:
        sys.exit(done.stderr.decode())
    return took


if __name__ == "__main__":
    main()
