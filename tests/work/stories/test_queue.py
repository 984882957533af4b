"""The stories that are not done, in order."""

from limpet.work.stories.queue import open_stories, read_queue
from limpet.work.stories.store import nearest_story, story_ids

from ..writing import put

STORY = "---\nid: {id}\ntitle: Story {id}\nstatus: {status}\nacceptance:\n  - '[{mark}] It works'\n{more}---\n"


def write(workspace, story_id, status="draft", mark=" ", more=""):
    text = STORY.format(id=story_id, status=status, mark=mark, more=more)
    put(workspace, f"stories/{story_id}/story.md", text)


def test_ids_are_in_the_order_of_their_numbers_then_of_their_names(workspace):
    """S-2 before S-10, whatever stands before the number; those without a number last."""
    for name in ("S-10", "S-2", "B-2", "A-10", "epic", "1.10", "1.9"):
        write(workspace, name)
    assert story_ids(workspace) == ["1.9", "1.10", "B-2", "S-2", "A-10", "S-10", "epic"]


def test_open_is_what_is_not_done(workspace):
    """By its status and by its content: a status alone closes nothing, a person's acceptance does."""
    write(workspace, "S-1", "done", "x")
    write(workspace, "S-2", "Concluída", "x")
    write(workspace, "S-3", "done", " ")
    write(workspace, "S-4", "done", " ", "accepted: moved to S-9\n")
    write(workspace, "S-10", "in_progress")
    put(workspace, "stories/S-5/story.md", "---\nid: S-5\nstatus: done\n---\n")
    put(workspace, "stories/S-6/story.md", "<<<<<<< ours\n---\nid: S-6\n---\n")
    assert open_stories(workspace) == ("S-3", "S-5", "S-6", "S-10")


def test_a_story_of_any_run_counts(workspace):
    """Also one that was begun in another run, or in another clone, which ran another one."""
    write(workspace, "S-1", "in_progress", more="run: r1\n")
    write(workspace, "S-2", more="run: r2\n")
    write(workspace, "S-3")
    assert open_stories(workspace) == ("S-1", "S-2", "S-3")
    assert [story.id for story in read_queue(workspace).ready] == ["S-2", "S-3"]


def test_the_queue_tells_what_can_begin_from_what_waits(workspace):
    """A pre-condition that is not met makes it wait, unless it is in progress."""
    write(workspace, "S-1", more="pre_conditions: ['[ ] Approved']\n")
    write(workspace, "S-2", "In progress", more="pre_conditions: ['[ ] Approved']\n")
    write(workspace, "S-3")
    write(workspace, "S-4", "done", "x")
    put(workspace, "stories/S-5/story.md", "---\nid: [\n---\n")
    queue = read_queue(workspace)
    found = [[story.id for story in each] for each in (queue.under_way, queue.ready, queue.waiting)]
    assert found == [["S-2"], ["S-3"], ["S-1"]]
    assert (queue.done, [name for name, _ in queue.unreadable]) == (1, ["S-5"])


def test_the_nearest_id_is_named_whatever_its_case(workspace):
    """Also where it is not very near; none where there is no story."""
    assert nearest_story(workspace, "S-99") == ""
    write(workspace, "S-1")
    write(workspace, "STORY-42")
    assert (nearest_story(workspace, "story-99"), nearest_story(workspace, "s-99")) == ("STORY-42", "S-1")
