"""Whether an agent that writes again what a repository has is told, and one that writes something new is not.

Labelled texts, written by people and models that did not see this code, over real repositories: functions and
components of theirs written again by who saw the task and not the code ("again"), and new ones ("new"). Each is handed
to what the hook calls at a write, against a scan of the repository; beside it stands the overlap of names alone.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nobody import become_nobody

from limpet.ground.workspace import workspace_at
from limpet.registry.symbols.index import scan_symbols
from limpet.registry.symbols.likeness import find_alike, find_known
from limpet.registry.symbols.symbol import is_compared, name_words
from limpet.registry.symbols.table import SymbolTable, open_table
from limpet.registry.symbols.written import find_written

HERE = Path(__file__).parent / "reimplementations"
AGAIN, NEW = "again", "new"
LEAST_PRECISION, TIMES_NAMES = 0.95, 2.0
# Of the words of two names those that both have, from which they overlap.
OVERLAP = 0.6


@dataclass(frozen=True)
class Sample:
    repo: str
    kind: str
    language: str
    path: str
    text: str
    symbols: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Score:
    """Samples of each kind, those where the right symbol is told, and those where only others are."""

    again: int
    new: int
    right: int
    wrong: int

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.again if self.again else 0.0


class Repository:
    """A repository's newest commit, scanned in a folder of its own."""

    def __init__(self, mirror: Path, folder: str) -> None:
        self.root = os.path.join(folder, mirror.parent.name)
        os.makedirs(self.root)
        packed = subprocess.run(["git", "-C", mirror, "archive", "HEAD"], check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", self.root], input=packed, check=True)
        workspace = workspace_at(self.root)
        scan_symbols(workspace)
        table = open_table(workspace.state)
        assert table
        self.table: SymbolTable = table
        names = (symbol.name for symbol in table.whole().symbols if is_compared(symbol))
        self.names = {name: {*name_words(name)} for name in names}

    def source(self, path: str) -> str:
        return Path(self.root, path).read_text(encoding="utf-8", errors="replace")

    def tells(self, sample: Sample) -> set[str]:
        return {each.symbol.name for each in find_known(sample.text, "", sample.path, self.table, self.source)}

    def tells_names(self, sample: Sample, least: float = OVERLAP) -> set[str]:
        """By the overlap of names alone, the nearest of each."""
        found = set()
        for one in filter(is_compared, find_written(sample.text, sample.path)):
            words = {*name_words(one.name)}
            shares = {name: len(words & known) / len(words | known) for name, known in self.names.items()}
            nearest = max(shares, key=shares.__getitem__)
            if shares[nearest] >= least:
                found.add(nearest)
        return found

    def tells_equal_names(self, sample: Sample) -> set[str]:
        return self.tells_names(sample, 1.0)


def read_samples(path: Path) -> list[Sample]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [_sample(row) for row in rows]


def _sample(row: dict[str, Any]) -> Sample:
    also = (row.get("also") or {}).get("also", ())
    named = (each.split()[0].partition(".")[0] for each in also)
    symbols = frozenset(filter(None, (row.get("symbol"), *named)))
    return Sample(row["repo"], row["kind"], row["language"], row["path"], row["text"], symbols)


def score(samples: Iterable[Sample], tells: Callable[[Sample], set[str]]) -> Score:
    again = new = right = wrong = 0
    for sample in samples:
        told = tells(sample)
        is_right = bool(told & sample.symbols)
        again += sample.kind == AGAIN
        new += sample.kind == NEW
        right += is_right
        wrong += bool(told) and not is_right
    return Score(again, new, right, wrong)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labels", type=Path, default=HERE / "dev.jsonl")
    parser.add_argument("--mirrors", type=Path, required=True, help="a folder with OWNER+NAME/repo, bare repositories")
    parser.add_argument("--errors", action="store_true", help="print what is told and missed (never of a held-out set)")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    samples = read_samples(given.labels)
    with tempfile.TemporaryDirectory() as folder:
        become_nobody(folder)
        repositories = {name: _open(given.mirrors, name, folder) for name in sorted({each.repo for each in samples})}
        matchers = {
            "words of name, signature and body": lambda sample: repositories[sample.repo].tells(sample),
            "overlap of names": lambda sample: repositories[sample.repo].tells_names(sample),
            "equal names": lambda sample: repositories[sample.repo].tells_equal_names(sample),
        }
        scores = {name: score(samples, tells) for name, tells in matchers.items()}
        if given.errors:
            _print_errors(samples, repositories)
    if given.json:
        print(json.dumps({name: vars(each) for name, each in scores.items()}, indent=2))
    else:
        _print_table(scores)
    ours, *others = scores.values()
    is_kept = ours.precision >= LEAST_PRECISION and ours.recall >= TIMES_NAMES * max(
        (each.recall for each in others if each.precision >= LEAST_PRECISION), default=0.0
    )
    sys.exit(1 if given.check and not is_kept else 0)


def _open(mirrors: Path, name: str, folder: str) -> Repository:
    """By ``OWNER/NAME``, or how the name begins."""
    found = [each for each in mirrors.glob("*+*/repo") if _is_named(each.parent.name.casefold(), name.casefold())]
    if len(found) != 1:
        raise SystemExit(f"No one mirror of {name}: {mirrors}")
    return Repository(found[0], folder)


def _is_named(mirror: str, name: str) -> bool:
    return mirror == name.replace("/", "+") or mirror.partition("+")[2].startswith(name)


def _print_table(scores: dict[str, Score]) -> None:
    print(f"{'':36}{'right':>14}{'wrong':>8}{'precision':>11}{'recall':>8}")
    for name, each in scores.items():
        right = f"{each.right}/{each.again}"
        print(f"{name:36}{right:>14}{each.wrong:>8}{each.precision:>11.3f}{each.recall:>8.3f}")


def _print_errors(samples: list[Sample], repositories: dict[str, Repository]) -> None:
    for sample in samples:
        repository = repositories[sample.repo]
        told = repository.tells(sample)
        if bool(told) != (sample.kind == AGAIN) or (told and not told & sample.symbols):
            print(f"{sample.kind} {sample.repo} {sample.path}: {', '.join(sample.symbols)}; told {', '.join(told)}")
            for one in find_written(sample.text, sample.path):
                nearest = [f"{match.symbol.name} {match.score:.2f}" for match in find_alike(one, repository.table)[:3]]
                print(f"   {one.kind} {one.name}: {', '.join(nearest)}")


if __name__ == "__main__":
    main()
