"""Where the work stands, read once for all that tell it."""

from limpet.operations.work.situation import find_handoff_of, find_handoff_to, read_situation
from limpet.operations.work.start import start_work

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
