"""Names that stand for nothing, typed into a prompt or written into ``session.yaml`` by hand: said, not followed."""

import pytest

from ..conversation import write
from ..hook_host import notes, state
from ..places import private_path


@pytest.mark.parametrize("agent", ["dve", "'@Dve'"])
def test_an_agent_that_nothing_knows_is_none(host, agent):
    """With file, line and the nearest name; the block plays no empty part."""
    write(private_path(host.workspace, "session.yaml"), f"mode: build\ncurrent_agent: {agent}\n")
    answer = host.prompt()
    assert answer.block["agent"] is None
    (note,) = [each for each in notes(answer) if "unknown agent" in each]
    assert note.startswith("session.yaml:2: unknown agent") and "did you mean dev?" in note


def test_a_squad_that_is_not_there_is_not_taken(host):
    """Typed: said in the answer; written by hand: in a note with its line."""
    (command,) = host.prompt("*work squad nope").block["commands"]
    assert command["lines"][0].startswith("Unknown squad 'nope'")
    assert not state(host.workspace).get("squad")
    write(private_path(host.workspace, "session.yaml"), "squad: nope\n")
    found = notes(host.prompt(session_id="other"))
    assert any(each.startswith("session.yaml:1: Unknown squad: nope") for each in found), found
