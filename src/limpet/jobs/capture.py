"""The job that captures what a conversation says: after a turn, before a compaction and at its end. After a turn a rule
is offered where something was said again often enough."""

from __future__ import annotations

from typing import Any

from limpet.ground.config.settings import load_settings
from limpet.ground.trust.approvals import TYPED
from limpet.ground.workspace import Workspace
from limpet.hosts.surroundings import ways_in
from limpet.operations.conversations import note_title
from limpet.operations.memory.conversations.capture import capture, captured_memories, captured_title
from limpet.operations.memory.conversations.conversation import conversation_of, is_kept_out
from limpet.operations.memory.review import has_proved_wish


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """Capture a conversation; return the numbers of new candidates, gotchas and observations.

    Where the hook waits, also ``kept`` (id and title of each new gotcha) and the conversation's ``title``: the hook
    holds the state's lock, so it writes the title itself.
    ``orders``: the fields of ``Conversation``: ``session``, ``host``, ``transcript``, ``now`` and perhaps ``agent``;
    ``waited`` where the hook waits, ``turn`` where only a turn is over. Raises LimpetError while another capture of
    the conversation is at work.
    """
    conversation = conversation_of(orders)
    if is_kept_out(conversation.session, conversation.host, conversation.transcript):
        return {}
    if orders.get("turn"):
        counts = capture(workspace, conversation, turn=True)
        if TYPED in ways_in(conversation.host) and has_proved_wish(workspace, load_settings(workspace)[0]["learning"]):
            from limpet.operations.learning.offers import offer_rule  # with much that few turns need

            offer_rule(workspace, conversation.session, conversation.now)
        return dict(counts)
    if not orders.get("waited"):
        counts = capture(workspace, conversation)
        note_title(workspace, conversation.session, captured_title(workspace, conversation.session))
        return dict(counts)
    before = captured_memories(workspace, conversation)
    counts = capture(workspace, conversation, ended=False)
    after = captured_memories(workspace, conversation)
    kept = [[key, title] for key, title in after.items() if key not in before]
    return {**counts, "kept": kept, "title": captured_title(workspace, conversation.session)}
