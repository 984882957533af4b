"""Memories in the block, through the hook as a host starts it: which come, when, how much of them, and for whom
(decisions 6, 7, 20, 22, 24)."""

import pytest

from ..conversation import write
from ..hook_host import notes, state
from ..memories import Memories, fill, remembered


@pytest.fixture
def memories(workspace):
    """The project's memories."""
    return Memories(workspace)


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact"])
def test_hot_memories_open_a_conversation_once(host, memories, source):
    """As chunks: title, origin and substance; the prompts after it do not repeat them."""
    key = memories.add("JWT is signed with EdDSA", "Because the keys are short.")
    memories.add("A warm one", confidence=0.6)
    start = host.send("SessionStart", source=source)
    assert start.block["memory"]["level"] == "chunks"
    (line,) = remembered(start)
    assert line.startswith(f"{key} (decision, ") and line.endswith('"JWT is signed with EdDSA" Because the keys are short.')
    assert remembered(host.prompt("How is the JWT signed?")) == []
