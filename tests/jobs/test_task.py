"""The job that reads a conversation's own task."""

from limpet.jobs.task import run


def test_a_task_without_a_story_is_its_name(workspace):
    """Nothing is wrong with that."""
    assert run(workspace, {"task": "A hotfix"}) == {"task": {"title": "A hotfix"}, "problems": [], "nearest": ""}
