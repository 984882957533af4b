"""What answers a prompt, kept for hosts that take it at another event: with the next tool's result, or anew with each
call of the model in the turn. Separate from the engine, for which a prompt is answered once."""

from __future__ import annotations

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.digest import safe_name
from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.storage.files import read_text, remove_file, write_if_possible
from limpet.hosts.payload import payload_text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.ground.event import Event, Reply
    from limpet.ground.workspace import Workspace

LATER, AGAIN = "later", "again"
# Characters of what several prompts without a tool left; the oldest go first.
MOST = 9000


def find_carried(workspace: Workspace, event: Event) -> str:
    """Return what answered this very prompt before, "" for nothing."""
    kept = read_object(read_text(_path(workspace, event), STATE_BYTES))
    return payload_text_of(kept, "block") if event.prompt_id and kept.get("prompt") == event.prompt_id else ""


def carry(workspace: Workspace, event: Event, reply: Reply, how: str) -> Reply:
    """Keep the block of a prompt; return the reply with what is due at this event."""
    path = _path(workspace, event)
    if event.kind == "prompt" and reply.block:
        block = reply.block
        if how == LATER:
            left = payload_text_of(read_object(read_text(path, STATE_BYTES)), "block")
            block = f"{left}\n{block}" if left and len(left) + len(block) < MOST else block
        write_if_possible(path, dumps({"prompt": event.prompt_id, "block": block}))
    elif event.kind == "tool_after" and how == LATER:
        block = payload_text_of(read_object(read_text(path, STATE_BYTES)), "block")
        remove_file(path)
        # It has a block of its own after a compaction.
        return reply.replace(block="\n".join(filter(None, (block, reply.block))))
    elif event.kind == "session_end":
        remove_file(path)
    return reply


def _path(workspace: Workspace, event: Event) -> str:
    return workspace.cached("carried", f"{safe_name(event.session or 'none')}.json")
