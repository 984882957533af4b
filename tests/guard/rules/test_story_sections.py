"""Who may change which part of a story."""

import pytest

from limpet.guard.rules.scopes import changed_parts

from ..scenes import answer, edit, scene, shell, write

PATH = ".limpet/stories/S-12/story.md"
STORY = """---
id: S-12
title: Edit orders
status: ready
acceptance:
  - "[ ] An order can be edited"
files:
  - src/orders.py (modify)
---

# Edit orders

Why it is wanted.

## Tasks

- [ ] Build the form

## Dev Agent Record

Nothing yet.

## QA Results

None.
"""
DENIED, FINE = ("deny", "story.section"), ("allow", "")
TICK = ("- [ ] Build the form", "- [x] Build the form")
MET = ('"[ ] An order', '"[x] An order')
TASK = ("Build the form", "Build another form")
CRITERION = ("An order can be edited", "An order can be seen")
RECORD = ("Nothing yet.", "Built the form; 14 tests pass.")
RESULT = ("None.", "PASS: 14 of 14.\n\n### Notes\n\nGood.")
FILES = ("  - src/orders.py (modify)", "  - src/orders.py (modify)\n  - src/form.py (new)")
STATUS = ("status: ready", "status: done")
WHY = ("Why it is wanted.", "Why not.")


def says(agent, *edits):
    return answer(edit(PATH, *edits), scene(agent), before=STORY)


@pytest.mark.parametrize("change", [TICK, MET, RECORD, FILES, STATUS])
def test_dev_keeps_its_own_parts(change):
    """Marks, file list, status and Dev Agent Record (seed 004)."""
    assert says("dev", change) == FINE


@pytest.mark.parametrize("change", [TASK, CRITERION, RESULT, WHY])
def test_dev_changes_no_other_part(change):
    """Neither tasks and criteria nor the verdict on its own work."""
    assert says("dev", change) == DENIED
    assert says("dev", RECORD, change) == DENIED


@pytest.mark.parametrize("change", [TICK, TASK, CRITERION, RECORD, FILES, STATUS])
def test_qa_changes_only_its_results(change):
    """Not even a mark."""
    assert says("qa-implementation", RESULT) == FINE
    assert says("qa-implementation", change) == DENIED


def test_what_a_patch_only_adds_is_in_the_last_part():
    """It names no text that it stands behind."""
    assert says("dev", ("", "PASS\n")) == DENIED
    assert says("qa-implementation", ("", "PASS\n")) == FINE


def test_the_boxes_of_qas_results_are_qas():
    """They are part of its verdict."""
    story = STORY.replace("None.", "- [ ] AC1 verified")
    ticked = edit(PATH, ("- [ ] AC1", "- [x] AC1"))
    assert answer(ticked, scene("dev"), before=story) == DENIED
    assert answer(ticked, scene("qa-implementation"), before=story) == FINE


@pytest.mark.parametrize("agent", ["tasks", "brief"])
@pytest.mark.parametrize("change", [TASK, CRITERION, WHY, RESULT])
def test_the_owners_of_stories_change_all(agent, change):
    """Stories are theirs."""
    assert says(agent, change) == FINE


def test_others_change_nothing_and_nobody_is_held_without_an_agent():
    """A person's conversation is not judged."""
    assert says("architect", RESULT) == DENIED
    assert says("", TASK) == FINE


def test_an_agent_of_the_projects_own_is_an_executor():
    """It has dev's parts."""
    assert says("api-builder", RECORD) == FINE
    assert says("api-builder", CRITERION) == DENIED


def test_only_owners_write_a_new_story():
    """Whole, where there was none."""
    assert answer(write(PATH, STORY), scene("dev")) == ("deny", "authority.story")
    assert answer(write(PATH, STORY), scene("tasks")) == FINE


def test_a_story_written_whole_is_compared():
    """It is an edit of what stood there."""
    assert answer(write(PATH, STORY.replace(*RECORD)), scene("dev"), before=STORY) == FINE
    assert answer(write(PATH, STORY.replace(*CRITERION)), scene("dev"), before=STORY) == DENIED


def test_a_section_cannot_be_hidden_in_ones_own():
    """A heading of another part counts as that part, wherever it stands."""
    assert says("qa-implementation", ("None.", "None.\n\n### Acceptance Criteria\n\n- [x] Anything")) == DENIED


def test_a_shell_does_not_change_a_story():
    """What it would leave cannot be compared."""
    assert answer(shell(f"sed -i 's/ready/done/' {PATH}"), scene("dev")) == DENIED
    assert answer(shell(f"cat {PATH}"), scene("dev")) == FINE


def test_a_story_that_cannot_be_read_is_asked_about():
    """Its parts are not known."""
    assert answer(edit(PATH, RECORD), scene("dev"), before=None) == ("ask", "story.section")


def test_an_edit_that_will_fail_is_left_to_the_host():
    """Its old text does not stand there."""
    assert says("dev", ("no such text", "x")) == FINE


@pytest.mark.parametrize(
    ("change", "parts"),
    [((), ()), (TICK, ("marks",)), (CRITERION, ("acceptance",)), (RESULT, ("qa_results",)), (WHY, ("edit orders",))],
)
def test_the_changed_parts_have_their_fields_names(change, parts):
    """As the story's reader calls them."""
    assert changed_parts(STORY, STORY.replace(*change) if change else STORY) == parts


def test_line_breaks_are_no_change():
    """Editors differ."""
    assert changed_parts(STORY, STORY.replace("\n", "\r\n")) == ()


def test_the_notation_in_yaml_is_compared_too():
    """``story.yml`` is all keys."""
    before = "id: S-1\nacceptance:\n  - one\nqa_results: none\n"
    assert changed_parts(before, before.replace("none", "PASS")) == ("qa_results",)
    assert changed_parts(before, before.replace("one\n", "two\n", 1)) == ("acceptance",)
