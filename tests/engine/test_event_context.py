"""The value that an event's steps hand on: what is in force follows whatever it depends on."""

import pytest

from limpet.engine import event_context
from limpet.engine.event_context import EventContext
from limpet.ground.clock import Clock
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.config.mirror import Mirror
from limpet.ground.event import Event
from limpet.ground.workspace import workspace_at


@pytest.fixture
def context(tmp_path):
    mirror = Mirror(settings=DEFAULTS, session={"current_agent": "dev"})
    event = Event("prompt", "claude-code", session="s")
    return EventContext(event=event, workspace=workspace_at(str(tmp_path)), clock=Clock(), mirror=mirror)


@pytest.mark.parametrize(
    ("change", "agent"),
    [
        (lambda seen: seen.with_session(active_agent="architect"), "architect"),
        (lambda seen: seen.replace(session={"active_agent": "architect"}), "architect"),
        (lambda seen: seen.replace(mirror=seen.mirror.replace(session={})), ""),
        (lambda seen: seen.replace(subagent="architect"), "architect"),
        (lambda seen: seen.replace(subagent=""), ""),
        (lambda seen: seen.with_session(prompt_count=1), "dev"),
    ],
)
def test_who_is_at_work_follows_every_change(context, change, agent):
    """Also where somebody asked before."""
    assert context.in_force.agent == "dev"
    changed = change(context)
    assert (changed.in_force.agent, context.in_force.agent) == (agent, "dev")


def test_it_is_found_once_while_nothing_changes_it(context, monkeypatch):
    """Notes, replies and counts of the conversation do not."""
    found = []
    real = event_context.find_in_force
    monkeypatch.setattr(event_context, "find_in_force", lambda *given: found.append(given) or real(*given))
    for _ in range(3):
        assert context.in_force.agent == "dev"
        context = context.replace(notes=("one",)).with_session(prompt_count=2).replied("said")
    assert len(found) == 1
