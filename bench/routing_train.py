"""Makes ``framework/routing.json``: the router's weights, by two regressions over labelled requests.

    python bench/routing_train.py LABELLED.jsonl [LABELLED.jsonl ...] [--write]

A line holds ``prompt``, ``ceremony``, ``agent`` and ``group`` (the conversation that it is from). A feature counts where
several conversations have it. The threshold is the lowest at which ceremony is due as precisely as asked, each request
judged by weights that saw nothing of its conversation. Without ``--write`` only the figures are printed.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from holdfast.agents.routing.features import find_features
from holdfast.agents.routing.route import CEREMONIES, NONE
from holdfast.agents.routing.weights import FILE
from holdfast.roles.roster import AGENTS

Figures = NDArray[np.float32]

PRECISION = 0.95
FOLDS = 10
# How strongly weights are held near zero, and the least that is worth keeping.
SHRINKAGE = {"ceremony": 2.0, "agent": 3.0}
LEAST = 0.06
# Conversations that must have a feature; pairs of words are many, and say less.
CONVERSATIONS, CONVERSATIONS_OF_PAIRS = 3, 4
STEPS = 250
NAMES = {"ceremony": list(CEREMONIES), "agent": ["", *AGENTS]}


@dataclass(frozen=True)
class Labelled:
    """A request with what a person says of it."""

    prompt: str
    ceremony: str
    agent: str
    group: str


def read(path: Path) -> list[Labelled]:
    """Return the labelled requests of a file."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [
        Labelled(row["prompt"], row["ceremony"], row["agent"], row.get("group") or row["session"]) for row in rows
    ]


def table(requests: Sequence[Labelled]) -> tuple[Figures, list[str]]:
    """Return a row for each request, with 1 where it has a feature and for the bias, and the features."""
    found = [find_features(request.prompt) for request in requests]
    groups = defaultdict(set)
    for features, request in zip(found, requests, strict=True):
        for feature in features:
            groups[feature].add(request.group)
    least = {True: CONVERSATIONS_OF_PAIRS, False: CONVERSATIONS}
    names = sorted(name for name, seen in groups.items() if len(seen) >= least[name.startswith("b:")])
    places = {name: place for place, name in enumerate(names)}
    rows = np.zeros((len(requests), len(names) + 1), np.float32)
    rows[:, -1] = 1
    for number, features in enumerate(found):
        rows[number, [places[feature] for feature in features if feature in places]] = 1
    return rows, names


def fit(rows: Figures, labels: NDArray[np.int64], count: int, shrinkage: float) -> Figures:
    """Return the weights of a multinomial regression, by accelerated gradient descent."""
    weights = ahead = np.zeros((rows.shape[1], count), np.float32)
    wanted = np.eye(count, dtype=np.float32)[labels]
    held = np.full((rows.shape[1], 1), shrinkage, np.float32)
    held[-1] = 0
    step, pace = 1 / (0.5 * _largest(rows) + shrinkage), 1.0
    for _ in range(STEPS):
        slope = rows.T @ (shares(rows @ ahead) - wanted) + held * ahead
        moved = ahead - step * slope
        faster = (1 + (1 + 4 * pace * pace) ** 0.5) / 2
        ahead = moved + (pace - 1) / faster * (moved - weights)
        weights, pace = moved, faster
    return weights


def _largest(rows: Figures) -> float:
    """Return the largest eigenvalue of the features' products, a little too high."""
    vector, size = np.ones(rows.shape[1], np.float32), 1.0
    for _ in range(12):
        vector = rows.T @ (rows @ vector)
        size = float(np.linalg.norm(vector))
        vector /= size
    return size * 1.05


def shares(scores: Figures) -> Figures:
    """Return each row of scores as probabilities."""
    powers = np.exp(scores - scores.max(1, keepdims=True))
    result: Figures = powers / powers.sum(1, keepdims=True)
    return result


def judged_apart(rows: Figures, labels: NDArray[np.int64], groups: Sequence[str], count: int, shrink: float) -> Figures:
    """Return the probabilities of each request by weights that saw nothing of its conversation."""
    names = sorted(set(groups))
    random.Random(7).shuffle(names)
    folds = {name: place % FOLDS for place, name in enumerate(names)}
    fold = np.array([folds[group] for group in groups])
    judged = np.zeros((len(rows), count), np.float32)
    for number in range(FOLDS):
        apart = fold == number
        judged[apart] = shares(rows[apart] @ fit(rows[~apart], labels[~apart], count, shrink))
    return judged


def find_threshold(due: Figures, is_due: NDArray[np.bool_]) -> tuple[float, float]:
    """Return the lowest probability from which ceremony is due precisely enough, and the recall there."""
    order = np.argsort(-due)
    right = np.cumsum(is_due[order])
    precise = np.flatnonzero(right / np.arange(1, len(order) + 1) >= PRECISION)
    last = int(precise[-1])
    return float(due[order[last]]), float(right[last] / is_due.sum())


def compact(weights: Figures, names: Sequence[str]) -> dict[str, list[int]]:
    """Return the weights worth keeping as the router reads them: place and hundredths in turn."""
    kept = {}
    for name, row in zip((*names, "bias"), weights, strict=True):
        pairs = [(place, round(float(weight) * 100)) for place, weight in enumerate(row) if abs(weight) >= LEAST]
        if pairs:
            kept[name] = [figure for pair in pairs for figure in pair]
    return kept


def main() -> None:
    """Fit, print the figures, write the file where that is asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labelled", nargs="+", type=Path)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    requests = [request for path in asked.labelled for request in read(path)]
    rows, names = table(requests)
    groups = [request.group for request in requests]
    print(f"{len(requests)} requests of {len(set(groups))} conversations, {len(names)} features")
    made: dict[str, object] = {}
    for name, labels in NAMES.items():
        wanted = np.array([labels.index(getattr(request, name)) for request in requests])
        judged = judged_apart(rows, wanted, groups, len(labels), SHRINKAGE[name])
        if name == "ceremony":
            threshold, recall = find_threshold(1 - judged[:, labels.index(NONE)], wanted != labels.index(NONE))
            made["threshold"] = round(threshold, 3)
            print(f"ceremony due: threshold {threshold:.2f}, precision {PRECISION}, recall {recall:.2f}")
        else:
            print(f"agent: {float(np.mean(judged.argmax(1) == wanted)):.2f} right")
        made[name] = {
            "names": labels,
            "weights": compact(fit(rows, wanted, len(labels), SHRINKAGE[name]), names),
        }
    if asked.write:
        text = json.dumps(made, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        Path(FILE).write_text(text.replace("],", "],\n") + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
