"""The coding agent around a process."""

import pytest

from holdfast.hosts.claude_code import HOST
from holdfast.hosts.claude_code.events import CONVERSATION, MARKERS
from holdfast.hosts.surroundings import find_surroundings, variables_of_hosts
from holdfast.operations.surroundings import NOWHERE, Surroundings


@pytest.mark.parametrize("marker", MARKERS)
def test_any_of_a_hosts_variables_marks_its_commands(marker):
    """The conversation has a variable of its own."""
    found = find_surroundings({marker: "one", "PATH": "/bin"})
    assert found == Surroundings(HOST, "one" if marker == CONVERSATION else "")


def test_elsewhere_there_is_no_host():
    """An empty variable marks nothing."""
    assert find_surroundings({"PATH": "/bin", MARKERS[0]: ""}) == NOWHERE


def test_all_variables_of_hosts_are_known():
    """A spawned conversation is started without them."""
    assert {*MARKERS, CONVERSATION} <= variables_of_hosts()
