"""How well the product's own search finds what a question asks for: recall and rank of the evidence, no model.

Reads a file in LoCoMo's shape (talks, their turns, questions with the turns that answer them); each turn becomes an
entry, each talk an index of its own, and every question goes through ``memory.search.search`` as a prompt does.
LoCoMo is CC BY-NC 4.0: the file is named on the command line and is no part of this repository.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from entry_index import index_entries
from nobody import become_nobody

from limpet.ground.config.defaults import DEFAULTS
from limpet.memory.index.reading import open_index
from limpet.memory.model.entry import MemoryEntry, Query
from limpet.memory.search.search import SHIPPED, Weights, search_entries

DATA = Path(__file__).resolve().parents[2] / "shared" / "eval" / "locomo-dev.json"
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
ADVERSARIAL = 5
DEPTH = 100
SETTINGS: dict[str, Any] = DEFAULTS["memory"]
# Every entry was last used at the same moment, so that nothing but words decides.
NOW = 1_900_000_000.0
USED = "2030-01-01T00:00:00Z"
MEASURES = ("R@5", "R@10", "MRR", "nDCG@10")
AIMS = {"all": {"R@5": 73.0, "R@10": 81.0, "MRR": 60.0}, "cats 1-4": {"R@5": 70.0, "R@10": 78.0, "MRR": 60.0}}
# The knobs that ``--tune`` chooses, each with the values that it may take.
KNOBS: dict[str, tuple[Any, ...]] = {
    "saturation": (1.2, 1.6, 2.0),
    "near": tuple(
        ((-1, before), (1, after), (-2, 2 * before / 3), (2, after / 2))
        for before in (0.3, 0.45, 0.6)
        for after in (0.1, 0.2)
    ),
    "near_length": (0.5, 0.75, 0.9),
    "conversation": (0.0, 0.05, 0.1, 0.15),
    "own": tuple((2.0, 1.0, 1.5, 1.0, who, date) for who in (1.0, 1.5) for date in (0.25, 0.5, 1.0)),
    "asked": (1.0, 1.5, 2.0, 2.5),
    "asking": (0.8, 0.9, 1.0),
    "signal": (1.0, 1.15, 1.3, 1.4),
    "same_prefix": (0.0, 0.1, 0.2, 0.3),
}
# BM25F over fields and neighbours, and nothing that was found to help.
PLAIN = SHIPPED.replace(saturation=1.2, conversation=0.0, asked=1.0, asking=1.0, signal=1.0, same_prefix=0.0)

Run = dict[str, list[str]]
Row = dict[str, float]


@dataclass(frozen=True)
class Question:
    """A question, the ids of the turns that answer it, and its category (a key of CATEGORIES)."""

    id: str
    text: str
    category: int
    evidence: frozenset[str]


@dataclass(frozen=True)
class Talk:
    """A conversation over many sessions: its turns as entries, and what is asked about it."""

    id: str
    entries: tuple[tuple[str, MemoryEntry], ...]
    questions: tuple[Question, ...]


def main() -> int:
    arguments = _arguments()
    talks = read_talks(arguments.data)
    with ExitStack() as stack:
        searches = [stack.enter_context(closing(Searching(talk))) for talk in talks]
        if arguments.tune:
            return _tune(searches)
        started = time.perf_counter()
        run = {name: found for each in searches for name, found in each.run(SHIPPED).items()}
        spent = (time.perf_counter() - started) / max(1, len(run))
    if arguments.run:
        Path(arguments.run).write_text(json.dumps(run), encoding="utf-8")
    figures = evaluate(talks, run) | {"milliseconds": round(1000 * spent, 2)}
    print(json.dumps(figures) if arguments.json else render(figures))
    return int(arguments.check and not _holds(figures))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", default=str(DATA), help="a file in LoCoMo's shape")
    parser.add_argument("--run", metavar="FILE", help="write the ranking of every question")
    parser.add_argument("--tune", action="store_true", help="choose the knobs, each talk left out in turn")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true", help="exit 1 unless the aims are met")
    return parser.parse_args()


class Searching:
    """An index of one talk, open to be searched."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.folder = tempfile.TemporaryDirectory()
        become_nobody(self.folder.name)
        index_entries(self.folder.name, talk.entries, SETTINGS, NOW)
        connection = open_index(self.folder.name)
        assert connection is not None
        self.connection = connection

    def run(self, weights: Weights) -> Run:
        """Question -> ids of turns, best first."""
        return {question.id: self._search(question.text, weights) for question in self.talk.questions}

    def close(self) -> None:
        self.connection.close()
        self.folder.cleanup()

    def _search(self, text: str, weights: Weights) -> list[str]:
        query = Query(text=text, owners=None, limit=DEPTH, now=NOW)
        return [hit.card.id for hit in search_entries(self.connection, query, SETTINGS, weights)]


def read_talks(path: str) -> list[Talk]:
    """The talks of a file in LoCoMo's shape; questions whose evidence names no turn are left out."""
    return [_talk(sample) for sample in json.loads(Path(path).read_text(encoding="utf-8"))]


def _talk(sample: dict[str, Any]) -> Talk:
    entries = tuple(_entries(sample["conversation"]))
    known = {entry.id for _, entry in entries}
    asked = [
        Question(f"{sample['sample_id']}/q{number}", given["question"], given["category"], _evidence(given) & known)
        for number, given in enumerate(sample["qa"])
    ]
    return Talk(sample["sample_id"], entries, tuple(question for question in asked if question.evidence))


def _evidence(given: dict[str, Any]) -> frozenset[str]:
    text = " ".join(given["evidence"])
    return frozenset(f"D{session}:{turn}" for session, turn in re.findall(r"D:?(\d+):0*(\d+)", text))


def _entries(conversation: dict[str, Any]) -> Iterator[tuple[str, MemoryEntry]]:
    for key, turns in conversation.items():
        if not re.fullmatch(r"session_\d+", key) or not isinstance(turns, list):
            continue
        begun = _moment(conversation.get(f"{key}_date_time", ""))
        for number, turn in enumerate(turns):
            yield _entry(key, turn, begun + timedelta(seconds=number))


def _moment(text: str) -> datetime:
    """Of "1:56 pm on 8 May, 2023"; the epoch for what is no such moment."""
    try:
        return datetime.strptime(text.upper(), "%I:%M %p ON %d %B, %Y")
    except ValueError:
        return datetime(1970, 1, 1)


def _entry(session: str, turn: dict[str, Any], moment: datetime) -> tuple[str, MemoryEntry]:
    caption = turn.get("blip_caption") or ""
    entry = MemoryEntry(
        id=turn["dia_id"],
        type="episodic",
        title="",
        body=(f"[shares {caption}] " if caption else "") + turn["text"],
        agent=turn["speaker"],
        session=session,
        created_at=moment.isoformat() + "Z",
        last_accessed=USED,
    )
    return f"shared/daily/{moment:%Y-%m-%d}/{turn['dia_id'].replace(':', '-')}.md", entry


def evaluate(talks: Sequence[Talk], run: Run) -> dict[str, Any]:
    """In percent, means over questions: ``all``, ``cats 1-4`` and each category by turns, ``session`` the same where a
    session ranks as its best turn does."""
    turns, sessions = _groups(talks, run, tuple), _groups(talks, run, _sessions)
    return {**turns, "session": sessions}


def _groups(talks: Sequence[Talk], run: Run, level: Any) -> dict[str, Row]:
    groups: dict[str, list[Row]] = {"all": [], "cats 1-4": []}
    for question in (question for talk in talks for question in talk.questions):
        row = measure(level(run[question.id]), frozenset(level(question.evidence)))
        groups["all"].append(row)
        groups.setdefault(CATEGORIES[question.category], []).append(row)
        if question.category != ADVERSARIAL:
            groups["cats 1-4"].append(row)
    return {name: _mean(rows) for name, rows in groups.items() if rows}


def _sessions(ids: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(turn.rpartition(":")[0] for turn in ids))


def measure(ranked: Sequence[str], evidence: frozenset[str]) -> Row:
    """The measures of one ranking, 0 to 1."""
    places = [place for place, name in enumerate(ranked, 1) if name in evidence]
    ideal = sum(1 / math.log2(place + 1) for place in range(1, min(len(evidence), 10) + 1))
    return {
        "R@5": sum(place <= 5 for place in places) / len(evidence),
        "R@10": sum(place <= 10 for place in places) / len(evidence),
        "MRR": 1 / places[0] if places else 0.0,
        "nDCG@10": sum(1 / math.log2(place + 1) for place in places if place <= 10) / ideal,
    }


def _mean(rows: Sequence[Row]) -> Row:
    means = {name: round(100 * sum(row[name] for row in rows) / len(rows), 2) for name in MEASURES}
    return {"n": len(rows), **means}


def render(figures: dict[str, Any]) -> str:
    """The figures as tables."""
    lines = [f"{figures['milliseconds']} ms a question"]
    for title, groups in (("by turns", figures), ("by sessions", figures["session"])):
        lines += ["", f"| {title} | n | " + " | ".join(MEASURES) + " |", "|---" * (len(MEASURES) + 2) + "|"]
        names = [name for name in ("all", "cats 1-4", *CATEGORIES.values()) if name in groups]
        for name in names:
            cells = " | ".join(f"{groups[name][measure]:.1f}" for measure in MEASURES)
            lines.append(f"| {name} | {groups[name]['n']} | {cells} |")
    return "\n".join(lines)


def _holds(figures: dict[str, Any]) -> bool:
    return all(figures[group][name] >= least for group, aims in AIMS.items() for name, least in aims.items())


def _tune(searches: Sequence[Searching]) -> int:
    """Each talk ranked with the knobs that do best on the others, beside what ships."""
    memory: dict[tuple[int, Weights], Run] = {}

    def run(at: int, weights: Weights) -> Run:
        if (at, weights) not in memory:
            memory[at, weights] = searches[at].run(weights)
        return memory[at, weights]

    def worth(places: Sequence[int], weights: Weights) -> float:
        rows = [_groups([searches[at].talk], run(at, weights), tuple)["all"] for at in places]
        return sum(row["n"] * (row["R@5"] + row["R@10"] + row["MRR"]) for row in rows)

    held: Run = {}
    everyone = range(len(searches))
    for left_out in everyone:
        weights = _climb([at for at in everyone if at != left_out], worth)
        held |= run(left_out, weights)
        print(f"without {searches[left_out].talk.id}: {weights}", flush=True)
    talks = [each.talk for each in searches]
    shipped = {name: found for at in everyone for name, found in run(at, SHIPPED).items()}
    for title, each in (("knobs of the other talks", held), ("shipped", shipped)):
        print(f"\n{title}\n{render(evaluate(talks, each) | {'milliseconds': 0})}")
    return 0


def _climb(places: Sequence[int], worth: Any) -> Weights:
    """One knob after the other at its best value, from PLAIN: what ships was chosen on every talk."""
    best = PLAIN
    for name, values in KNOBS.items():
        tried = [best.replace(**{name: value}) for value in values]
        best = max((best, *tried), key=lambda weights: worth(places, weights))
    return best


if __name__ == "__main__":
    sys.exit(main())
