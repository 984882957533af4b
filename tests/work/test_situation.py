"""Where the work stands: what comes next for a story."""

import pytest

from limpet.operations.work.situation import next_of_story
from limpet.work.stories.story import Story

OPEN = Story(
    id="S-1",
    title="Export",
    tasks=((True, "Plan it"), (False, "Write it"), (False, "Test it")),
    acceptance=((False, "A file comes"),),
)
DONE = tuple((True, text) for _, text in OPEN.tasks)
SHOWN = 'limpet story done --shown "1: EVIDENCE"'


@pytest.mark.parametrize(
    ("story", "words", "command"),
    [
        (OPEN, "S-1, task 2 of 3: Write it", f"{SHOWN} --tasks"),
        (OPEN.replace(tasks=DONE), "S-1, open criterion: A file comes", SHOWN),
        (OPEN.replace(tasks=DONE, acceptance=()), "S-1, all 3 tasks done", "limpet story done"),
        (OPEN.replace(tasks=(), acceptance=()), "S-1", "limpet story done"),
    ],
)
def test_a_story_in_hand_says_what_is_open(story, words, command):
    """And how it ends; nothing follows for one that is done, or without one."""
    found = next_of_story(story)
    assert (found.words, found.command) == (words, command)
    assert next_of_story(story.replace(status="Done")) is next_of_story(None) is None
