"""Figures of what the hook did lately."""

import pytest

from limpet.ground.errors import LimpetError
from limpet.operations.history import hook_figures
from limpet.operations.memory.change import remember_memory

from ..conversation import write_rules
from .callers import DEV, NOW, PERSON, opened


def test_a_new_project_has_domains_and_no_more(workspace):
    """Nothing is invented."""
    write_rules(workspace, "QA_RECALL=test\n", qa="QA_RULE_0=a\n")
    found = hook_figures(workspace, "", 10, PERSON.reader, NOW)
    assert [(one["name"], one["rules"]) for one in found["domains"] if one["origin"] == "project"] == [("QA", 1)]
    assert not any(one["loaded_last"] for one in found["domains"])
    assert (found["conversation"], found["metrics"]["lines"], found["memory"]) == (None, 0, {})
    assert found["cache"] == {"folder": workspace.cache, "plan_bytes": 0, "plan_current": False, "mirror_bytes": 0}


def test_memories_are_counted_for_who_may_see_them(workspace, conversation):
    """For nobody, not at all."""
    remember_memory(opened(workspace), {"agent": "architect", "scope": "private"}, "Redis may go.")
    remember_memory(opened(workspace), {}, "The queue is Redis.")
    counted = [hook_figures(workspace, "", 10, reader, NOW)["memory"] for reader in (PERSON.reader, DEV.reader, None)]
    assert [sum(one.get("owner", {}).values()) for one in counted] == [2, 1, 0]
    assert hook_figures(workspace, conversation, 10, None, NOW)["conversation"]["id"] == conversation


def test_an_unknown_conversation_is_refused(workspace):
    """Figures of all would be those of another."""
    with pytest.raises(LimpetError, match="No conversation with this ID: zzz"):
        hook_figures(workspace, "zzz", 10, PERSON.reader, NOW)
