"""Who may read what (decision 22)."""

import pytest

from limpet.memory.model.layout import WHOLE_STORE, Reader, may_read, owners


@pytest.mark.parametrize(
    ("reader", "visible"),
    [
        (WHOLE_STORE, None),
        (Reader("dev", person=True), None),
        (Reader("dev"), ("shared", "team", "dev")),
        (Reader(), ("shared", "team")),
    ],
)
def test_a_reader_sees_what_is_shared_the_teams_and_its_own_and_a_person_all(reader, visible):
    assert owners(reader) == visible


@pytest.mark.parametrize(
    ("reader", "owner", "expected"),
    [
        (Reader("dev"), "dev", True),
        (Reader("dev"), "shared", True),
        (Reader("dev"), "architect", False),
        (Reader("dev"), "", False),
        (Reader(), "dev", False),
        (Reader(), "", False),
        (WHOLE_STORE, "architect", True),
    ],
)
def test_a_single_entry_follows_the_same_rule(reader, owner, expected):
    assert may_read(reader, owner) is expected
