"""A person's own memories, for all projects, in the block of a project, after the project's own."""

import pytest

from limpet.operations.memory.library import personal_workspace

from ..memories import Memories, configure, ids, listed, remembered, short, wished

WANT = "Commit messages are written in the imperative"


@pytest.fixture
def personal(host):
    """The person's store, as ``limpet memory add --user`` leaves it."""
    configure(host.workspace)
    fields = {"id": "mem-2026-11-01-aaaaaaaa", "type": "user_correction", "storage": "durable"}
    return Memories(personal_workspace()).add(WANT, created_at="2026-11-01T10:00:00Z", **fields)


def test_they_come_where_the_project_has_none(host, personal):
    host.send("SessionStart", source="fork")
    (line,) = remembered(host.prompt("How are commit messages written here?"))
    assert WANT in line


def test_they_come_after_the_projects_own(host, memories, personal):
    own = memories.add("Commit messages name the ticket")
    host.send("SessionStart", source="fork")
    found = ids(host.prompt("How are commit messages written here?"))
    assert found == [short(own), short(personal)]


def test_a_session_is_opened_by_what_a_person_wants_in_every_project(host, memories, personal):
    memories.add("Amounts are integers of cents")
    assert wished(host.send("SessionStart", source="startup")) == [WANT]


def test_they_are_listed_too(host, memories, personal):
    """After the project's own, of wishes and of facts: wishes stand before these."""
    fact = memories.add("Amounts are integers of cents")
    wish = memories.add("Never push without a review", type="user_correction")
    host.send("SessionStart", source="fork")
    told = listed(host.prompt("Translate the login page into Welsh"))
    assert told == [short(wish), short(personal), short(fact)]
