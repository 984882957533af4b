"""What memories cost as they grow in number: a search beside SQLite's own FTS5 over the same texts, making the index,
and one edit of it; and the list of titles that a first request gets.

The entries are pieces of the standard library's docstrings with words put in from elsewhere, some 540 characters each,
20 to a conversation; the questions are words out of them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sqlite3
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

from entry_index import index_entries
from nobody import become_nobody

from limpet.ground.config.defaults import DEFAULTS
from limpet.memory.files.codec import write_entry_text
from limpet.memory.index import sync as index
from limpet.memory.index.database import database_path
from limpet.memory.index.database_file import writing
from limpet.memory.index.reading import hottest, open_index
from limpet.memory.index.sync import Standing, take_slice
from limpet.memory.model.entry import MemoryEntry, Query
from limpet.memory.model.layout import memories
from limpet.memory.search.gate import near
from limpet.memory.search.prompt_words import read_prompt_words
from limpet.memory.search.search import search_entries

SETTINGS: dict[str, Any] = DEFAULTS["memory"]
NOW = 1_800_000_000.0
BEGUN = datetime(2026, 1, 1, tzinfo=UTC)
CHARACTERS = 540
TOGETHER = 20
QUESTIONS = 200
EDITS = 12
MOST_OF_FTS5 = 0.35
MOST_OF_SMALL = 1.6


def main() -> int:
    arguments = _arguments()
    texts = make_texts(max(arguments.entries))
    figures = {str(count): measure(texts[:count], arguments.files) for count in sorted(arguments.entries)}
    print(json.dumps(figures, indent=1) if arguments.json else render(figures))
    return int(arguments.check and not _holds(figures))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--entries", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument(
        "--files", action="store_true", help="make the index from files, as a rebuild does: takes longer"
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument(
        "--check", action="store_true", help="exit 1 where a promise is broken; let the machine be idle"
    )
    return parser.parse_args()


def measure(texts: Sequence[str], files: bool) -> dict[str, float]:
    """Figures in milliseconds, but for the ratios and what is named otherwise."""
    with tempfile.TemporaryDirectory() as project:
        become_nobody(project)
        folder = os.path.join(project, ".limpet")
        os.mkdir(folder)
        made = _make(folder, texts, files)
        return {**made, **_measure_search(folder, texts), **_measure_edit(folder, texts)}


def make_texts(count: int) -> list[str]:
    """So many different texts, the same ones each time."""
    dice = random.Random(7)
    documents = [document.split() for document in sorted(set(_docstrings()))]
    words = sorted({word for document in documents for word in document if word.isalpha()})
    return [_mix(dice, documents, words) for _ in range(count)]


def _mix(dice: random.Random, documents: Sequence[list[str]], words: Sequence[str]) -> str:
    first, second = dice.choice(documents), dice.choice(documents)
    start = dice.randrange(len(first))
    text = first[start : start + 60] + second[:40]
    for _ in range(6):
        text[dice.randrange(len(text))] = dice.choice(words)
    return " ".join(text)[:CHARACTERS]


def _docstrings() -> Iterator[str]:
    warnings.simplefilter("ignore")
    for name in sorted(sys.stdlib_module_names):
        if name.startswith("_") or name in ("antigravity", "this", "idlelib", "tkinter", "turtle", "turtledemo"):
            continue
        try:
            members = list(vars(import_module(name)).values())
        except Exception:  # what a module needs may not be installed
            continue
        inner = [value for member in members if isinstance(member, type) for value in vars(member).values()]
        for member in (*members, *inner):
            document = getattr(member, "__doc__", None)
            if isinstance(document, str) and len(document) > 80:
                yield document


def make_questions(texts: Sequence[str]) -> list[str]:
    """3 to 7 words out of a text."""
    dice = random.Random(8)
    questions = []
    while len(questions) < QUESTIONS:
        words = re.findall(r"\w{2,}", dice.choice(texts))
        questions.append(" ".join(dice.sample(words, min(len(words), dice.randint(3, 7)))))
    return questions


def _entries(texts: Sequence[str]) -> Iterator[tuple[str, MemoryEntry]]:
    for number, text in enumerate(texts):
        yield _entry(number, text)


def _entry(number: int, text: str) -> tuple[str, MemoryEntry]:
    moment = BEGUN + timedelta(minutes=number)
    title, _, body = text.partition(" ")
    entry = MemoryEntry(
        id=f"mem-{moment:%Y-%m-%d}-{_letters(number)}",
        type="decision",
        title=title,
        body=body,
        agent=("dev", "architect", "")[number % 3],
        session=f"conversation-{number // TOGETHER}",
        created_at=f"{moment:%Y-%m-%dT%H:%M:%SZ}",
    )
    return f"shared/daily/{moment:%Y-%m-%d}/{moment:%Y-%m-%d}-{number}.md", entry


def _letters(number: int) -> str:
    return "".join("abcdefghijklmnopqrstuvwxyz234567"[number >> shift & 31] for shift in range(35, -1, -5))


def _make(folder: str, texts: Sequence[str], files: bool) -> dict[str, float]:
    if files:
        for path, entry in _entries(texts):
            _write(folder, path, entry)
    made = _milliseconds(lambda: _index(folder, texts, files))
    size = os.path.getsize(database_path(folder))
    return {"make_per_1000": 1000 * made / len(texts), "bytes_per_entry": size / len(texts)}


def _index(folder: str, texts: Sequence[str], files: bool) -> None:
    if files:
        index.refresh_index(folder, SETTINGS, NOW, anew=True)
    else:
        index_entries(folder, _entries(texts), SETTINGS, NOW)


def _write(folder: str, path: str, entry: MemoryEntry) -> None:
    file = Path(memories(folder), path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(write_entry_text(entry), encoding="utf-8")


def _measure_search(folder: str, texts: Sequence[str]) -> dict[str, float]:
    """Ours and FTS5's in turn, so that a busy moment of the machine hits both."""
    connection = open_index(folder)
    assert connection is not None
    plain = _plain_index(os.path.join(folder, "plain.db"), texts)
    ours, theirs, lists = [], [], []
    with closing(connection), closing(plain):
        for question in make_questions(texts):
            query = Query(text=question, owners=("shared", "dev"), now=NOW)
            ours.append(_milliseconds(lambda query=query: search_entries(connection, query, SETTINGS)))
            asked, words = query.replace(limit=SETTINGS["contents"]["shown"]["first"]), read_prompt_words(question)
            lists.append(
                _milliseconds(lambda asked=asked, words=words: near(connection, asked, words, SETTINGS, frozenset()))
            )
            theirs.append(_milliseconds(lambda question=question: _plain_search(plain, question)))
        query = Query(owners=("shared", "dev"), now=NOW)
        hot = [_milliseconds(lambda: hottest(connection, query, "dev", SETTINGS, 5)) for _ in range(20)]
    figures = {f"search_{name}": _quantile(ours, share) for name, share in (("p50", 0.5), ("p95", 0.95))}
    figures |= {f"fts5_{name}": _quantile(theirs, share) for name, share in (("p50", 0.5), ("p95", 0.95))}
    figures |= {f"list_{name}": _quantile(lists, share) for name, share in (("p50", 0.5), ("p95", 0.95))}
    ratios = {f"ratio_{name}": figures[f"search_{name}"] / figures[f"fts5_{name}"] for name in ("p50", "p95")}
    return {**figures, **ratios, "hottest_p50": statistics.median(hot)}


def _plain_index(path: str, texts: Sequence[str]) -> sqlite3.Connection:
    connection = sqlite3.connect(path)
    connection.execute("CREATE VIRTUAL TABLE m USING fts5(body, tokenize='porter unicode61')")
    connection.executemany("INSERT INTO m(rowid, body) VALUES (?, ?)", enumerate(texts))
    connection.commit()
    return connection


def _plain_search(connection: sqlite3.Connection, question: str) -> list[Any]:
    match = " OR ".join(f'"{word}"' for word in dict.fromkeys(re.findall(r"\w+", question.lower())))
    sql = "SELECT rowid FROM m WHERE m MATCH ? ORDER BY bm25(m) LIMIT 10"
    return connection.execute(sql, (match,)).fetchall()


def _measure_edit(folder: str, texts: Sequence[str]) -> dict[str, float]:
    """One entry more, and one changed, without the look at all files' stamps."""
    spent = []
    for number in range(EDITS):
        path, entry = _entry(number * 7 % len(texts) if number % 2 else len(texts) + number, texts[number] + " changed")
        _write(folder, path, entry)
        spent.append(_milliseconds(lambda path=path: _take(folder, path)))
    return {"edit_p50": statistics.median(spent)}


def _take(folder: str, path: str) -> None:
    with writing(database_path(folder)) as connection:
        take_slice(connection, folder, Standing(paths=(path,)), SETTINGS, NOW, lambda: False, None, 1)


def _milliseconds(act: Callable[[], object]) -> float:
    """Of processor time, which other processes do not lengthen."""
    started = time.process_time()
    act()
    return 1000 * (time.process_time() - started)


def _quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def render(figures: dict[str, dict[str, float]]) -> str:
    """A table, a column for each number of entries."""
    names = list(next(iter(figures.values())))
    lines = ["| ms | " + " | ".join(figures) + " |", "|---" * (len(figures) + 1) + "|"]
    lines += [f"| {name} | " + " | ".join(f"{each[name]:.2f}" for each in figures.values()) + " |" for name in names]
    return "\n".join(lines)


def _holds(figures: dict[str, dict[str, float]]) -> bool:
    small, large = (figures[name] for name in (min(figures, key=int), max(figures, key=int)))
    grown = ("make_per_1000", "edit_p50")
    return large["ratio_p95"] <= MOST_OF_FTS5 and all(large[name] <= MOST_OF_SMALL * small[name] for name in grown)


if __name__ == "__main__":
    sys.exit(main())
