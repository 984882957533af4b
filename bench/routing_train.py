"""Makes ``framework/routing.json``: the router's weights, by two regressions over labelled requests.

    python bench/routing_train.py LABELLED.jsonl [LABELLED.jsonl ...] [--write]

A line holds ``prompt``, ``ceremony``, ``agent`` and ``group`` (the conversation that it is from). A feature counts
where several conversations have it. The threshold is the lowest at which ceremony is due as precisely as asked, each
request judged by weights that saw nothing of its conversation. Without ``--write`` only the figures are printed.
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
from holdfast.agents.routing.route import CEREMONIES, NONE, REACH
from holdfast.agents.routing.weights import FILE
from holdfast.roles.roster import AGENTS

Figures = NDArray[np.float32]

PRECISION = 0.95
FOLDS, SHUFFLES = 10, 4
# How strongly weights are held near zero, and the least that is worth keeping.
SHRINKAGE = {"ceremony": 0.5, "agent": 1.0}
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
    file: str


def read(path: Path) -> list[Labelled]:
    """Return the labelled requests of a file."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [
        Labelled(row["prompt"], row["ceremony"], row["agent"], row.get("group") or row["session"], path.stem)
        for row in rows
    ]


def table(requests: Sequence[Labelled]) -> tuple[Figures, list[str]]:
    """Return a row for each request and the features; rows are as long as one another, so that many words in one say no
    more than few in another, but for the bias in the last place."""
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
        known = [places[feature] for feature in features if feature in places]
        rows[number, known] = REACH / max(1, len(known)) ** 0.5
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
    judged = np.zeros((len(rows), count), np.float32)
    for seed in range(SHUFFLES):
        names = sorted(set(groups))
        random.Random(seed).shuffle(names)
        folds = {name: place % FOLDS for place, name in enumerate(names)}
        fold = np.array([folds[group] for group in groups])
        for number in range(FOLDS):
            apart = fold == number
            judged[apart] += shares(rows[apart] @ fit(rows[~apart], labels[~apart], count, shrink)) / SHUFFLES
    return judged


def find_threshold(due: Figures, is_due: NDArray[np.bool_]) -> float:
    """Return the lowest probability from which ceremony is due as precisely as asked."""
    order = np.argsort(-due)
    precise = np.flatnonzero(np.cumsum(is_due[order]) / np.arange(1, len(order) + 1) >= PRECISION)
    return float(due[order[precise[-1]]])


def compact(weights: Figures, names: Sequence[str]) -> dict[str, list[int]]:
    """Return the weights as the router reads them: place and hundredths in turn. A feature without any worth keeping
    stays, since the router counts what it knows."""
    kept = {}
    for name, row in zip((*names, "bias"), weights, strict=True):
        pairs = [(place, round(float(weight) * 100)) for place, weight in enumerate(row) if abs(weight) >= LEAST]
        kept[name] = [figure for pair in pairs for figure in pair]
    return kept


def tell_ceremony(requests: Sequence[Labelled], judged: Figures) -> float:
    """Print how well the files' requests are told apart at the threshold, and return it."""
    due = 1 - judged[:, CEREMONIES.index(NONE)]
    is_due = np.array([request.ceremony != NONE for request in requests])
    threshold = find_threshold(due, is_due)
    print(f"threshold {threshold:.2f}")
    for file in dict.fromkeys(request.file for request in requests):
        here = np.array([request.file == file for request in requests])
        said, right = here & (due >= threshold), here & (due >= threshold) & is_due
        print(f"{file}: ceremony due {(here & is_due).sum()}, said {said.sum()}, rightly {right.sum()} of {here.sum()}")
    return threshold


def tell_agents(requests: Sequence[Labelled], judged: Figures) -> None:
    """Print how often the files' requests were given to the right agent, where they are somebody's."""
    found = [NAMES["agent"][place] for place in judged.argmax(1)]
    for file in dict.fromkeys(request.file for request in requests):
        pairs = [(request.agent, name) for request, name in zip(requests, found, strict=True) if request.file == file]
        right = [agent == name for agent, name in pairs if agent]
        print(f"{file}: agent {sum(right) / len(right):.2f}")


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
            made["threshold"] = round(tell_ceremony(requests, judged), 3)
        else:
            tell_agents(requests, judged)
        weights = fit(rows, wanted, len(labels), SHRINKAGE[name])
        made[name] = {"names": labels, "weights": compact(weights, names)}
    if asked.write:
        text = json.dumps(made, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        Path(FILE).write_text(text.replace("],", "],\n") + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
