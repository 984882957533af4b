"""Events as ordered steps: every step is there, and a room that listens touches no other listener."""

from importlib import import_module

import pytest

from limpet.engine import events, handle
from limpet.engine.events import EVENTS, STRANGERS_EVENTS, Walk
from limpet.ground.clock import Clock
from limpet.ground.event import Event

from ..conversation import write_rules

STEPS = sorted(
    {
        (step.__module__, step.__name__)
        for table in (EVENTS, STRANGERS_EVENTS)
        for walk in table.values()
        for step in (*walk.before, *walk.held)
    }
)


@pytest.mark.parametrize(("module", "name"), STEPS)
def test_each_step_is_a_function_of_the_event_context(module, name):
    """A mistyped one would fail at that event only."""
    found = getattr(import_module(module), name)
    assert found.__annotations__ == {"context": "EventContext", "return": "EventContext"}


@pytest.fixture
def heard():
    """What a step that another room adds was told."""
    return []


@pytest.fixture
def listen(heard):
    """A step of another room."""
    return lambda context: heard.append(context) or context


def test_a_step_added_to_an_event_hears_it_after_the_others(workspace, monkeypatch, heard, listen):
    """It finds the block made, and the block goes out as before."""
    write_rules(workspace, "GLOBAL_ALWAYS_ON=true\n", **{"global": "GLOBAL_RULE_0=Read first.\n"})
    walk = EVENTS["prompt"]
    monkeypatch.setitem(events.EVENTS, "prompt", walk.replace(held=(*walk.held, listen)))
    event = Event(kind="prompt", host="claude-code", session="s", cwd=workspace.root, prompt="Go on.")
    assert "Read first." in handle(event, workspace, Clock()).block
    assert ["Read first." in context.result.block for context in heard] == [True]


def test_a_step_can_listen_to_an_event_that_nobody_answered(workspace, monkeypatch, heard, listen):
    """As guard and learning will to tool events."""
    monkeypatch.setitem(events.EVENTS, "tool_after", Walk(before=(listen,)))
    event = Event(kind="tool_after", host="claude-code", session="s", cwd=workspace.root, tool="Bash")
    assert handle(event, workspace, Clock()).block == ""
    assert [context.event.tool for context in heard] == ["Bash"]
