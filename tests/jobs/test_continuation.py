"""The job that writes a continuation: orders in, answer out."""

from limpet.jobs.continuation import run
from limpet.work.recovery.store import read_continuation

from ..places import shown

LINE = "Full text: .limpet/continuation/abc.md"
ORDERS = {"session": "abc", "now": 1_795_262_400.0}


def test_the_orders_say_whose_and_when(workspace):
    """What is not known may be left out."""
    answer = run(workspace, {**ORDERS, "host": "claude-code", "agent": "dev", "text": "Go on, please"})
    assert answer["path"] == shown("continuation", "abc.md") and answer["memories"] == 0
    assert LINE in answer["lines"]
    found = read_continuation(workspace, "abc")
    assert (found.at, found.host, found.agent) == ("2026-11-21T12:00:00Z", "claude-code", "dev")
    assert found.requests == ("Go on, please",)


def test_the_answer_is_plain_data(workspace):
    """It goes to the hook as JSON."""
    assert run(workspace, ORDERS) == {"path": shown("continuation", "abc.md"), "lines": [LINE], "memories": 0}
