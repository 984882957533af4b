"""Stories on disk."""

import os
import subprocess
import sys

import pytest

from limpet.ground.errors import LimpetError
from limpet.work.stories import store as stories
from limpet.work.stories.evidence import criterion_evidence_of
from limpet.work.stories.store import (
    Ending,
    add_record,
    add_story,
    add_story_text,
    added_during,
    finish_story,
    iterate_stories,
    read_story,
    set_story_fields,
    story_file,
    story_ids,
    tick_item,
    verify_story,
)
from limpet.work.stories.story import Story

from ...conftest import SOURCE
from ...places import private_path
from ..writing import ACTOR, content, events, opened, put
from .story_texts import AS_YAML, SEED

FILE = "stories/STORY-42/story.md"


def note(workspace, name):
    """Change the story, in the simplest way there is."""
    return add_record(workspace, name, "dev_record", "x", ACTOR)


@pytest.fixture
def seeded(workspace):
    """A project with the story of ADR-001 SYNAPSE."""
    put(workspace, FILE, SEED)
    return workspace


def test_a_story_is_read_from_its_folder(seeded):
    """The folder's name is its id, whatever the file says."""
    os.rename(seeded.path("stories", "STORY-42"), seeded.path("stories", "S-1"))
    assert read_story(seeded, "S-1").id == "S-1"
    assert read_story(seeded, "STORY-42") is None


def test_a_yaml_story_is_read_and_never_written(workspace):
    """A change is refused with what to do; beside a story.md it does not count."""
    put(workspace, "stories/S-1/story.yml", AS_YAML)
    assert read_story(workspace, "S-1").acceptance[0] == (False, "Login endpoint returns JWT token")
    assert story_file(workspace, "S-1").endswith("story.yml")
    with pytest.raises(LimpetError, match="File is read-only"):
        tick_item(workspace, "S-1", "acceptance", "1", True, ACTOR)
    assert content(workspace, "stories/S-1/story.yml") == AS_YAML
    put(workspace, "stories/S-1/story.md", SEED)
    assert read_story(workspace, "S-1").workflow == "greenfield"


@pytest.mark.parametrize(
    "name",
    ["../x", "..", ".", "", "a/b", "a\\b", "/etc", "a\0b", "con", "NUL.txt", "-rf", ".git"]
    + ["a.", "ä", "x" * 81, "a b", "a\n"],
)
def test_a_hostile_id_names_no_file(workspace, name):
    """Nothing is read, nothing is made, and the error says what an id may be."""
    assert story_file(workspace, name) is None
    assert read_story(workspace, name) is None
    with pytest.raises(LimpetError, match="Invalid story id"):
        add_story_text(workspace, name, SEED, ACTOR)
    assert os.listdir(workspace.home) == []


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
@pytest.mark.parametrize("linked", ["stories/S-1/story.md", "stories/S-1", "stories"])
def test_a_link_out_of_the_project_is_refused(workspace, tmp_path, linked):
    """A clone may bring links; what lies elsewhere is neither read nor written."""
    outside = tmp_path / "outside"
    (outside / "S-1").mkdir(parents=True)
    (outside / "S-1" / "story.md").write_text(SEED)
    depth = linked.count("/")
    target = (outside, outside / "S-1", outside / "S-1" / "story.md")[depth]
    os.makedirs(os.path.dirname(workspace.path(linked)), exist_ok=True)
    os.symlink(target, workspace.path(linked))
    for action in (read_story, note):
        with pytest.raises(LimpetError, match="link out of the project"):
            action(workspace, "S-1")
    assert (outside / "S-1" / "story.md").read_text() == SEED


@pytest.mark.parametrize(
    ("raw", "where"),
    [
        (b"---\nid: S\n---\n\n\xff\n", "story.md:5: Not UTF-8"),
        (b"x" * 500_001, "larger than 500000 bytes"),
        (b"---\nid: [\n---\n", "story.md:3"),
        (b"---\nid: S\n---\n<<<<<<< HEAD\n", "story.md:4: Unresolved merge conflict"),
    ],
)
def test_a_file_that_is_no_story_is_told_and_kept(workspace, raw, where):
    """Reading says where it is wrong, a change is refused, the bytes stay."""
    path = put(workspace, "stories/S-1/story.md", raw)
    for action in (read_story, note):
        with pytest.raises(LimpetError, match=where):
            action(workspace, "S-1")
    with open(path, "rb") as file:
        assert file.read() == raw


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes there")
def test_a_pipe_in_its_place_is_not_waited_for(workspace):
    """It is no story, and nothing is written over it."""
    os.makedirs(workspace.path("stories", "S-1"))
    os.mkfifo(workspace.path("stories", "S-1", "story.md"))
    assert read_story(workspace, "S-1") is None
    with pytest.raises(LimpetError):
        note(workspace, "S-1")


def test_a_new_story_is_kept_without_secrets(workspace):
    """The values of .env too; a second one of the same id is refused and changes nothing."""
    with open(os.path.join(workspace.root, ".env"), "w") as file:
        file.write("API_TOKEN=zebra-quartz-9041\n")
    criteria = ((False, "logs in with zebra-quartz-9041"), (False, "AKIA7QZSFODNN7QX4MPL works"))
    story = add_story(workspace, Story(id="S-1", title="t", acceptance=criteria), ACTOR)
    text = content(workspace, "stories/S-1/story.md")
    assert "zebra" not in text and "AKIA" not in text
    assert story == read_story(workspace, "S-1")
    with pytest.raises(LimpetError, match="Story already exists"):
        add_story(workspace, Story(id="S-1", title="other"), ACTOR)
    assert content(workspace, "stories/S-1/story.md") == text


def test_a_note_is_kept_without_secrets(seeded):
    """The user's own lines are not touched."""
    add_record(seeded, "STORY-42", "dev_record", "used AKIA7QZSFODNN7QX4MPL", ACTOR)
    assert content(seeded, FILE) == SEED.replace("Monday.\n", "Monday.\n\nused [redacted:aws-key]\n")


def test_a_story_is_done_when_everything_is(seeded):
    """Else the reasons are named; anyway needs to be said, and the audit log tells it."""
    with pytest.raises(LimpetError, match="open acceptance criteria: Login.*open tasks: Rotate"):
        finish_story(seeded, "STORY-42", ACTOR)
    assert content(seeded, FILE) == SEED
    assert finish_story(seeded, "STORY-42", ACTOR, Ending(accepted="moved to S-14")).status == "done"
    assert events(seeded) == [("story.changed", {"story": "STORY-42", "status": "done", "anyway": True})]
    assert read_story(seeded, "STORY-42").accepted == "moved to S-14"


def test_a_change_without_a_difference_writes_nothing(seeded):
    """No new file, no event."""
    before = os.stat(seeded.path(*FILE.split("/")))
    tick_item(seeded, "STORY-42", "tasks", "1", True, ACTOR)
    assert os.stat(seeded.path(*FILE.split("/"))).st_ino == before.st_ino
    assert not os.path.exists(private_path(seeded, "events"))


def test_an_edit_in_between_is_kept(seeded, monkeypatch):
    """A person saves while a command works: the change is worked out anew."""
    path = seeded.path(*FILE.split("/"))
    real, done = stories.tick_box, []

    def save_and_tick(text, *rest):
        if not done:
            done.append(put(seeded, FILE, SEED + "\nMine.\n"))
        return real(text, *rest)

    monkeypatch.setattr(stories, "tick_box", save_and_tick)
    tick_item(seeded, "STORY-42", "tasks", "2", True, ACTOR)
    with open(path, encoding="utf-8") as file:
        assert file.read() == SEED.replace("[ ] Rotate", "[x] Rotate") + "\nMine.\n"


def test_twenty_processes_that_tick_at_once_lose_nothing(workspace):
    """Each ticks its own criterion of one story; all stand in the end, and the log has twenty lines."""
    criteria = tuple((False, f"criterion {number}") for number in range(20))
    add_story(workspace, Story(id="S-1", title="t", acceptance=criteria), ACTOR)
    code = (
        f"import sys; sys.path.append({SOURCE!r})\n"
        "from limpet.ground.workspace import workspace_at\n"
        "from limpet.ground.event_log import Actor\n"
        "from limpet.work.stories.store import tick_item\n"
        "actor = Actor(writer='test', now=0.0, retention={'events_bytes': 10**6, 'rotated_files': 1})\n"
        f"tick_item(workspace_at({workspace.root!r}), 'S-1', 'acceptance', sys.argv[1], True, actor)"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code, str(number)]) for number in range(1, 21)]
    assert [writer.wait() for writer in writers] == [0] * 20
    assert all(done for done, _ in read_story(workspace, "S-1").acceptance)
    assert len(events(workspace)) == 21


def test_one_of_a_thousand_is_read_without_the_others(workspace):
    """Reading, checking and changing one story opens its own file only; the list opens what is asked of it."""
    for number in range(1000):
        put(workspace, f"stories/S-{number}/story.md", SEED)
    with opened() as paths:
        read_story(workspace, "S-500")
        verify_story(workspace, "S-500")
        tick_item(workspace, "S-500", "tasks", "2", True, ACTOR)
    assert set(paths) == {workspace.path("stories", "S-500", "story.md")}
    with opened() as paths:
        assert story_ids(workspace)[:12] == [f"S-{number}" for number in range(12)]
        assert paths == []
        found = iterate_stories(workspace)
        assert [next(found)[0] for _ in range(3)] == ["S-0", "S-1", "S-2"]
        assert len(paths) == 3


def test_a_broken_story_does_not_hide_the_others(workspace):
    """It stands in the list with what is wrong with it; folders that are no story do not."""
    for name in ("S-10", "S-9"):
        put(workspace, f"stories/{name}/story.md", SEED)
    put(workspace, "stories/S-2/story.md", "---\nid: [\n---\n")
    put(workspace, "stories/S-3/briefing.yml", "a: b")
    put(workspace, "stories/notes.md", "a")
    found = list(iterate_stories(workspace))
    assert [story_id for story_id, _ in found] == ["S-2", "S-9", "S-10"]
    assert isinstance(found[0][1], LimpetError)


def test_what_stands_against_a_story_is_told(workspace):
    """Mistakes are grave, an open pre-condition is not."""
    text = (
        "---\nid: S-2\nexecutor: robot\nstatus: done\npre_conditions: [open]\nfiles: [../x (new), gone.py (modify)]\n"
        "---\n\n## Tasks\n\n- [ ] a\n"
    )
    put(workspace, "stories/S-1/story.md", text)
    reasons = verify_story(workspace, "S-1")
    assert [reason.what for reason in reasons if reason.grave] == [
        ".limpet/stories/S-1/story.md:3: executor must be one of agent, worker, human, clone (got 'robot')",
        "id is S-2, but the folder is S-1",
        "no title",
        "no acceptance criteria",
        "status is done, but open tasks: a",
        "file ../x is outside the project",
        "file gone.py is marked as modified, but does not exist",
    ]
    assert [reason.what for reason in reasons if not reason.grave] == ["waits for: open"]


def test_nothing_stands_against_a_good_story(seeded):
    """Only its open pre-condition is told; with that met, nothing."""
    os.makedirs(os.path.join(seeded.root, "src", "auth"))
    open(os.path.join(seeded.root, "src", "auth", "middleware.ts"), "w").close()
    assert [reason.grave for reason in verify_story(seeded, "STORY-42")] == [False]
    tick_item(seeded, "STORY-42", "pre_conditions", "3", True, ACTOR)
    assert verify_story(seeded, "STORY-42") == ()


@pytest.mark.parametrize("action", [lambda w: verify_story(w, "S-9"), lambda w: note(w, "S-9")])
def test_a_story_that_is_not_there_is_told(workspace, action):
    """With where to look; no folder is made for it."""
    with pytest.raises(LimpetError, match="No story with this ID.*story list"):
        action(workspace)
    assert not os.path.exists(workspace.path("stories"))


def test_a_story_without_an_id_gets_the_next_one(workspace):
    """After the highest number with which any id begins."""
    names = [add_story(workspace, Story(id="", title="t"), ACTOR).id for _ in range(2)]
    put(workspace, "stories/ABC-41/story.md", "---\nid: ABC-41\n---\n")
    put(workspace, "stories/epic/story.md", "---\nid: epic\n---\n")
    names.append(add_story(workspace, Story(id="", title="t"), ACTOR).id)
    assert names == ["S-1", "S-2", "S-42"]


def test_what_showed_a_criterion_is_written_with_its_tick(seeded):
    """In one change: marks, evidence, note and status; nothing else."""
    ending = Ending(shown=((2, "pytest -q: 3 passed"),), note="Done today", accepted="the rest moved")
    assert finish_story(seeded, "STORY-42", ACTOR, ending).status == "done"
    story = read_story(seeded, "STORY-42")
    (text,) = [text for done, text in story.acceptance if done]
    assert story.dev_record == f"Began on Monday.\n\n- Criterion 2, {text}: pytest -q: 3 passed\n- Done today"
    assert criterion_evidence_of(story) == {2: "pytest -q: 3 passed"}
    with pytest.raises(LimpetError, match="acceptance has no item 9"):
        finish_story(seeded, "STORY-42", ACTOR, Ending(shown=((9, "x"),)))


def test_a_story_is_put_back_with_one_line_changed(seeded):
    """Its status, whatever it was; stories added in a build step are found with their agent."""
    put(seeded, FILE, SEED.replace("id: STORY-42", "id: STORY-42\nstatus: in_progress"))
    set_story_fields(seeded, "STORY-42", {"status": "draft"}, ACTOR)
    assert content(seeded, FILE) == SEED.replace("id: STORY-42", "id: STORY-42\nstatus: draft")
    add_story(seeded, Story(id="S-2", title="t", added_during="dev"), ACTOR)
    assert added_during(seeded) == {"S-2": "dev"}
