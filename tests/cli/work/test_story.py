"""``limpet work story`` by its door."""

import json
import os

import pytest

from limpet.work.stories.store import read_story

from ...conversation import write
from ...places import private_path
from ...work.stories.story_texts import SEED
from ...work.writing import content, put

FILE = "stories/STORY-42/story.md"


def ask(run, *arguments):
    done = run("work", "story", *arguments, "--json")
    return done.returncode, json.loads(done.stdout)


@pytest.fixture
def seeded(workspace):
    put(workspace, FILE, SEED)
    return workspace


def test_add_writes_what_was_said(workspace, run):
    """Boxes that were typed count; the answer names the file, the first task and what comes next."""
    given = ("--criterion", "A file: CSV", "--pre", "[x] Approved", "--task", "one", "--file", "a.py (new)")
    done = run("work", "story", "add", "S-12", "Add  the export", "--agent", "dev", "--executor", "human", *given)
    added = "Added S-12: .limpet/stories/S-12/story.md; task 1 of 1: one\n"
    assert done.stdout == added + "next       limpet work story start S-12\n"
    story = read_story(workspace, "S-12")
    assert (story.title, story.executor, story.agent, story.status) == ("Add the export", "human", "@dev", "draft")
    assert (story.acceptance, story.pre_conditions) == (((False, "A file: CSV"),), ((True, "Approved"),))
    assert (story.tasks, story.files) == (((False, "one"),), (("a.py", "new"),))
    assert run("work", "story", "add", "S-12", "Again").returncode == 1


def test_stories_are_the_planners(workspace, run, monkeypatch):
    """Of any other agent in a client it takes the person's word, from a script too."""
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "abc")
    for agent, code in (("dev", 1), ("tasks", 0)):
        write(private_path(workspace, "session.yaml"), f"current_agent: {agent}\n")
        done = run("work", "story", "add", "Made by an agent", "--criterion", "x")
        assert (done.returncode, "Only a person can do this: Add the story" in done.stderr) == (code, bool(code))


def test_one_argument_is_the_title(workspace, run):
    """The story gets the next id, which the answer tells with the next command; files by either name."""
    given = ("--criterion", "A file", "--file", "a.py", "--touches", "b.py (new)")
    assert ask(run, "add", "Add the export", *given)[1]["next"] == "limpet work story start S-1"
    assert read_story(workspace, "S-1").files == (("a.py", ""), ("b.py", "new"))
    told = run("work", "story", "add", "Import", "--pre", "Approved").stdout.splitlines()
    assert told[0] == "Added S-2: .limpet/stories/S-2/story.md"
    assert told[1] == "next       limpet work story tick S-2 --pre WHICH, once it holds"
    assert read_story(workspace, "S-2").title == "Import"


def test_add_takes_a_text_as_it_is(workspace, run):
    """Byte for byte."""
    draft = os.path.join(workspace.root, "draft.md")
    with open(draft, "wb") as file:
        file.write(SEED.replace("\n", "\r\n").encode())
    assert run("work", "story", "add", "STORY-42", "--from", draft).returncode == 0
    assert content(workspace, FILE) == SEED.replace("\n", "\r\n")


def test_show_tells_what_does_not_count(workspace, run):
    """On stderr, with its line; the rest is shown."""
    put(workspace, "stories/S-1/story.md", "---\ntitle: a\nexecutor: robot\n---\n")
    done = run("work", "story", "show", "S-1")
    assert done.stdout.startswith("[TASK CONTEXT]\nActive Task: a\n")
    assert done.stderr.startswith("limpet: .limpet/stories/S-1/story.md:3: executor must be one of")


@pytest.mark.parametrize(
    ("arguments", "old", "new", "said"),
    [
        (("--criterion", "1"), "[ ] Login", "[x] Login", "1 of 3 acceptance criteria done; task 2 of 3: Rotate "),
        (("--pre", "database"), "[ ] Database", "[x] Database", "3 of 3 pre-conditions done; task 2 of 3: Rotate "),
        (("--task", "1", "--undo"), "[x] Write", "[ ] Write", "0 of 3 tasks done; task 1 of 3: Write the endpoint\n"),
    ],
)
def test_tick_changes_one_mark(seeded, run, arguments, old, new, said):
    """And says how many are done."""
    assert run("work", "story", "tick", "STORY-42", *arguments).stdout.startswith(f"STORY-42: {said}")
    assert content(seeded, FILE) == SEED.replace(old, new)


def test_note_goes_into_its_section(seeded, run):
    """The Dev Agent Record, or the QA Results."""
    run("work", "story", "tick", "STORY-42", "--note", "Done on Tuesday.")
    run("work", "story", "tick", "STORY-42", "--note", "PASS", "--qa")
    story = read_story(seeded, "STORY-42")
    assert (story.dev_record, story.qa_results) == ("Began on Monday.\n\nDone on Tuesday.", "PASS")


def test_list_reads_what_it_shows(workspace, run):
    """In the order of their numbers, broken ones among them; with the count of all."""
    assert run("work", "story", "list").stdout == "No stories.\n"
    for number in (10, 9, 8):
        put(workspace, f"stories/S-{number}/story.md", SEED.replace("id: STORY-42", "status: ready"))
    put(workspace, "stories/S-1/story.md", "---\nid: [\n---\n")
    lines = run("work", "story", "list", "--limit", "3").stdout.splitlines()
    assert lines[0].split() == ["id", "status", "criteria", "title"]
    assert [line.split()[0] for line in lines[1:4]] == ["S-1", "S-8", "S-9"]
    assert lines[2].split() == ["S-8", "ready", "0/3", "implement-user-auth"]
    assert lines[4] == "3 of 4 stories"
    _, answer = ask(run, "list", "--status", "READY", "--limit", "2")
    assert (answer["total"], [story["id"] for story in answer["stories"]]) == (4, ["S-8", "S-9"])


def test_check_fails_on_mistakes_only(seeded, run):
    """An open pre-condition is a note."""
    os.makedirs(os.path.join(seeded.root, "src", "auth"))
    open(os.path.join(seeded.root, "src", "auth", "middleware.ts"), "w").close()
    done = run("work", "story", "show", "--check", "STORY-42")
    open_condition = "waits for: Database schema created by @data-engineer"
    assert (done.returncode, done.stdout) == (0, f"note   .limpet/stories/STORY-42/story.md: {open_condition}\n")
    os.unlink(os.path.join(seeded.root, "src", "auth", "middleware.ts"))
    code, answer = ask(run, "show", "STORY-42", "--check")
    assert (code, answer["ok"]) == (1, False)


@pytest.mark.parametrize(
    "arguments",
    [
        ("add",),
        ("add", "S-1"),
        ("add", "STORY-7.2"),
        ("add", "Add", "the", "export"),
        ("add", "S-1", " "),
        ("add", "S-1", "title", "--from", "a.md"),
        ("add", "S-1", "--from", "a.md", "--task", "one"),
        ("tick", "STORY-42"),
        ("tick", "STORY-42", "--task", "1", "--pre", "1"),
        ("tick", "STORY-42", "--note", " "),
    ],
)
def test_a_wrong_use_is_told(seeded, run, arguments):
    """Exit code 2, nothing changed."""
    assert run("work", "story", *arguments).returncode == 2
    assert content(seeded, FILE) == SEED


@pytest.mark.parametrize(
    "arguments", [("show", "S-9"), ("show", "S-9", "--check"), ("done", "S-9"), ("tick", "S-9", "--task", "1")]
)
def test_a_story_that_is_not_there_is_one_line(workspace, run, arguments):
    """On stderr, with where to look."""
    done = run("work", "story", *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "limpet: No story with this ID: S-9. Run: limpet work story list\n"


def test_what_is_only_claimed_is_told(workspace, run):
    """A tick without evidence: when a story is shown, and in every list for programs."""
    text = "---\nid: S-1\nacceptance: ['[x] a', '[x] b', '[ ] c']\nadded_during: dev\n---\n\n## Dev Agent Record\n\n"
    put(workspace, "stories/S-1/story.md", text + "- Criterion 2, b: seen\n")
    lines = run("work", "story", "show", "S-1").stdout.splitlines()
    assert lines[-2:] == ["Claimed: 1 of 3 criteria is claimed: no evidence was given", "added during dev"]
    assert ask(run, "show", "S-1")[1]["claimed"] == 1
    (listed,) = ask(run, "list")[1]["stories"]
    assert (listed["claimed"], listed["remarks"]) == (1, ["added during dev"])
    assert run("work", "story", "list").stdout.splitlines()[1].endswith("S-1; added during dev")
