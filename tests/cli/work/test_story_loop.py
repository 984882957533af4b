"""``limpet work story show|start|done`` by their door."""

import json
import os
import sys
from pathlib import Path

import pytest

from limpet.operations.work.stories import EVIDENCE
from limpet.work.project import read_project
from limpet.work.session import new_session, read_state, write_session
from limpet.work.stories.store import read_story
from limpet.work.stories.story import ADD

from ...conversation import write as write_text
from ...event_log import logged
from ...places import private_path
from ...work.writing import content, put

DEV = "You are now dev: Build what the story says, as the architecture says, with tests."
STORY = """\
---
id: {id}
title: Story {id}
executor: human
agent: "@dev"
acceptance:
  - "[ ] It works"
---

## Tasks

- [ ] Build it
"""


@pytest.fixture
def story(call):
    def run_story(*arguments, **surroundings):
        done = call("work", "story", *arguments, **surroundings)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run_story


@pytest.fixture
def refused(call):
    def run_refused(*arguments, **surroundings):
        done = call("work", "story", *arguments, **surroundings)
        assert (done.returncode, done.stdout) == (1, ""), done.stdout
        return done.stderr

    return run_refused


def write(workspace, story_id, text=STORY):
    put(workspace, f"stories/{story_id}/story.md", text.format(id=story_id))


def tick_all(workspace, story_id):
    name = f"stories/{story_id}/story.md"
    put(workspace, name, content(workspace, name).replace("[ ]", "[x]"))


def test_two_stories_cost_three_commands_each(workspace, story, call):
    """In a build step each is added, started, and done with its evidence. No file is edited, nothing else is typed, and
    each answer names what comes next."""
    put(workspace, "workflows/building.yaml", "steps:\n  - {agent: dev, state: build, mode: build}\n")
    assert call("work", "start", "building").returncode == 0
    assert call("config", "set", "work.checks.tests", f"{sys.executable} -c pass", "--yes").returncode == 0
    titles = ("Add the export", "Add the import")
    for title in titles:
        assert "next       limpet work story start S-" in story(
            "add", title, "--criterion", "It works", "--task", "Do it"
        )
    for number, title in enumerate(titles, 1):
        begun = story("start").splitlines()
        assert begun[0] == f"Started S-{number}: {title} (.limpet/stories/S-{number}/story.md)"
        assert begun[1].startswith("You are now dev: ")
        assert begun[-1] == 'next       limpet work story done --shown "1: EVIDENCE" --tasks'
        told = story("done", "--shown", "1: python -m app: 3 rows", "--tasks").splitlines()
        assert told[0] == f"Completed S-{number}; all 1 tasks done"
        assert "1 of 1 criteria shown" in told[1] and told[1].endswith("checks: tests exit code 0")
        if number == 1:
            assert told[2:] == ["story      S-2 Add the import", "next       limpet work story start S-2"]
    assert told[2:4] == ["All 2 stories are done.", "next       limpet work finish -"] and told[-1] == "END"
    assert [read_story(workspace, name).status for name in ("S-1", "S-2")] == ["done", "done"]


@pytest.mark.parametrize("shown", ["1", "one: seen", "1:", "1: "])
def test_evidence_names_its_criterion(workspace, call, shown):
    """By its number; nothing is changed."""
    write(workspace, "S-1")
    assert call("work", "story", "done", "S-1", "--shown", shown, "--tasks").returncode == 2
    assert "[x]" not in content(workspace, "stories/S-1/story.md")


def test_start_without_an_id_goes_on_with_the_one_in_progress(workspace, story, refused):
    """Else it begins the first that can; where none can, it says why."""
    assert "No stories yet. Run: limpet work story add" in refused("start")
    write(workspace, "S-1", STORY.replace("acceptance:", 'pre_conditions: ["[ ] Approved"]\nacceptance:'))
    told = refused("start")
    assert told.startswith("limpet: No story can begin: S-1 waits for: Approved. Once it holds, run: limpet work story")
    for name in ("S-2", "S-3"):
        write(workspace, name)
    for arguments, name in (((), "S-2"), ((), "S-2"), (("--also",), "S-3")):
        assert story("start", *arguments).startswith(f"Started {name}: ")
    assert story("start").startswith("Started S-3: ")
    os.unlink(private_path(workspace, "session.yaml"))
    assert "Several stories are in progress: S-2, S-3" in refused("start")


def test_start_shows_the_whole_story(workspace, story):
    """Conditions, criteria and tasks with their numbers, files, and what was noted."""
    more = (
        'files: [a.py (new)]\nadded_during: dev\npre_conditions: ["[x] Approved"]\nacceptance:\n  - "[x] It is there"'
    )
    text = STORY.replace("acceptance:", more)
    write(workspace, "S-1", f"{text}\n## Dev Agent Record\n\n- Criterion 1, It is there: seen\n")
    lines = story("start").splitlines()
    assert [line.split()[0] for line in lines[2:4]] == ["ONLY", "NEVER"]
    assert [*lines[:2], *lines[4:]] == [
        "Started S-1: Story S-1 (.limpet/stories/S-1/story.md)",
        DEV,
        "condition  [x] Approved",
        "criterion  1 [x] It is there",
        "criterion  2 [ ] It works",
        "task       1 [ ] Build it",
        "file       a.py (new)",
        "seen       added during dev",
        "noted      - Criterion 1, It is there: seen",
        f"evidence   {EVIDENCE}",
        'next       limpet work story done --shown "2: EVIDENCE" --tasks',
    ]


def test_a_story_added_while_building_is_seen(workspace, story, call):
    """When it is added, in the list, and in the status of the work."""
    put(workspace, "workflows/hotfix.yaml", "steps:\n  - {agent: dev, state: build, mode: build}\n")
    call("work", "start", "hotfix")
    assert "seen       added during dev" in story("add", "Add more", "--criterion", "It works").splitlines()
    assert "Add more; added during dev" in story("list")
    assert "stories   added during dev: S-1\n" in call("work", "status").stdout
    assert json.loads(call("work", "status", "--json").stdout)["stories_added"] == {"S-1": "dev"}


def test_next_shows_what_is_open(workspace, story):
    """Criteria, tasks, the file; as data too."""
    write(workspace, "S-1")
    assert story("show").splitlines() == [
        "S-1 Story S-1 (.limpet/stories/S-1/story.md)",
        "criterion  1 [ ] It works",
        "task       1 [ ] Build it",
        "next       limpet work story start S-1",
    ]
    answer = json.loads(story("show", "--json"))
    assert (answer["story"], answer["open_criteria"], answer["open_tasks"]) == ("S-1", ["It works"], ["Build it"])
    assert (answer["next"], answer["file"]) == ("limpet work story start S-1", ".limpet/stories/S-1/story.md")


def test_next_says_that_there_is_nothing_to_do(workspace, story, call):
    """No story yet, or all done; the step is ended where a workflow is under way."""
    assert story("show") == f"No stories yet. Run: {ADD}\n"
    write(workspace, "S-1")
    tick_all(workspace, "S-1")
    story("done", "S-1")
    assert story("show") == "The only story is done.\n"
    call("work", "start", "solo")
    assert story("show").splitlines() == ["The only story is done.", "next       limpet work finish -"]


def test_next_passes_over_what_waits_and_names_what_cannot_be_read(workspace, story):
    """A story that waits comes when nothing else can begin."""
    write(workspace, "S-1", STORY.replace("acceptance:", 'pre_conditions: ["[ ] Approved"]\nacceptance:'))
    write(workspace, "S-2", "---\nid: S-2\n<<<<<<< ours\n---\n")
    write(workspace, "S-3")
    lines = story("show").splitlines()
    assert lines[0].startswith("S-3 ")
    conflict = ".limpet/stories/S-2/story.md:3: Unresolved merge conflict. Resolve it, then try again."
    assert f"error      {conflict}" in lines
    tick_all(workspace, "S-3")
    done = story("done", "S-3").splitlines()
    assert done[-1] == "next       limpet work story tick S-1 --pre WHICH, once it holds"
    assert "condition  [ ] Approved" in story("show").splitlines()


def test_the_last_story_leads_to_the_end_of_the_step(workspace, call, story):
    """Its role was told when the step began; nothing asks to build what is built."""
    steps = "steps:\n  - {agent: dev, state: build, mode: build}\n"
    write_text(workspace.path("workflows", "hotfix.yaml"), steps)
    assert call("work", "start", "hotfix", "--yes").returncode == 0
    write(workspace, "S-1")
    assert DEV in story("start", "S-1")
    tick_all(workspace, "S-1")
    said = story("done", "S-1")
    assert DEV not in said and "Do what was handed over" not in said
    assert "Every story is done; the criteria below say when the step is." in said
    assert "Then end the step: limpet work finish -" in said
    call("work", "stop")
    assert "mode      state build\n" in call("work", "status").stdout


def test_start_makes_it_the_task_in_force(workspace, story):
    """With its executor, its status and the run; the conversation's own task ends, and again, it goes on."""
    write_text(private_path(workspace, "session.yaml"), "workflow: solo\nrun: r7\n")
    state = new_session("talk", "claude-code", workspace.root, 0.0)
    write_session(workspace, {**state, "task": "S-9"})
    write(workspace, "S-1")
    story("start", "S-1", around={"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "talk"})
    assert read_project(workspace)[0]["task"] == {"id": "S-1", "title": "Story S-1", "executor": "human"}
    assert not read_state(workspace, "talk").get("task")
    assert (read_story(workspace, "S-1").status, read_story(workspace, "S-1").run) == ("in_progress", "r7")
    written = content(workspace, "stories/S-1/story.md")
    story("start", "S-1")
    assert content(workspace, "stories/S-1/story.md") == written


def test_start_refuses_what_cannot_begin(workspace, story, refused):
    """Unmet pre-conditions, one that is done, one beside another; nothing is changed."""
    waiting = STORY.replace("acceptance:", 'pre_conditions: ["[ ] Approved", "[ ] Paid"]\nacceptance:')
    write(workspace, "S-1", waiting)
    told = refused("start", "S-1")
    assert "Once one is met, run: limpet work story tick S-1 --pre WHICH" in told
    write(workspace, "S-2")
    tick_all(workspace, "S-2")
    story("done", "S-2")
    assert "Story is already done" in refused("start", "S-2")
    write(workspace, "S-3")
    write(workspace, "S-4")
    story("start", "S-3")
    assert "S-3 is in progress. End it (limpet work story done" in refused("start", "S-4")
    story("start", "S-4", "--also")
    assert read_project(workspace)[0]["task"]["id"] == "S-4"
    assert read_story(workspace, "S-1").status == ""


def test_start_begins_nothing_below_15_percent(workspace, refused):
    """Decision 2: neither the story nor the task is changed."""
    write(workspace, "S-1")
    state = new_session("talk", "claude-code", workspace.root, 0.0)
    write_session(workspace, {**state, "usage": {"remaining": 12.0}})
    told = refused("start", "S-1", around={"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "talk"})
    assert "12% of the context window is left" in told
    assert read_story(workspace, "S-1").status == "" and "task" not in read_project(workspace)[0]


def test_done_says_everything_that_is_missing_and_changes_nothing(workspace, story, refused):
    """Criteria, tasks, files that are not as the story says, each with what to do."""
    text = STORY.replace("acceptance:", "files: [a.py (new), b.py (delete), ../c.py]\nacceptance:")
    write(workspace, "S-1", text)
    Path(workspace.root, "b.py").touch()
    story("start", "S-1")
    before = content(workspace, "stories/S-1/story.md")
    told = refused("done")
    for what in (
        "open acceptance criteria: It works",
        "open tasks: Build it",
        "file a.py does not exist",
        "file b.py still exists",
        "file ../c.py is outside the project",
        'Once it is done, run: limpet work story done --shown "1: EVIDENCE" --tasks',
    ):
        assert what in told
    assert content(workspace, "stories/S-1/story.md") == before
    put(workspace, "stories/S-1/story.md", before.replace("[ ]", "[x]").replace(", ../c.py", ""))
    Path(workspace.root, "a.py").touch()
    os.unlink(os.path.join(workspace.root, "b.py"))
    assert story("done").startswith("Completed S-1")
    assert "task" not in read_project(workspace)[0]


def test_a_story_without_criteria_is_never_done(workspace, story, refused):
    """Whatever else is ticked, and whatever its status says by hand."""
    write(workspace, "S-1", "---\nid: S-1\ntitle: Add it\n---\n\n## Tasks\n\n- [x] Build it\n")
    assert "add at least one under acceptance" in story("start", "S-1")
    assert "no acceptance criteria" in refused("done")
    path = "stories/S-1/story.md"
    put(workspace, path, content(workspace, path).replace("in_progress", "done"))
    assert json.loads(story("show", "--json"))["story"] == "S-1"


def test_done_asks_which_where_several_are_in_progress(workspace, story, refused):
    """The task in force is meant where it is one of them."""
    assert "No story is in progress. Run: limpet work story show" in refused("done")
    for name in ("S-1", "S-2"):
        write(workspace, name)
        story("start", name, "--also")
        tick_all(workspace, name)
    assert story("done").startswith("Completed S-2")
    story("start", "S-1")
    write(workspace, "S-3")
    story("start", "S-3", "--also")
    os.unlink(private_path(workspace, "session.yaml"))
    assert "Several stories are in progress: S-1, S-3. Run: limpet work story done ID" in refused("done")


def test_anyway_is_a_persons_at_a_terminal(workspace, call, at_terminal, refused):
    """With a reason that stays in the file and in the audit log; an agent's is refused, at a terminal too."""
    write(workspace, "S-1")
    given = ("done", "S-1", "--anyway", "--why", "moved to S-14")
    assert "A person's word is needed" in refused(*given)
    done = at_terminal("work", "story", *given, agent="dev")
    assert (done.returncode, read_story(workspace, "S-1").status) == (1, "")
    assert call("work", "story", "done", "S-1", "--anyway").returncode == 2
    assert call("work", "story", "done", "S-1", "--why", "x").returncode == 2
    done = at_terminal("work", "story", *given)
    assert done.stdout.splitlines() == ["Completed S-1; task 1 of 1: Build it", "The only story is done."]
    assert read_story(workspace, "S-1").accepted == "moved to S-14"
    word, event, captured = logged(workspace.shared)
    assert captured["data"] == {"story": "S-1", "memory_captured": True}
    assert (word["kind"], word["data"]["says"]) == ("person.word", "Complete S-1 as it is (moved to S-14)")
    assert (event["kind"], event["data"]["anyway"], event["why"]) == ("story.changed", True, "moved to S-14")


def test_evidence_that_the_story_did_not_change_is_named_so(workspace, story):
    """A path exists anyhow: whether the work touched it stands in the record."""
    for name in ("old.py", "new.py"):
        write_text(os.path.join(workspace.root, name), "1")
        os.utime(os.path.join(workspace.root, name), (1_600_000_000, 1_600_000_000))
    story("add", "Add the export", "--criterion", "It works", "--criterion", "It is tested")
    story("start")
    write_text(os.path.join(workspace.root, "new.py"), "2")
    told = story("done", "--shown", "1: `old.py`", "--shown", "2: new.py")
    assert "2 of 2 criteria shown; evidence that it did not change: old.py; checks" in told


def test_no_story_begins_in_a_step_that_plans(story, call):
    """What comes next is the end of the step, unless another story is to come first."""
    story("add", "Export", "--criterion", "A CSV comes")
    call("work", "start", "solo")
    assert story("show").splitlines()[-1] == "next       limpet work finish -"
    done = call("work", "story", "start", "S-1")
    assert done.returncode == 1 and done.stderr.endswith("Run: limpet work finish -\n")
    assert "draft" in story("list")
    call("work", "deviate", "order_change", "it is urgent", "--first", "S-1")
    assert "Started S-1" in story("start", "S-1")


def test_the_work_that_came_back_is_to_be_mended(workspace, call):
    """The step says so in place of what was handed over."""
    put(workspace, "workflows/hotfix.yaml", "steps:\n  - {agent: dev, state: build, mode: build}\n")
    call("work", "start", "hotfix")
    assert "Do what was handed over; " in call("work", "status", "--step").stdout
    assert "\nMend what came back; " in call("work", "back", "dev", "--reason", "the total is wrong").stdout
