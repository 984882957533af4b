"""Who may change what: each refusal says why, and everything else passes."""

import pytest

from limpet.ground.errors import LimpetError
from limpet.memory.model.layout import WHOLE_STORE, Reader
from limpet.memory.model.rights import (
    owner_name_of,
    refuse_agents,
    refuse_change,
    refuse_owner,
    refuse_removal,
    refuse_wishes,
)

from ..indexes import make_entry

DEV, NOBODY = Reader("dev"), Reader()
OWN = make_entry("b", source="agent:dev", storage="daily")
DECIDED = [
    (OWN.replace(source="person"), "was written"),
    (OWN.replace(pinned=True), "was pinned"),
    (OWN.replace(storage="durable"), "was made durable"),
]


@pytest.mark.parametrize(
    ("reader", "owner"),
    [(WHOLE_STORE, "architect"), (WHOLE_STORE, "shared"), (DEV, "dev"), (DEV, "shared"), (NOBODY, "shared")],
)
def test_an_owner_that_may_be_read_may_be_written(reader, owner):
    refuse_owner(reader, owner)


@pytest.mark.parametrize("owner", ["", "archive", "forgotten", "Dev", "a b", "../x", "-a", "x" * 65])
def test_nobody_gives_an_entry_to_what_is_no_owner(owner):
    with pytest.raises(LimpetError, match="Not an owner of memories"):
        refuse_owner(WHOLE_STORE, owner)


@pytest.mark.parametrize(("reader", "name"), [(DEV, "agent:dev"), (NOBODY, "agent")])
def test_another_agents_own_is_not_written(reader, name):
    with pytest.raises(LimpetError, match=f"{name} may not write memories of architect"):
        refuse_owner(reader, "architect")


@pytest.mark.parametrize("fields", [{"storage": "durable"}, {"pinned": True}, {"source": "person"}])
def test_what_is_a_persons_to_give_an_agent_does_not_give(fields):
    """All else is an agent's to give."""
    for given in ({}, {"storage": "daily"}, {"pinned": False}, {"source": "capture:s"}):
        refuse_wishes(DEV, given)
    refuse_wishes(WHOLE_STORE, fields)
    with pytest.raises(LimpetError):
        refuse_wishes(DEV, fields)


@pytest.mark.parametrize(("entry", "why"), DECIDED)
def test_to_what_a_person_decided_only_evidence_may_be_added(entry, why):
    refuse_removal(WHOLE_STORE, entry, "key")
    with pytest.raises(LimpetError, match=f"{why} by a person, so agent:dev may not change it"):
        refuse_removal(DEV, entry, "key")
    refuse_change(DEV, entry, "key", {"evidence_count": 2, "confidence": 1.0, "evidence": ()})
    for changes in ({"evidence_count": 2, "body": "No."}, {"confidence": 0.1, "evidence": ()}):
        with pytest.raises(LimpetError, match=why):
            refuse_change(DEV, entry, "key", changes)


def test_what_an_agent_wrote_an_agent_changes():
    refuse_change(DEV, OWN, "key", {"body": "Better."})
    refuse_removal(DEV, OWN, "key")


def test_some_things_only_a_person_does():
    refuse_agents(WHOLE_STORE, "clean up the memories")
    with pytest.raises(LimpetError, match="Only a person can clean up the memories"):
        refuse_agents(DEV, "clean up the memories")


def test_readers_are_named_as_sources_name_them():
    assert [owner_name_of(reader) for reader in (WHOLE_STORE, DEV, NOBODY)] == ["person", "agent:dev", "agent"]
