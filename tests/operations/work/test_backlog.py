"""The backlog, whatever door asks for it."""

import pytest

from limpet.ground.config.mirror import read_mirror
from limpet.ground.errors import LimpetError
from limpet.operations.work.moves import add_to_backlog, change_in_backlog, listed_backlog

from ..callers import opened

TOKEN = "ghp_" + "a1B2" * 9


def test_an_item_is_added_without_secrets(workspace):
    """For the agent that an alias stands for; the mirror knows it."""
    add_to_backlog(opened(workspace), f"Rotate {TOKEN}", "high", "@qa", "soon")
    (item,) = listed_backlog(opened(workspace))
    assert (item["title"], item["target_agent"]) == ("Rotate [redacted:github-token]", "qa-implementation")
    assert read_mirror(workspace).session["backlog"][0]["id"] == "BL-001"


def test_an_unknown_agent_gets_no_item(workspace):
    """Nothing is written."""
    with pytest.raises(LimpetError, match="Unknown agent: devv"):
        add_to_backlog(opened(workspace), "Rate limit", target="devv")
    assert listed_backlog(opened(workspace), everything=True) == []


def test_an_item_changes_in_what_is_named(workspace):
    """The rest stays."""
    add_to_backlog(opened(workspace), "Rate limit")
    change_in_backlog(opened(workspace), "bl-001", {"status": "in_progress"}, "dev")
    (item,) = listed_backlog(opened(workspace))
    assert (item["title"], item["status"], item["target_agent"]) == ("Rate limit", "in_progress", "dev")


def test_what_is_done_is_listed_on_request(workspace):
    """What is open comes alone else."""
    add_to_backlog(opened(workspace), "Rate limit")
    change_in_backlog(opened(workspace), "BL-001", {"status": "done"})
    assert listed_backlog(opened(workspace)) == []
    assert [item["status"] for item in listed_backlog(opened(workspace), everything=True)] == ["done"]
