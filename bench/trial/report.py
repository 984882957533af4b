"""A table over arms: what was broken at the first stop, calls, tokens and corrections, by conversation and by cell."""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from dataclasses import asdict
from pathlib import Path
from statistics import mean

from arm import Arm, Conversation, read_arm, read_conversations

HEADINGS = ("", "conv", "runs", "broken before", "after", "of", "calls", "refused stops", "tokens", "said")

Cell = tuple[str, str, int, int, int]


def main() -> None:
    options = _options()
    arms = [read_arm(path.parent) for folder in options.folders for path in sorted(folder.rglob("arm.json"))]
    runs = [(arm, each) for arm in arms for each in read_conversations(arm) if each.is_over]
    if options.json:
        print(json.dumps([{"arm": arm.folder.name, **asdict(each)} for arm, each in runs], indent=1))
    else:
        print(_table([*map(_run_row, runs)]))
        print(_table(cell_rows(runs)))


def cell_rows(runs: list[tuple[Arm, Conversation]]) -> list[tuple[str, ...]]:
    """A row for each repository, arm, filling and conversation: means over its runs, broken of all checks."""
    cells: dict[Cell, list[tuple[Arm, Conversation]]] = defaultdict(list)
    for arm, each in runs:
        cells[arm.name, arm.kind, arm.wishes, arm.facts, each.number].append((arm, each))
    rows = []
    for (name, kind, wishes, facts, number), found in sorted(cells.items()):
        every = [each for _, each in found]
        checks = sum(len(arm.repository.wishes) for arm, _ in found)
        broken = [sum(len(each.before or ()) for each in every), sum(len(each.after or ()) for each in every)]
        figures = ("calls", "refused_stops", "tokens")
        means = [f"{mean(getattr(each, figure) for each in every):.1f}" for figure in figures]
        said = f"{mean(len(each.said) for each in every):.1f}"
        title = f"{name} {kind} {wishes}/{facts}"
        rows.append((title, str(number), str(len(every)), *map(str, broken), str(checks), *means, said))
    return rows


def _run_row(run: tuple[Arm, Conversation]) -> tuple[str, ...]:
    arm, each = run
    figures = (each.calls, each.refused_stops, each.tokens)
    broken = (" ".join(each.before or ()) or "-", " ".join(each.after or ()) or "-")
    checks = len(arm.repository.wishes)
    return (arm.folder.name, str(each.number), "1", *broken, str(checks), *map(str, figures), str(len(each.said)))


def _table(rows: list[tuple[str, ...]]) -> str:
    lines = [HEADINGS, tuple("---" for _ in HEADINGS), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Print what the arms below these folders show.")
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
