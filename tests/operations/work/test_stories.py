"""Stories, whatever door asks for them."""

import pytest

from limpet.ground.config.mirror import read_mirror
from limpet.ground.errors import LimpetError
from limpet.operations.work import stories
from limpet.operations.work.checks import Checked
from limpet.operations.work.start import start_work
from limpet.work.stories import store
from limpet.work.stories.evidence import remarks
from limpet.work.stories.store import Ending

from ...project_session import update_project
from ...work.writing import put
from ..callers import events, opened


@pytest.fixture
def project(workspace):
    """A project with one story, which is under way."""
    stories.add_story(
        opened(workspace), "S-12", "Add  the export", acceptance=("A file",), tasks=("Write it",), agent="@dev"
    )
    update_project(workspace, {"task": {"id": "S-12"}})
    return workspace


def test_a_story_is_made_of_what_people_write(project):
    """Marks and spaces are tidied, a draft by an agent."""
    with pytest.raises(LimpetError, match="No story with this ID: S-9"):
        stories.find_story(opened(project), "S-9")
    stories.note_on_story(opened(project), "S-12", "qa_results", "PASS")
    found = stories.find_story(opened(project), "S-12")
    assert found.qa_results == "PASS"
    assert (found.title, found.agent, found.status, found.executor) == ("Add the export", "@dev", "draft", "agent")
    assert (found.acceptance, found.tasks) == (((False, "A file"),), ((False, "Write it"),))


def test_each_change_is_recorded_and_in_the_mirror(project):
    """The next block says how far the task is."""
    stories.tick_criterion(opened(project), "S-12", "tasks", "1")
    assert read_mirror(project).work["task"]["progress"] == "all 1 tasks done"
    assert [kind for kind, _ in events(project)] == ["story.added", "story.changed"]


def test_an_open_story_is_done_only_anyway(project):
    """With the reason on record."""
    with pytest.raises(LimpetError, match="open acceptance criteria"):
        stories.finish_story(opened(project), "S-12")
    assert stories.finish_story(opened(project), "S-12", Ending(accepted="moved")).story.status == "done"
    assert ("story.changed", "moved") in events(project)


def test_checks_that_fail_keep_a_story_open(project, monkeypatch):
    """All their reasons are told; they are not run while anything else is open. Those that ran are on record."""
    ended, ran = {"tests": 1, "lint": 2}, []

    def run_checks(project, agent):
        ran.append(agent)
        return [Checked(name, name, code, "out.txt", late=False) for name, code in ended.items()]

    monkeypatch.setattr(stories, "run_checks", run_checks)
    with pytest.raises(LimpetError, match="open acceptance criteria"):
        stories.finish_story(opened(project), "S-12")
    assert ran == []
    shown = Ending(shown=((1, "python -m app export"),), tasks=True)
    with pytest.raises(LimpetError, match="check tests failed with exit code 1.*; check lint failed with exit code 2"):
        stories.finish_story(opened(project), "S-12", shown)
    found = stories.find_story(opened(project), "S-12")
    assert (found.status, found.open_criteria, found.dev_record) == ("draft", ("A file",), "")
    ended.update(tests=0, lint=0)
    done = stories.finish_story(opened(project), "S-12", shown)
    assert (done.story.status, done.story.open_tasks) == ("done", ())
    note = "Done 2026-11-21: 1 of 1 criteria shown; checks: tests exit code 0, lint exit code 0"
    assert (done.note, done.story.dev_record) == (note, f"- Criterion 1, A file: python -m app export\n- {note}")


def test_evidence_that_names_a_file_that_is_not_there_is_refused(project):
    """Of the file itself too, where somebody wrote it by hand; a command and words are not looked for."""
    for evidence in ("tests/none.py", "none.py: 3 passed", "`docs/none.md`", "../outside.py", "tests/a.py::test_it"):
        with pytest.raises(LimpetError, match="evidence of criterion 1 is no file of the project"):
            stories.finish_story(opened(project), "S-12", Ending(shown=((1, evidence),), tasks=True))
    stories.note_on_story(opened(project), "S-12", "dev_record", "- Criterion 1, A file: none.py")
    with pytest.raises(LimpetError, match="evidence of criterion 1 is no file of the project: none.py"):
        stories.finish_story(opened(project), "S-12", Ending(tasks=True))
    for evidence in ("pytest -q tests/none.py", "the file opens in a spreadsheet", "https://ci.example.com/1", "S-12"):
        store.try_finish(project, "S-12", Ending(shown=((1, evidence),), tasks=True))


def test_a_story_added_in_a_build_step_says_so(workspace):
    """With its run, whoever added it and from what; in no other step."""
    put(workspace, "workflows/hotfix.yaml", "steps:\n  - {agent: dev, state: build, mode: build}\n")
    stories.add_story(opened(workspace), "S-1", "Before")
    start_work(opened(workspace), "hotfix")
    stories.add_story(opened(workspace), "", "During")
    stories.add_text(opened(workspace), "S-3", "---\nid: S-3\ntitle: Text\n---\n")
    found = [stories.find_story(opened(workspace), f"S-{number}") for number in (1, 2, 3)]
    assert [(story.added_during, bool(story.run)) for story in found] == [("", False), ("dev", True), ("dev", True)]
    assert remarks(found[1]) == ("added during dev",)


def test_a_text_becomes_a_story_as_it_is(project):
    """A second one of the same id is refused."""
    stories.add_text(opened(project), "S-13", "---\nid: S-13\ntitle: Other\nstatus: ready\n---\n")
    with pytest.raises(LimpetError, match="Story already exists"):
        stories.add_text(opened(project), "S-13", "---\nid: S-13\n---\n")
    found = stories.listed_stories(opened(project), "READY")
    assert ([name for name, _ in found.stories], found.total) == (["S-13"], 2)
