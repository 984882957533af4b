"""Stories, whatever door asks for them."""

import pytest

from holdfast.ground.config.mirror import read_mirror
from holdfast.ground.errors import HoldfastError
from holdfast.operations.work import stories
from holdfast.work.project import update_project

from ..callers import events, opened


@pytest.fixture
def project(workspace):
    """A project with one story, which is under way."""
    stories.add(opened(workspace), "S-12", "Add  the export", acceptance=("A file",), tasks=("Write it",), agent="@dev")
    update_project(workspace, {"task": {"id": "S-12"}})
    return workspace


def test_a_story_is_made_of_what_people_write(project):
    """Marks and spaces are tidied, a draft by an agent."""
    found = stories.find(opened(project), "S-12")
    assert (found.title, found.agent, found.status, found.executor) == ("Add the export", "@dev", "draft", "agent")
    assert (found.acceptance, found.tasks) == (((False, "A file"),), ((False, "Write it"),))


def test_each_change_is_recorded_and_in_the_mirror(project):
    """The next block says how far the task is."""
    stories.tick(opened(project), "S-12", "tasks", "1")
    assert read_mirror(project).work["task"]["progress"] == "all 1 tasks done"
    assert [kind for kind, _ in events(project)] == ["story.added", "story.changed"]


def test_a_note_goes_into_its_section(project):
    """Dev Agent Record or QA Results."""
    stories.note(opened(project), "S-12", "qa_results", "PASS")
    assert stories.find(opened(project), "S-12").qa_results == "PASS"


def test_an_open_story_is_done_only_anyway(project):
    """With the reason on record."""
    with pytest.raises(HoldfastError, match="open acceptance criteria"):
        stories.finish(opened(project), "S-12")
    assert stories.finish(opened(project), "S-12", "moved").status == "done"
    assert events(project)[-1] == ("story.changed", "moved")


def test_checks_that_fail_keep_a_story_open(project, monkeypatch):
    """All their reasons are told; they are not run while anything else is open."""
    failed, ran = ["`pytest -q` ended with 1", "`ruff check` ended with 1"], []
    monkeypatch.setattr(stories, "failed_checks", lambda project: ran.append("checks") or tuple(failed))
    with pytest.raises(HoldfastError, match="open acceptance criteria"):
        stories.finish(opened(project), "S-12")
    assert ran == []
    stories.tick(opened(project), "S-12", "acceptance", "1")
    stories.tick(opened(project), "S-12", "tasks", "1")
    with pytest.raises(HoldfastError, match="`pytest -q` ended with 1; `ruff check` ended with 1.*story done"):
        stories.finish(opened(project), "S-12")
    assert stories.find(opened(project), "S-12").status == "draft"
    failed.clear()
    assert stories.finish(opened(project), "S-12").status == "done"


def test_a_text_becomes_a_story_as_it_is(project):
    """A second one of the same id is refused."""
    stories.add_text(opened(project), "S-13", "---\nid: S-13\ntitle: Other\nstatus: ready\n---\n")
    with pytest.raises(HoldfastError, match="Story already exists"):
        stories.add_text(opened(project), "S-13", "---\nid: S-13\n---\n")
    found = stories.list_stories(opened(project), "READY")
    assert ([name for name, _ in found.stories], found.total) == (["S-13"], 2)


def test_one_that_is_not_there_is_told(project):
    """With where to look."""
    with pytest.raises(HoldfastError, match="No story with this ID: S-9"):
        stories.find(opened(project), "S-9")
