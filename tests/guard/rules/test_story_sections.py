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


ADDED = ("", "PASS\n")
HIDDEN = ("None.", "None.\n\n### Acceptance Criteria\n\n- [x] Anything")


@pytest.mark.parametrize(
    ("agents", "changes", "wanted"),
    [
        # Marks, file list, status and Dev Agent Record are dev's (seed 004), neither tasks nor the verdict on its work.
        (("dev",), (TICK, MET, RECORD, FILES, STATUS), FINE),
        (("dev",), (TASK, CRITERION, RESULT, WHY), DENIED),
        (("qa-implementation",), (RESULT,), FINE),
        (("qa-implementation",), (TICK, TASK, CRITERION, RECORD, FILES, STATUS), DENIED),
        (("tasks", "brief"), (TASK, CRITERION, WHY, RESULT), FINE),
        (("architect",), (RESULT,), DENIED),
        (("",), (TASK,), FINE),
        # An agent of the project's own has dev's parts.
        (("api-builder",), (RECORD,), FINE),
        (("api-builder",), (CRITERION,), DENIED),
        # What a patch only adds names no text that it stands behind: it is in the last part.
        (("dev",), (ADDED,), DENIED),
        (("qa-implementation",), (ADDED,), FINE),
        # A heading of another part counts as that part, wherever it stands.
        (("qa-implementation",), (HIDDEN,), DENIED),
        # An edit that will fail is left to the host.
        (("dev",), (("no such text", "x"),), FINE),
    ],
)
def test_each_agent_changes_its_own_parts(agents, changes, wanted):
    """The owners of stories all of them, a person whatever is wanted."""
    found = {
        (agent, *each): answer(edit(PATH, each), scene(agent), before=STORY) for agent in agents for each in changes
    }
    assert set(found.values()) == {wanted}, found


@pytest.mark.parametrize("change", [TASK, CRITERION, RESULT, WHY])
def test_one_foreign_part_among_ones_own_is_denied(change):
    """In one call."""
    assert answer(edit(PATH, RECORD, change), scene("dev"), before=STORY) == DENIED


def test_the_boxes_of_qas_results_are_qas():
    """They are part of its verdict."""
    story = STORY.replace("None.", "- [ ] AC1 verified")
    ticked = edit(PATH, ("- [ ] AC1", "- [x] AC1"))
    assert answer(ticked, scene("dev"), before=story) == DENIED
    assert answer(ticked, scene("qa-implementation"), before=story) == FINE


def test_a_story_written_whole_is_compared():
    """Only owners write a new one; else it is an edit of what stood there."""
    assert answer(write(PATH, STORY), scene("dev")) == ("deny", "authority.story")
    assert answer(write(PATH, STORY), scene("tasks")) == FINE
    assert answer(write(PATH, STORY.replace(*RECORD)), scene("dev"), before=STORY) == FINE
    assert answer(write(PATH, STORY.replace(*CRITERION)), scene("dev"), before=STORY) == DENIED


def test_what_cannot_be_compared_is_not_changed():
    """A shell's change is denied; where the parts are not known it is asked."""
    assert answer(shell(f"sed -i 's/ready/done/' {PATH}"), scene("dev")) == DENIED
    assert answer(shell(f"cat {PATH}"), scene("dev")) == FINE
    assert answer(edit(PATH, RECORD), scene("dev"), before=None) == ("ask", "story.section")


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
