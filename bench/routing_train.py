"""Makes ``framework/routing.json``: the router's weights, by two regressions over labelled requests.

    python bench/routing_train.py LABELLED.jsonl ... [--written LABELLED.jsonl ...] [--vectors WORDS.npz] [--write]

A line holds ``prompt``, ``ceremony``, ``agent``, ``also`` (a second agent that would be right) and ``group`` (the
conversation that it is from). A feature counts where several conversations have it. The threshold is the lowest at
which ceremony is due as precisely as wanted, over real requests only (none written for training), each judged by
weights that saw nothing of its conversation. Without ``--write`` only the figures are printed.
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
from routing_words import read_directions

from holdfast.agents.routing.features import LAID_OUT, find_features
from holdfast.agents.routing.route import CEREMONIES, DEVIATION, LEAVING, NONE, REACH
from holdfast.agents.routing.weights import FILE, LEVELS, letter
from holdfast.roles.roster import AGENTS

Figures = NDArray[np.float32]

PRECISION = 0.8
FOLDS, SHUFFLES = 10, 2
# How strongly weights are held near zero.
SHRINKAGE = 3.0
# How much of a request is the second label's, and what a direction counts beside a feature.
SECOND, SMOOTH = 0.3, 1.2
# Conversations that must have a feature; pairs of words are many, and say less; words with a vector need fewer.
CONVERSATIONS, CONVERSATIONS_OF_PAIRS, CONVERSATIONS_OF_VECTORS = 3, 6, 2
STEPS = 200
NAMES = {"ceremony": list(CEREMONIES), "agent": ["", *AGENTS]}


@dataclass(frozen=True)
class Labelled:
    """A request with what a person says of it."""

    prompt: str
    ceremony: str
    agent: str
    also: str
    group: str
    file: str
    real: bool


@dataclass(frozen=True)
class Table:
    """Requests as rows of figures: a column for each feature of ``own``, for each direction, and the bias.

    ``directions``: word feature -> its place among them. Rows are as long as one another, so that many words in one say
    no more than few in another.
    """

    rows: Figures
    own: list[str]
    directions: dict[str, Figures]


def read(path: Path, real: bool) -> list[Labelled]:
    """Return the labelled requests of a file."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [
        Labelled(
            row["prompt"],
            row["ceremony"],
            row["agent"],
            row.get("also") or row["agent"],
            row.get("group") or row["session"],
            path.stem,
            real,
        )
        for row in rows
    ]


def tabulate(found: Sequence[dict[str, str]], requests: Sequence[Labelled], vectors: Path | None) -> Table:
    """Return the requests' features as figures."""
    groups = defaultdict(set)
    for features, request in zip(found, requests, strict=True):
        for feature in features:
            groups[feature].add(request.group)
    least = {True: CONVERSATIONS_OF_PAIRS, False: CONVERSATIONS}
    own = sorted(name for name, seen in groups.items() if len(seen) >= least[name.startswith("b:")])
    wanted = {name for name, seen in groups.items() if name[:2] == "w:" and len(seen) >= CONVERSATIONS_OF_VECTORS}
    shares_of = {name: sum(name in features for features in found) / len(found) for name in wanted}
    directions = read_directions(vectors, shares_of) if vectors else {}
    places = {name: place for place, name in enumerate(own)}
    width = len(next(iter(directions.values()), ()))
    rows = np.zeros((len(found), len(own) + width + 1), np.float32)
    rows[:, -1] = 1
    for number, features in enumerate(found):
        known = [feature for feature in features if feature in places or feature in directions]
        rows[number, [places[feature] for feature in known if feature in places]] = 1
        for feature in known:
            if feature in directions:
                rows[number, len(own) : -1] += SMOOTH * directions[feature]
        rows[number, :-1] *= REACH / max(1, len(known)) ** 0.5
    return Table(rows, own, directions)


def fit(rows: Figures, wanted: Figures) -> Figures:
    """Return the weights of a multinomial regression, by accelerated gradient descent; ``wanted``: how much each row
    speaks for each name, 1 in all."""
    weights = ahead = np.zeros((rows.shape[1], wanted.shape[1]), np.float32)
    held = np.full((rows.shape[1], 1), SHRINKAGE, np.float32)
    held[-1] = 0
    step, pace = 1 / (0.5 * _largest(rows) + SHRINKAGE), 1.0
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


def judged_apart(rows: Figures, wanted: Figures, groups: Sequence[str]) -> Figures:
    """Return the probabilities of each request by weights that saw nothing of its conversation."""
    judged = np.zeros(wanted.shape, np.float32)
    for seed in range(SHUFFLES):
        names = sorted(set(groups))
        random.Random(seed).shuffle(names)
        folds = {name: place % FOLDS for place, name in enumerate(names)}
        fold = np.array([folds[group] for group in groups])
        for number in range(FOLDS):
            apart = fold == number
            judged[apart] += shares(rows[apart] @ fit(rows[~apart], wanted[~apart])) / SHUFFLES
    return judged


def spoken_for(requests: Sequence[Labelled], name: str) -> Figures:
    """Return how much each request speaks for each ceremony, or for each agent, the second one too."""
    labels = NAMES[name]
    wanted = np.zeros((len(requests), len(labels)), np.float32)
    for row, request in zip(wanted, requests, strict=True):
        first = getattr(request, name)
        row[labels.index(first)] += 1 - SECOND
        row[labels.index(request.also if name == "agent" else first)] += SECOND
    return wanted


def find_threshold(due: Figures, is_due: NDArray[np.bool_]) -> float:
    """Return the lowest probability from which ceremony is due as precisely as asked."""
    order = np.argsort(-due)
    precise = np.flatnonzero(np.cumsum(is_due[order]) / np.arange(1, len(order) + 1) >= PRECISION)
    return float(due[order[precise[-1]]])


def gains(table: Table, weights: Figures) -> dict[str, Figures]:
    """Return what each feature that the router may meet speaks for each name, the directions' weights in the words'."""
    of_directions = SMOOTH * weights[len(table.own) : -1]
    found = dict(zip(table.own, weights, strict=False))
    for name, place in table.directions.items():
        found[name] = found.get(name, 0) + place @ of_directions
    return found


def compact(found: dict[str, Figures]) -> tuple[float, dict[str, str]]:
    """Return a unit and each feature's gains as letters that count it. A feature without any gain stays, since the
    router counts what it knows."""
    unit = float(np.quantile(np.abs(np.concatenate(list(found.values()))), 0.9995)) / LEVELS
    steps = {name: np.clip(np.rint(row / unit), -LEVELS, LEVELS) for name, row in found.items()}
    return unit, {name: "".join(letter(int(step)) for step in row) for name, row in steps.items()}


def tell_ceremony(requests: Sequence[Labelled], judged: Figures) -> float:
    """Print how well the files' requests are told apart at several thresholds, and return the one to use."""
    due = 1 - judged[:, CEREMONIES.index(NONE)]
    due[judged[:, CEREMONIES.index(DEVIATION)] >= LEAVING] = 1
    is_due = np.array([request.ceremony != NONE for request in requests])
    real = np.array([request.real for request in requests])
    threshold = find_threshold(due[real], is_due[real])
    for tried in (threshold, 0.5, 0.6, 0.7, 0.8, 0.9):
        print(f"threshold {tried:.3f}")
        for file in dict.fromkeys(request.file for request in requests):
            here = np.array([request.file == file for request in requests])
            said, right = here & (due >= tried), here & (due >= tried) & is_due
            print(f"  {file}: due {(here & is_due).sum()}, said {said.sum()}, rightly {right.sum()} of {here.sum()}")
    return threshold


def tell_agents(requests: Sequence[Labelled], judged: Figures) -> None:
    """Print how often requests that are somebody's were given to the right agent, or the second one, for each file."""
    found = [NAMES["agent"][place] for place in judged.argmax(1)]
    for file in dict.fromkeys(request.file for request in requests):
        here = [pair for pair in zip(requests, found, strict=True) if pair[0].file == file and pair[0].agent]
        first = sum(name == request.agent for request, name in here) / len(here)
        either = sum(name in (request.agent, request.also) for request, name in here) / len(here)
        print(f"{file}: agent {first:.2f}, or the second one {either:.2f} of {len(here)}")


def main() -> None:
    """Fit, print the figures, write the file where that is asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labelled", nargs="+", type=Path)
    parser.add_argument("--written", nargs="+", type=Path, default=[])
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    requests = [request for path in asked.labelled for request in read(path, True)]
    requests += [request for path in asked.written for request in read(path, False)]
    found = [find_features(request.prompt) for request in requests]
    table, groups = tabulate(found, requests, asked.vectors), [request.group for request in requests]
    print(f"{len(requests)} requests of {len(set(groups))} conversations, {len(table.own)} features")
    made: dict[str, object] = {}
    letters: dict[str, str] = defaultdict(str)
    for name, labels in NAMES.items():
        wanted = spoken_for(requests, name)
        judged = judged_apart(table.rows, wanted, groups)
        if name == "ceremony":
            judged[[LAID_OUT in features for features in found]] = np.eye(len(labels))[labels.index(NONE)]
            made["threshold"] = round(tell_ceremony(requests, judged), 3)
        else:
            tell_agents(requests, judged)
        weights = fit(table.rows, wanted)
        unit, added = compact(gains(table, weights))
        for feature, text in added.items():
            letters[feature] += text
        bias = [round(float(figure), 3) for figure in weights[-1]]
        made[name] = {"names": labels, "unit": round(unit, 5), "bias": bias}
    made["weights"] = {feature: text.rstrip(letter(0)) for feature, text in sorted(letters.items())}
    print(f"{len(letters)} features for the router")
    if asked.write:
        text = json.dumps(made, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        Path(FILE).write_text(text.replace('","', '",\n"') + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
