"""What the optional extras of search are worth: ``semantic`` by the recall of ``retrieval.py``, ``fast`` by the time of
``memory_speed.py`` and by how far its rankings agree with those without it.

Each part needs its extra; none of it runs in the checks.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from typing import Any

import memory_speed
import retrieval
from nobody import become_nobody

from holdfast.memory.index import sync as index
from holdfast.memory.index.reading import open_index
from holdfast.memory.model.card import Query
from holdfast.memory.search import encoders, fast, semantic
from holdfast.memory.search.retrieval import Retrieval
from holdfast.memory.search.search import search

FUSIONS = [
    semantic.Fusion(meaning=meaning, pieces=pieces, pieces_after=after)
    for meaning in (0.2, 0.25, 0.3)
    for pieces in (0.2, 0.3, 0.4)
    for after in (0.1, 0.2, 0.3)
]
# What is promised of all questions, and of the time at most, beside plain FTS5.
AIMS = {"R@5": 79.0, "R@10": 85.0, "MRR": 68.0}
MOST_OF_FTS5 = 0.03


def main() -> int:
    arguments = _arguments()
    if arguments.part == "fast":
        figures: dict[str, Any] = {str(count): measure_fast(count) for count in arguments.entries}
        print(json.dumps(figures, indent=1) if arguments.json else memory_speed.render(figures))
        largest = figures[str(max(arguments.entries))]
        return int(arguments.check and largest["ratio_p95"] > MOST_OF_FTS5)
    talks = retrieval.read_talks(arguments.data)
    encoder = Remembering(encoders.load_encoder(arguments.encoder))
    with ExitStack() as stack:
        searches = [stack.enter_context(closing(Meaning(talk, encoder))) for talk in talks]
        if arguments.tune:
            return _tune(searches)
        started = time.perf_counter()
        run = {name: found for each in searches for name, found in each.run(semantic.FUSED).items()}
        spent = (time.perf_counter() - started) / max(1, len(run))
    figures = retrieval.evaluate(talks, run) | {"milliseconds": round(1000 * spent, 2)}
    print(json.dumps(figures) if arguments.json else retrieval.render(figures))
    return int(arguments.check and any(figures["all"][name] < least for name, least in AIMS.items()))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("part", choices=("semantic", "fast"))
    parser.add_argument("--data", default=str(retrieval.DATA), help="semantic: a file in LoCoMo's shape")
    parser.add_argument("--encoder", default=encoders.SHIPPED)
    parser.add_argument("--tune", action="store_true", help="semantic: choose the knobs, each talk left out in turn")
    parser.add_argument("--entries", type=int, nargs="+", default=[10_000, 100_000], help="fast: how many")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true", help="exit 1 where a promise is broken")
    return parser.parse_args()


class Remembering:
    """An encoder that encodes each text once, since every fusion asks the same."""

    def __init__(self, inner: encoders.Encoder) -> None:
        self.inner = inner
        self.name, self.dimensions = inner.name, inner.dimensions
        self.rows: dict[str, Any] = {}
        self.parts: dict[str, Any] = {}

    def encode(self, texts: Sequence[str]) -> list[Any]:
        return self._remember(texts, self.rows, self.inner.encode)

    def pieces(self, texts: Sequence[str]) -> list[Any]:
        return self._remember(texts, self.parts, self.inner.pieces)

    def _remember(self, texts: Sequence[str], known: dict[str, Any], ask: Any) -> list[Any]:
        new = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(new, ask(new) if new else [], strict=True))
        return [known[text] for text in texts]


class Meaning(retrieval.Searching):
    """An index of one talk that is searched by meaning too."""

    def __init__(self, talk: retrieval.Talk, encoder: encoders.Encoder) -> None:
        super().__init__(talk)
        found = semantic.load(self.folder.name, self.connection, encoder)
        assert found is not None
        self.semantic = found

    def run(self, fusion: Any) -> retrieval.Run:
        self.semantic.fusion = fusion
        return {question.id: self._ask(question.text) for question in self.talk.questions}

    def _ask(self, text: str) -> list[str]:
        query = Query(text=text, owners=None, limit=retrieval.DEPTH, now=retrieval.NOW)
        asked = semantic.Asked(self.semantic, self.connection)
        hits = search(self.connection, query, retrieval.SETTINGS, choose=asked.choose, rescore=asked.rescore)
        return [hit.card.id for hit in hits]


def _tune(searches: Sequence[Meaning]) -> int:
    """Each talk ranked with the fusion that does best on the others, beside what ships."""
    runs = {fusion: [each.run(fusion) for each in searches] for fusion in FUSIONS}
    talks = [each.talk for each in searches]

    def worth(fusion: semantic.Fusion, left_out: int) -> float:
        places = [at for at in range(len(talks)) if at != left_out]
        rows = [retrieval.evaluate([talks[at]], runs[fusion][at])["all"] for at in places]
        return float(sum(row["n"] * (row["R@5"] + row["R@10"] + row["MRR"]) for row in rows))

    held: retrieval.Run = {}
    for left_out in range(len(talks)):
        best = max(FUSIONS, key=lambda fusion: worth(fusion, left_out))  # noqa: B023
        held |= runs[best][left_out]
        print(f"without {talks[left_out].id}: {best}", flush=True)
    for fusion in FUSIONS:
        figures = retrieval.evaluate(talks, {name: found for run in runs[fusion] for name, found in run.items()})
        print(fusion, {name: figures["all"][name] for name in retrieval.MEASURES})
    print(retrieval.render(retrieval.evaluate(talks, held) | {"milliseconds": 0}))
    return 0


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
