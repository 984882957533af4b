"""The job that brings a conversation's sources up to date."""

from holdfast.jobs.refresh import run


def test_it_counts_what_changed(workspace):
    """Nothing in a project without memories."""
    assert run(workspace, {"now": 1_795_262_400.0}) == {"changed": 0, "removed": 0, "unread": 0}
