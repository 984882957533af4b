"""A preview is the hook's own block, and leaves no trace."""

import os

import pytest

from limpet.engine import handle
from limpet.engine.explanation import preview
from limpet.ground.clock import Clock
from limpet.ground.errors import LimpetError
from limpet.ground.event import Event

from ..conversation import write
from ..places import private_path

CLOCK = Clock(now=lambda: 1_800_000_000.0, timer=lambda: 0.0, worked=lambda: 0.0)


@pytest.fixture
def project(workspace):
    """A project with the shipped rules, QA's words among them."""
    write(workspace.path("rules", "manifest"), "QA_STATE=active\n")
    return workspace


def prompt(workspace, text, session="s1"):
    """The block that the hook answers with."""
    event = Event(kind="prompt", host="claude-code", session=session, cwd=workspace.root, prompt=text, prompt_id=text)
    return handle(event, workspace, CLOCK).block


def traces(workspace):
    """Every file with its bytes, but for what is derived."""
    found = {}
    for top in (workspace.home, workspace.data):
        for folder, _, names in os.walk(top):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    found[os.path.join(folder, name)] = file.read()
    return found


@pytest.mark.parametrize("text", ["fix the failing tests", "hello", "*brief explain the story", "*agent dev", ""])
def test_a_preview_is_what_the_hook_sends(project, text):
    """The same bytes for the first prompt of a conversation."""
    assert preview(project, text, clock=CLOCK).result.block == prompt(project, text)


def test_a_preview_for_a_conversation_is_what_the_hook_sends_next(project):
    """What was sent already is left away, as the hook does."""
    prompt(project, "hello")
    expected = preview(project, "fix the failing tests", session="s1", clock=CLOCK).result.block
    assert "QA" in expected
    assert "<constitution>" not in expected
    assert prompt(project, "fix the failing tests") == expected


def test_a_session_start_can_be_previewed(project):
    """The stable part, as the hook sends it at startup."""
    event = Event(kind="session_start", host="claude-code", session="s2", cwd=project.root, source="startup")
    block = preview(project, "", starting=True, clock=CLOCK).result.block
    assert handle(event, project, CLOCK).block == block


def test_a_session_start_counts_no_prompt(project):
    """The next prompt does."""
    prompt(project, "hello")
    assert preview(project, "", session="s1", starting=True, clock=CLOCK).request.prompt_number == 1
    assert preview(project, "", session="s1", clock=CLOCK).request.prompt_number == 2


def test_a_preview_leaves_no_trace(project):
    """No session, claim, metrics line or event, and a conversation's state stays as it is."""
    prompt(project, "hello")
    before = traces(project)
    preview(project, "*agent dev", session="s1", clock=CLOCK)
    preview(project, "tests", bracket="CRITICAL", agent="qa", clock=CLOCK)
    assert traces(project) == before


def test_a_damaged_conversation_is_not_set_aside_by_a_preview(project):
    """Looking does not repair."""
    path = private_path(project, "sessions", "s1.json")
    os.makedirs(os.path.dirname(path))
    with open(path, "w") as file:
        file.write("{")
    with pytest.raises(LimpetError, match="No conversation with this ID: s1"):
        preview(project, "hello", session="s1", clock=CLOCK)
    assert os.path.exists(path)


@pytest.mark.parametrize(
    ("bracket", "remaining"), [("FRESH", 80), ("MODERATE", 50), ("DEPLETED", 32.5), ("CRITICAL", 12.5)]
)
def test_a_bracket_can_be_forced(project, bracket, remaining):
    """The window's remainder is the middle of the bracket, and the block says that it is assumed."""
    request = preview(project, "hello", bracket=bracket, clock=CLOCK).request
    assert (request.window.bracket, request.window.remaining, request.window.source) == (bracket, remaining, "assumed")


@pytest.mark.parametrize(("name", "found"), [("dev", "dev"), ("@QA", "qa-implementation"), ("pm", "detail")])
def test_an_agent_can_be_assumed(project, name, found):
    """By id or alias."""
    assert preview(project, "hello", agent=name, clock=CLOCK).request.agent.name == found


def test_the_figure_that_the_last_prompt_measured_is_used(project):
    """Without transcript a preview knows the window from the conversation's state."""
    event = Event(kind="prompt", host="claude-code", session="s1", cwd=project.root, prompt="x", context_tokens=650_000)
    handle(event, project, CLOCK)
    request = preview(project, "hello", session="s1", clock=CLOCK).request
    assert (request.window.bracket, request.window.source) == ("DEPLETED", "payload")


def test_a_figure_from_before_a_compaction_is_not_used(project):
    """The session start that follows one has told that the window is empty again."""
    before = Event(
        kind="prompt", host="claude-code", session="s1", cwd=project.root, prompt="x", context_tokens=650_000
    )
    after = Event(kind="session_start", host="claude-code", session="s1", cwd=project.root, source="compact")
    handle(before, project, CLOCK)
    handle(after, project, CLOCK)
    assert preview(project, "hello", session="s1", clock=CLOCK).request.window.bracket == "FRESH"
