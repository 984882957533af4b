"""Word vectors for ``routing_train.py``: words that nobody typed in a labelled request count as their neighbours do.

The file is an ``.npz`` of ``words`` (folded, as ``split_words`` gives them) and ``vectors``, each the vector that a
sentence encoder of all four languages gives to the word alone. It is used in training only: a weight of a direction is
added to the weights of the words that lie in it, so that the router needs no vectors.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from holdfast.ground.text.stems import stem

Figures = NDArray[np.float32]

DIRECTIONS = 64
# How much less a word says of the directions for being in many requests.
_COMMON = 20


def read_directions(path: Path, shares: Mapping[str, float]) -> dict[str, Figures]:
    """Return the place of each feature ``w:STEM`` among the directions in which its words differ most; ``shares``: the
    share of the requests that have the feature, for those wanted."""
    by_stem = defaultdict(list)
    with np.load(path) as file:
        for word, vector in zip(file["words"], file["vectors"].astype(np.float32), strict=True):
            by_stem[f"w:{stem(str(word))}"].append(vector)
    names = sorted(set(by_stem) & set(shares))
    places = np.array([np.mean(by_stem[name], axis=0) for name in names])
    places -= places.mean(0)
    rareness = np.array([1 / (1 + _COMMON * shares[name]) for name in names])
    found = places @ np.linalg.svd(places * rareness[:, None], full_matrices=False)[2][:DIRECTIONS].T
    found /= np.linalg.norm(found, axis=1, keepdims=True) + 1e-9
    return dict(zip(names, found.astype(np.float32), strict=True))
