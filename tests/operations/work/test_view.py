"""What the mirror tells the hook of the work."""

from limpet.ground.storage.files import stamp
from limpet.operations.mirror import view_own_task, view_work, work_sources
from limpet.operations.work.handoffs import Content, hand_over

from ...conversation import write
from ...project_session import update_project
from ..callers import opened

STORY = "---\nid: S-1\ntitle: Add it\nexecutor: human\n---\n\n## Tasks\n\n- [ ] Write it\n"


def view(workspace):
    return view_work(opened(workspace))[0]


def test_the_domains_are_those_of_the_current_step(workspace):
    """The step that the commands mean too."""
    update_project(workspace, {"workflow": "greenfield", "agents": {"greenfield-wu": {"status": "in_progress"}}})
    found = view(workspace)
    assert found["pipeline"].startswith("WU(in_progress)") and isinstance(found["domains"], list)


def test_a_handoff_reaches_the_agent_that_an_alias_stands_for(workspace):
    """Whether the alias stands in the session or in the handoff."""
    update_project(workspace, {"workflow": "brownfield"})
    hand_over(opened(workspace), "brief", "analyst", Content(summary="Look at the billing."))
    update_project(workspace, {"current_agent": "analyst"})
    handoff = view(workspace)["handoff"]
    assert (handoff["to"], handoff["lines"]) == ("brownfield-wu", ["Look at the billing."])


def test_a_file_that_cannot_be_read_costs_its_own_part(workspace):
    """And is named."""
    write(workspace.path("workflows", "ours.yaml"), "steps: [\n")
    update_project(workspace, {"workflow": "Ours", "task": "Add it"})
    found, problems = view_work(opened(workspace))
    assert (found["pipeline"], found["task"]) == ("", {"title": "Add it"})
    assert problems[0].startswith(".limpet/workflows/ours.yaml:2")
    assert workspace.path("workflows", "ours.yaml") in work_sources(opened(workspace))


def test_a_conversations_own_task_bears_its_storys_file(workspace):
    """And the stamp by which a change is seen; a name without a story is a title."""
    path = workspace.path("stories", "S-1", "story.md")
    write(path, STORY)
    task, problems = view_own_task(opened(workspace), "S-1")
    assert (task["title"], task["executor"], task["progress"]) == ("Add it", "human", "task 1 of 1: Write it")
    assert (task["file"], task["stamp"], problems) == (path, list(stamp(path)), [])
    assert view_own_task(opened(workspace), "A hotfix") == ({"title": "A hotfix"}, [])
