"""New, going on, or following a workflow: the conversation's word comes before the project's state (C6, C8)."""

import pytest

from limpet.agents.session_type import EXISTING, NEW, WORKFLOW, find_session_type


@pytest.mark.parametrize(
    ("recent", "has_workflow", "idle", "expected"),
    [
        ((), False, None, NEW),
        ((), True, 3600.0, NEW),
        ((), True, 3599.0, WORKFLOW),
        ((), False, 5.0, EXISTING),
        (("*brief",), True, 5.0, EXISTING),
        (("story.started", "*develop"), False, None, WORKFLOW),
        (("work.started", "*brief"), False, None, EXISTING),
    ],
)
def test_the_session_is_of_the_type(recent, has_workflow, idle, expected):
    """Two commands of the work make a workflow, any makes it go on, and state speaks for an hour."""
    assert find_session_type(recent, has_workflow, idle) == expected
