"""Memories such as coding agents leave behind, as many as wanted and the same ones each time, and prompts about them.

``coding_memories.txt`` has a line for each matter: what it is, what was chosen, what was not, a file, an error, its
mend. Each gives a decision, a correction, an error, its resolution and a lesson; more of them are about services of
other names.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple

from limpet.ground.clock import iso
from limpet.memory.model.entry import SECTOR_OF, MemoryEntry

MATTERS = Path(__file__).with_name("coding_memories.txt")
DAY = 86_400
# So many days ago the oldest was recorded.
OLDEST = 120
SERVICES = (
    "shop",
    "billing",
    "catalogue",
    "shipping",
    "returns",
    "loyalty",
    "partner",
    "warehouse",
    "support",
    "fraud",
)
UNRELATED = (
    "Commit that.",
    "Good morning. What is left to do?",
    "Looks good to me, thanks.",
    "Open a pull request with a short description.",
    "Run everything once more.",
    "Write a haiku about autumn.",
    "Now rename the variable to something shorter.",
    "Which Python is installed here?",
    "Explain the last diff line by line.",
    "That is all for today. Summarise what we did in five lines.",
)


class Matter(NamedTuple):
    """What memories are about; texts."""

    name: str
    chosen: str
    rejected: str
    file: str
    error: str
    mend: str


def read_matters() -> list[Matter]:
    lines = MATTERS.read_text(encoding="utf-8").splitlines()
    return [Matter(*(part.strip() for part in line.split(" | "))) for line in lines]


def make_entries(number: int, now: float) -> list[MemoryEntry]:
    """So many entries, recorded in the time before ``now``."""
    return list(islice(_entries(number, now), number))


def make_prompts() -> list[tuple[str, str]]:
    """(prompt, the name of the matter it is about, "" for none): one for each matter, and some about none."""
    asked = (
        "What did we decide about {name}, and why?",
        "Work on {name}: it fails with {error}",
        "Please change {name} in {file} and add a test.",
        "Somebody says that {name} is too slow. Should we move to {rejected}?",
    )
    about = [
        (asked[place % len(asked)].format(**each._asdict()), each.name) for place, each in enumerate(read_matters())
    ]
    return about + [(text, "") for text in UNRELATED]


def make_question(number: int) -> str:
    """A prompt about what memories are about, another one for each number so far as there are memories."""
    matters = read_matters()
    matter, service = matters[number % len(matters)], SERVICES[number // len(matters) % len(SERVICES)]
    return f"Look into {matter.name} of the {service} service: it fails with {matter.error}"


def _entries(number: int, now: float) -> Iterator[MemoryEntry]:
    matters = read_matters()
    for serial in count():
        place, turn = serial // 5 % len(matters), serial // (5 * len(matters))
        service = f"{SERVICES[turn % len(SERVICES)]}{turn // len(SERVICES) or ''}"
        matter = matters[place]
        named = matter._replace(name=matter.name if turn == 0 else f"{matter.name} of the {service} service")
        kind, title, body, confidence = _texts(named)[serial % 5]
        created = now - DAY * OLDEST * ((serial * 7919) % number) / number
        yield MemoryEntry(
            id=f"mem-2026-01-01-{serial:08d}",
            type=kind,
            title=title[:120],
            body=body,
            agent=("dev", "architect", "")[serial % 3],
            tags=tuple(named.name.split()[-2:]),
            confidence=confidence,
            sector=SECTOR_OF[kind],
            created_at=iso(created),
            storage="durable" if kind == "lesson" else "daily",
            source="person" if kind == "lesson" else "capture:bench",
            session=f"talk-{serial // 20}",
        )


def _texts(of: Matter) -> tuple[tuple[str, str, str, float], ...]:
    """(type, title, body, confidence) of each of a matter's memories."""
    return (
        ("decision", f"{of.chosen.capitalize()} for {of.name}", _decision(of), 0.8),
        ("user_correction", f"No, use {of.chosen} for {of.name}, not {of.rejected}", _correction(of), 0.8),
        ("error_pattern", of.error, _error(of), 0.6),
        ("resolution", f"{of.error[:70]} - gone: {of.mend}", _resolution(of), 0.6),
        ("lesson", f"{of.name.capitalize()}: {of.mend}", _lesson(of), 0.95),
    )


def _decision(of: Matter) -> str:
    return f"""## Decision

We use {of.chosen} for {of.name}, and not {of.rejected}.

## Why

{of.rejected.capitalize()} was there first, in `{of.file}`. Under load it gave `{of.error}`, and nobody who was on call
could tell from the graphs what had gone wrong. {of.chosen.capitalize()} needs no change in the callers, is known to
everybody on the team, and can be taken back within one release should it disappoint.

## Consequences

- New code starts from {of.chosen}; `{of.file}` is the example to copy.
- What still relies on {of.rejected} is moved when somebody touches it anyway, not in one go.
- Both figures stay on the dashboard until the end of the quarter, then we look at them once more.

## Context

> user: Which one shall we take for {of.name}, {of.chosen} or {of.rejected}?
> assistant: I compared both. {of.chosen.capitalize()} is simpler to run; {of.rejected} scales further than we need.
> user: Then {of.chosen} it is. Write down why.
"""


def _correction(of: Matter) -> str:
    return f"""No, use {of.chosen} for {of.name}, not {of.rejected}.

## Context

> assistant: I put {of.rejected} into `{of.file}`, because the neighbouring module does it that way as well.
> user: No, use {of.chosen} for {of.name}, not {of.rejected}. The neighbour is older than the decision.
> assistant: Understood. I changed `{of.file}` and the two tests that relied on it; the rest of the module is as before.
"""


def _error(of: Matter) -> str:
    return f"""`npm test` failed: {of.error}

## Context

> output: Exit code 1
> {of.error}
>     at run ({of.file}:41:13)
>     at next (node_modules/runner/index.js:118:9)
>     at processTicksAndRejections (node:internal/process/task_queues:95:5)
> 1 failed, 212 passed, 3 skipped in 41.07 s
"""


def _resolution(of: Matter) -> str:
    return f"""{of.error} - gone from `npm test` after changes to `{of.file}`: {of.mend}.

## Context

> assistant: The failure comes from `{of.file}`. I will look at what changed there since it last passed.
> assistant: {of.mend.capitalize()}. All tests pass now, here and in CI.
> user: Good. Keep that in mind for the next time.
"""


def _lesson(of: Matter) -> str:
    return f"""What went wrong with {of.name}, so that it does not happen again: {of.mend}.

It showed as `{of.error}` and took two of us an afternoon, because the first guess was {of.rejected}. Look into
`{of.file}` first. Whoever reviews a change there asks whether {of.chosen} is still what it relies on, and whether the
test fails without the mend. The runbook has a section with the commands, the graphs to look at and the people to ask.
"""
