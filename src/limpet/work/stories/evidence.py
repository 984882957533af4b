"""What shows that a story's criteria hold: a line for each in its Dev Agent Record. Separate, because a tick without
one is only a claim, wherever the story is told of. Pure."""

from __future__ import annotations

import re

from limpet.ground.text.escaping import clip
from limpet.work.stories.story import Story

# Characters of a criterion in the line of its evidence, by which the line belongs to it.
_WIDTH = 80


def evidence_line(story: Story, number: int, evidence: str) -> str:
    """Return the line of the record that says what shows criterion ``number``, from 1."""
    return f"- Criterion {number}, {_named(story.acceptance[number - 1][1])}: {evidence}"


def evidence_of(story: Story) -> dict[int, str]:
    """Return the newest evidence of each criterion that has one, by its number from 1; a line on a criterion that says
    something else now is none."""
    found = {}
    for number, (_, text) in enumerate(story.acceptance, 1):
        line = rf"^- Criterion \d+, {re.escape(_named(text))}: (.*\S)"
        if lines := re.findall(line, story.dev_record, re.MULTILINE):
            found[number] = lines[-1]
    return found


def count_claimed(story: Story) -> int:
    """Return how many criteria are ticked without evidence."""
    shown = evidence_of(story)
    return sum(done and number not in shown for number, (done, _) in enumerate(story.acceptance, 1))


def claimed_line(story: Story) -> str:
    """Return that some of the ticked criteria are claimed only, "" where none is."""
    claimed = count_claimed(story)
    if not claimed:
        return ""
    verb = "is" if claimed == 1 else "are"
    return f"{claimed} of {len(story.acceptance)} criteria {verb} claimed: no evidence was given"


def remarks(story: Story) -> tuple[str, ...]:
    """Return what happened to the plan while it was carried out: that the story was added."""
    return (f"added during {story.added_during}",) if story.added_during else ()


def _named(criterion: str) -> str:
    return clip(criterion, _WIDTH)
