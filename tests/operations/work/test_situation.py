"""Where the work stands, read once for all that tell it."""

import pytest

from limpet.operations.work.situation import find_handoff_of, find_handoff_to, next_of_story, read_situation
from limpet.operations.work.start import start_work
from limpet.work.stories.story import Story

from ...conversation import write
from ...project_session import update_project
from ..callers import opened


def test_a_conversation_sees_its_own_task_in_the_projects_workflow(workspace):
    """And no pipeline where it follows another one."""
    start_work(opened(workspace), "greenfield")
    update_project(workspace, {"task": "Add it"})
    here = read_situation(opened(workspace), {"task": "Mend it"})
    assert (here.task, here.step.agent, here.problems) == ({"title": "Mend it"}, "greenfield-wu", ())
    other = read_situation(opened(workspace), {"workflow": "brownfield"})
    assert (other.workflow, other.step, other.pipeline, other.task) == (None, None, "", {"title": "Add it"})


def test_what_cannot_be_read_counts_as_none_and_is_named(workspace):
    """The session, the workflow, the story and a handoff, each on its own."""
    write(workspace.path("stories", "S-1", "story.md"), "---\nid: [\n---\n")
    write(workspace.path("handoffs", "dev.md"), "---\nfrom_agent: [\n---\n")
    update_project(workspace, {"task": {"id": "S-1", "title": "Add it"}})
    here = read_situation(opened(workspace))
    assert here.story is None and here.problems == (here.unreadable,) and "S-1/story.md" in here.unreadable
    problems = []
    assert (
        find_handoff_to(opened(workspace), "qa", problems) is None
        and find_handoff_of(opened(workspace), "", []) is None
    )
    assert len(problems) == 1


OPEN = Story(
    id="S-1",
    title="Export",
    tasks=((True, "Plan it"), (False, "Write it"), (False, "Test it")),
    acceptance=((False, "A file comes"),),
)
DONE = tuple((True, text) for _, text in OPEN.tasks)
SHOWN = 'limpet work story done --shown "1: EVIDENCE"'


@pytest.mark.parametrize(
    ("story", "words", "command"),
    [
        (OPEN, "S-1, task 2 of 3: Write it", f"{SHOWN} --tasks"),
        (OPEN.replace(tasks=DONE), "S-1, open criterion: A file comes", SHOWN),
        (OPEN.replace(tasks=DONE, acceptance=()), "S-1, all 3 tasks done", "limpet work story done"),
        (OPEN.replace(tasks=(), acceptance=()), "S-1", "limpet work story done"),
    ],
)
def test_a_story_in_hand_says_what_is_open(story, words, command):
    """And how it ends; nothing follows for one that is done, or without one."""
    found = next_of_story(story)
    assert (found.words, found.command) == (words, command)
    assert next_of_story(story.replace(status="Done")) is next_of_story(None) is None
