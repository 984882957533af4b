"""An event of a host and the answer to it, in one shape for all hosts."""

from __future__ import annotations

from holdfast.ground.values import Value


class Event(Value):
    """An event of a conversation.

    ``kind``: session_start, prompt, pre_compact, post_compact, session_end, stop, subagent_start,
    subagent_stop, tool_before, tool_after, tool_failed or other. ``source`` is what started a session
    (startup, resume, clear, compact, fork), triggered a compaction (manual, auto) or ended the conversation.
    ``synthetic`` marks a prompt that nobody typed; ``error`` is what a failed tool said. Empty strings and None
    stand for what the host did not tell.
    """

    kind: str
    host: str
    session: str = ""
    cwd: str = ""
    prompt: str = ""
    prompt_id: str = ""
    transcript: str = ""
    source: str = ""
    model: str = ""
    agent_type: str = ""
    context_tokens: int | None = None
    synthetic: bool = False
    tool: str = ""
    tool_input: dict[str, object] | None = None
    tool_use_id: str = ""
    error: str = ""


class Reply(Value):
    """An addition to the conversation for the host to make, empty for none."""

    block: str = ""
