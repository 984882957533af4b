"""Gotchas that somebody notes, looks up or resolves."""

import pytest

from limpet.ground.errors import LimpetError
from limpet.operations.memory.change import remember_memory
from limpet.operations.memory.gotchas import known_gotchas, note_gotcha, resolve_gotcha

from ..callers import DEV, PERSON, opened


def note(workspace, text, caller=PERSON, **fields):
    """The id of a new gotcha."""
    return note_gotcha(opened(workspace, caller), text, fields).stored.entry.id


def ids(gotchas):
    return [stored.entry.id for stored in gotchas[0]]


def test_words_grade_it_where_nobody_does(workspace):
    """And nobody's word is overruled."""
    by_words = note_gotcha(opened(workspace), "pytest: fixture not found", {}).stored.entry
    told = note_gotcha(opened(workspace), "pytest hangs", {"category": "lint", "severity": "critical"}).stored.entry
    assert (by_words.type, by_words.category, by_words.severity) == ("gotcha", "test", "warning")
    assert (told.category, told.severity) == ("lint", "critical")


def test_the_gravest_come_first_and_other_memories_not_at_all(workspace):
    """Whatever their age."""
    remember_memory(opened(workspace), {}, "The table is locked at night.")
    keys = [note(workspace, f"A {severity} thing", severity=severity) for severity in ("info", "critical", "warning")]
    assert ids(known_gotchas(opened(workspace))) == [keys[1], keys[2], keys[0]]
    assert ids(known_gotchas(opened(workspace), limit=1)) == [keys[1]]
    assert ids(known_gotchas(opened(workspace), severity="info")) == [keys[0]]


def test_a_resolved_one_is_kept_with_what_helped(workspace):
    """It can come back."""
    key = note(workspace, "The table is locked")
    entry = resolve_gotcha(opened(workspace), key, workaround="Run it at night.").stored.entry
    assert (entry.resolved, entry.workaround) == (True, "Run it at night.")
    assert ids(known_gotchas(opened(workspace), resolved=False)) == []
    assert ids(known_gotchas(opened(workspace), "locked table", resolved=False)) == []
    assert resolve_gotcha(opened(workspace), key, resolved=False).stored.entry.resolved is False
    assert ids(known_gotchas(opened(workspace), "locked table", resolved=False)) == [key]


def test_another_memory_is_no_gotcha(workspace):
    """It is not resolved by mistake."""
    key = remember_memory(opened(workspace), {}, "The table is locked.").stored.entry.id
    with pytest.raises(LimpetError, match="Memory is not a gotcha"):
        resolve_gotcha(opened(workspace), key)


def test_an_agent_does_not_see_anothers_own(workspace):
    """In lists and searches."""
    note(workspace, "A private trap", agent="architect", scope="private")
    shared = note(workspace, "A shared trap", caller=DEV)
    assert ids(known_gotchas(opened(workspace, DEV))) == ids(known_gotchas(opened(workspace, DEV), "trap")) == [shared]
