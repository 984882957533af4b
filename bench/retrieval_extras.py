"""What the extra ``fast`` of search is worth: by the time of ``memory_speed.py``, and by how far its rankings agree
with those without it. It needs the extra, and never runs in the checks."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any

import memory_speed
from nobody import become_nobody

from holdfast.memory.index import sync as index
from holdfast.memory.index.reading import open_index
from holdfast.memory.model.card import Query
from holdfast.memory.search import fast
from holdfast.memory.search.retrieval import Retrieval
from holdfast.memory.search.search import search

# The most of the time that plain FTS5 takes.
MOST_OF_FTS5 = 0.03


def main() -> int:
    arguments = _arguments()
    figures: dict[str, Any] = {str(count): measure_fast(count) for count in arguments.entries}
    print(json.dumps(figures, indent=1) if arguments.json else memory_speed.render(figures))
    largest = figures[str(max(arguments.entries))]
    return int(arguments.check and largest["ratio_p95"] > MOST_OF_FTS5)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--entries", type=int, nargs="+", default=[10_000, 100_000], help="how many")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true", help="exit 1 where a promise is broken")
    return parser.parse_args()


def measure_fast(count: int) -> dict[str, float]:
    """Milliseconds of processor time, the share of the ten best that are the same, and what they score beside the
    usual ten."""
    texts = memory_speed.make_texts(count)
    fast.SMALLEST = 0
    with tempfile.TemporaryDirectory() as folder:
        become_nobody(folder)
        index.index_entries(folder, memory_speed._entries(texts), memory_speed.SETTINGS, memory_speed.NOW)
        connection = open_index(folder)
        assert connection is not None
        with closing(connection), closing(memory_speed._plain_index(os.path.join(folder, "plain.db"), texts)) as plain:
            made = memory_speed._milliseconds(lambda: fast.follow(folder, connection))
            return {"made": made, **_compare(Retrieval(folder, memory_speed.SETTINGS), connection, plain, texts)}


def _compare(door: Retrieval, connection: Any, plain: Any, texts: Sequence[str]) -> dict[str, float]:
    ours, theirs, same, worth = [], [], [], []
    for question in memory_speed.make_questions(texts):
        query = Query(text=question, owners=("shared", "dev"), now=memory_speed.NOW)
        ours.append(_warm(lambda query=query: door.search(connection, query)))
        theirs.append(_warm(lambda text=question: memory_speed._plain_search(plain, text)))
        found = {hit.card.id: hit.score for hit in door.search(connection, query)}
        usual = {hit.card.id: hit.score for hit in search(connection, query, memory_speed.SETTINGS)}
        same.append(len(found.keys() & usual.keys()) / max(1, len(usual)))
        worth.append(sum(found.values()) / (sum(usual.values()) or 1.0))
    figures = {f"fast_{name}": memory_speed._quantile(ours, share) for name, share in (("p50", 0.5), ("p95", 0.95))}
    figures |= {f"fts5_{name}": memory_speed._quantile(theirs, share) for name, share in (("p50", 0.5), ("p95", 0.95))}
    ratios = {f"ratio_{name}": figures[f"fast_{name}"] / figures[f"fts5_{name}"] for name in ("p50", "p95")}
    return {**figures, **ratios, "same_of_10": sum(same) / len(same), "score_of_10": sum(worth) / len(worth)}


def _warm(act: Callable[[], object]) -> float:
    """The best of three: what else the machine does can only lengthen it."""
    return min(memory_speed._milliseconds(act) for _ in range(3))


if __name__ == "__main__":
    sys.exit(main())
