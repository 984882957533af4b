"""An event of a host, the answer to it, and the host around a process, in one shape for all hosts."""

from __future__ import annotations

from limpet.ground.values import Value

# Who wrote a prompt. A pasted or quoted part of what was typed is told by its marks in the text; SCRIPT is a client at
# which nobody sits, or that an agent started; COMMAND_FILE is the text of a file that the person called; of SYSTEM
# prompts nobody waits for an answer of ours.
TYPED, SCHEDULED, AGENT, SCRIPT = "typed", "a schedule", "an agent", "a script"
COMMAND_FILE, SYSTEM, UNKNOWN = "a command file", "the client", "an unknown place"


class Event(Value):
    """An event of a conversation. Empty strings and None stand for what the host did not tell.

    ``kind``: session_start, prompt, pre_compact, post_compact, session_end, stop, subagent_start, subagent_stop,
    tool_before, tool_after, tool_failed, config_changed or other.
    ``source``: the cause of a session's start (startup, resume, clear, compact, fork), of a compaction (manual, auto)
    or of the conversation's end.
    ``agent_id``, ``agent_type``: of the subagent that the event belongs to; both empty for the main conversation's.
    ``origin``: who wrote the prompt; of any other event SCRIPT where the client tells that nobody sits at it.
    ``entry``: what a SCRIPT is called in ``hosts.attended``, "" for one that no setting makes a person's.
    ``error``: the text of a failed tool.
    ``continuing``: the agent had stopped before, and a hook kept it going.
    ``working``: tasks that the agent began go on after its turn.
    ``follows``: the conversation that its client served before this one, told with the first event of this one.
    ``announced``: prompts that the client says will come by themselves.
    ``host_mode``: how the host itself asks for permission (default, plan, acceptEdits, bypassPermissions).
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
    agent_id: str = ""
    agent_type: str = ""
    context_tokens: int | None = None
    origin: str = TYPED
    entry: str = ""
    tool: str = ""
    tool_input: dict[str, object] | None = None
    tool_use_id: str = ""
    error: str = ""
    continuing: bool = False
    working: bool = False
    host_mode: str = ""
    follows: str = ""
    announced: tuple[str, ...] = ()

    @property
    def is_persons(self) -> bool:
        return self.origin == TYPED and not self.agent_id

    @property
    def is_slash(self) -> bool:
        """Whether the prompt opens as ``/limpet`` does, in Codex as ``$limpet``."""
        return self.prompt.lstrip()[:1] in ("/", "$")


class Reply(Value):
    """What the host is to add to the conversation, and what it is to show; "" for none.

    ``message``: a line for the person.
    ``unfinished``: the reason why the agent may not stop yet.
    ``verdict``: ``ask`` or ``deny`` for a tool call or changed settings; "" leaves it to the host.
    """

    block: str = ""
    message: str = ""
    unfinished: str = ""
    verdict: str = ""
    reason: str = ""


class Surroundings(Value):
    """The coding agent around this process, "" where there is none or it tells nothing. ``beside``: what it may as well
    be, where ``conversation`` is not sure, and what is around it: what binds one of them all holds."""

    host: str = ""
    conversation: str = ""
    beside: tuple[str, ...] = ()

    @property
    def conversations(self) -> tuple[str, ...]:
        return tuple(filter(None, (self.conversation, *self.beside)))


NOWHERE = Surroundings()
