"""What showing memories step by step costs (a line, their substance, the whole in a file), beside all of them in full.

Fifty prompts meet two hundred memories of a developer's project, each prompt in a conversation of its own and then all
in one. Tokens are those of ``ground.text.tokens``, of the elements ``<memory>`` and ``<contents>`` of the block and, in
CRITICAL, of the continuation file that the prompt points to.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from coding_memories import make_entries, make_prompts
from nobody import become_nobody, trusted_project

from limpet.engine import handle
from limpet.engine.explanation import preview
from limpet.ground.clock import Clock
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.event import Event
from limpet.ground.event_log import Actor
from limpet.ground.storage.files import write_atomic
from limpet.ground.text.tokens import estimate_tokens
from limpet.ground.workspace import Workspace
from limpet.memory.files import store
from limpet.memory.index import sync as index
from limpet.memory.index.reading import hottest, open_index
from limpet.memory.model.attention import HOT_ABOVE
from limpet.memory.model.entry import Card, Query
from limpet.memory.search.search import search_entries
from limpet.operations.memory.conversations.conversation import Conversation
from limpet.operations.mirror import refresh_mirror
from limpet.operations.work.continuation import keep_continuation
from limpet.work.continuation_store import PLACE

SETTINGS: dict[str, Any] = DEFAULTS["memory"]
NOW = 1_790_000_000.0
WINDOW = 200_000
# Bracket -> percent of the window that is left.
BRACKETS = {"MODERATE": 50, "DEPLETED": 30, "CRITICAL": 20}
ALONE, TOGETHER = "alone", "together"
# What chati.dev V7.1 says of its own retrieval, in percent.
CLAIMED = (60, 95)
CLOCK = Clock(now=lambda: NOW, timer=lambda: 0.0, worked=lambda: 0.0)
ELEMENT = re.compile(r"<(?:memory|contents) .*?</(?:memory|contents)>\n?", re.DOTALL)
EVERYTHING = 100_000


@dataclass(frozen=True)
class Row:
    """A prompt at a level: tokens that were injected, of all that matches in full and of all that is hot in full, and
    whether what it is about was shown (None: it is about nothing)."""

    injected: int
    matching: int
    hot: int
    shown: bool | None


def main() -> int:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="limpet-bench-", ignore_cleanup_errors=True) as folder:
        become_nobody(folder)
        workspace = make_project(os.path.join(folder, "shop"), options.entries)
        measured = {bracket: list(measure_alone(workspace, bracket)) for bracket in BRACKETS}
        results = {bracket: figures(rows) for bracket, rows in measured.items()}
        whole = {bracket: measure_together(workspace, bracket) for bracket in BRACKETS}
    failures = _failures(results)
    if options.json:
        print(json.dumps({ALONE: results, TOGETHER: whole, "failures": failures}, indent=2))
    else:
        print("\n".join([*_table(results, whole), "", *(failures or ["all promises held"])]))
    return int(options.check and bool(failures))


def make_project(root: str, entries: int) -> Workspace:
    """The shipped rules and so many memories, with their index."""
    workspace = trusted_project(root, NOW)
    write_atomic(workspace.path("config.yaml"), f"context:\n  window: {WINDOW}\n")
    refresh_mirror(workspace)
    actor = Actor(writer="bench", now=NOW, retention=DEFAULTS["retention"])
    for entry in make_entries(entries, NOW):
        store.add_file(workspace.shared, entry.__dict__, lambda made: ("shared", made.tier), actor)
    index.refresh_index(workspace.shared, SETTINGS, NOW)
    mark = workspace.cached("kept")
    write_atomic(mark, "")
    os.utime(mark, (NOW, NOW))  # today's maintenance is done: it would archive some of them meanwhile
    return workspace


def measure_alone(workspace: Workspace, bracket: str) -> Iterator[Row]:
    """Each prompt as the first of a conversation whose opening memories are not counted."""
    _send(workspace, "session_start", ALONE, source="fork")
    hot = _full(_hot(workspace))
    for prompt, about in make_prompts():
        result = preview(workspace, prompt, bracket=bracket, session=ALONE, clock=CLOCK).result
        element = "".join(ELEMENT.findall(result.block))
        told = element if bracket != "CRITICAL" else element + _continued(workspace, ALONE, prompt)
        shown = None if not about else about.lower() in told.lower()
        yield Row(estimate_tokens(told), _full(_matching(workspace, prompt)), hot, shown)


def measure_together(workspace: Workspace, bracket: str) -> dict[str, int]:
    """One conversation of all prompts: tokens of its opening memories, of those that the prompts brought, and of all
    that matches, each once, in full."""
    session = f"{TOGETHER}-{bracket}"
    transcript = os.path.join(workspace.root, f"{session}.jsonl")
    usage = {"input_tokens": WINDOW * (100 - BRACKETS[bracket]) // 100, "output_tokens": 0}
    message = {"role": "assistant", "model": "some-model", "content": [], "usage": usage}
    write_atomic(transcript, json.dumps({"type": "assistant", "message": message}) + "\n")
    opening = _send(workspace, "session_start", session, source="startup")
    brought = [
        _send(workspace, "prompt", session, prompt=prompt, prompt_id=f"p{number}", transcript=transcript)
        for number, (prompt, _) in enumerate(make_prompts())
    ]
    matching = {card.id: card for prompt, _ in make_prompts() for card in _matching(workspace, prompt)}
    return {"opening": opening, "prompts": sum(brought), "matching": _full(list(matching.values()))}


def figures(rows: list[Row]) -> dict[str, float]:
    """Of the prompts that any memory matches, but for ``silent``: how many of the others were brought something."""
    found = [row for row in rows if row.matching]
    return {
        "prompts": len(found),
        "injected": statistics.mean(row.injected for row in found),
        "most": max(row.injected for row in found),
        "matching": statistics.mean(row.matching for row in found),
        "hot": found[0].hot,
        "saved_of_matching": 100 - 100 * sum(row.injected for row in found) / sum(row.matching for row in found),
        "saved_of_hot": 100 - 100 * sum(row.injected for row in found) / sum(row.hot for row in found),
        "asked": sum(row.shown is not None for row in rows),
        "shown": sum(row.shown is True for row in rows),
    }


def _send(workspace: Workspace, kind: str, session: str, **given: str) -> int:
    """Tokens of the memories in the event's block."""
    block = handle(
        Event(kind=kind, host="claude-code", session=session, cwd=workspace.root, **given), workspace, CLOCK
    ).block
    return estimate_tokens("".join(ELEMENT.findall(block)))


def _continued(workspace: Workspace, session: str, prompt: str) -> str:
    keep_continuation(workspace, Conversation(session, NOW), prompt)
    with open(workspace.kept(PLACE, f"{session}.md"), encoding="utf-8") as file:
        return file.read()


def _matching(workspace: Workspace, prompt: str) -> list[Card]:
    """All that is as relevant to the prompt as what the hook shows."""
    connection = open_index(workspace.shared)
    assert connection
    with closing(connection):
        hits = search_entries(connection, Query(text=prompt, owners=None, now=NOW, limit=EVERYTHING), SETTINGS)
    return [hit.card for hit in hits if hit.relevance >= SETTINGS["least_relevance"]]


def _hot(workspace: Workspace) -> list[Card]:
    connection = open_index(workspace.shared)
    assert connection
    with closing(connection):
        hits = hottest(connection, Query(owners=None, now=NOW), "", SETTINGS, EVERYTHING)
    return [hit.card for hit in hits if hit.attention > HOT_ABOVE]


def _full(cards: list[Card]) -> int:
    return sum(card.size for card in cards)


def _failures(results: dict[str, dict[str, float]]) -> list[str]:
    least, _ = CLAIMED
    return [
        f"{bracket}: {row[key]:.0f} % saved ({key}), claimed at least {least}"
        for bracket, row in results.items()
        for key in ("saved_of_matching", "saved_of_hot")
        if bracket != "CRITICAL" and row[key] < least
    ]


def _table(results: dict[str, dict[str, float]], whole: dict[str, dict[str, int]]) -> Iterator[str]:
    heads = ("prompts", "injected", "most", "matching", "saved %", "all hot", "saved %", "shown/asked")
    yield f"{'a prompt alone':16}" + "".join(f"{head:>13}" for head in heads)
    for bracket, row in results.items():
        keys = ("prompts", "injected", "most", "matching", "saved_of_matching", "hot", "saved_of_hot")
        shown = f"{row['shown']:.0f}/{row['asked']:.0f}"
        yield f"{bracket:16}" + "".join(f"{row[key]:13.0f}" for key in keys) + f"{shown:>13}"
    yield ""
    yield f"{'all in one':16}" + "".join(f"{head:>13}" for head in ("opening", "prompts", "matching", "saved %"))
    for bracket, sums in whole.items():
        saved = 100 - 100 * (sums["opening"] + sums["prompts"]) / sums["matching"]
        yield (
            f"{bracket:16}"
            + "".join(f"{sums[key]:13}" for key in ("opening", "prompts", "matching"))
            + f"{saved:13.0f}"
        )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Weigh memories shown step by step against memories in full.")
    parser.add_argument("--entries", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true", help=f"exit 1 unless {CLAIMED[0]} %% are saved")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
