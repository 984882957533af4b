"""Reads Copilot CLI's tools as calls that the guard judges (observed on 1.0.102). To hooks with Claude Code's names of
events it gives Claude Code's names of tools, with arguments of its own."""

from __future__ import annotations

from limpet.guard.call import ToolCall
from limpet.hosts.copilot.events import is_headless
from limpet.hosts.named_calls import CallNames, read_named_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.ground.event import Event

# What is added beside a verdict reaches the agent.
HEARS = True
# Tool -> kind of the call. What writes nothing, runs nothing, reads no file and sends nothing is not registered.
KINDS = {
    "Bash": "shell",
    "PowerShell": "shell",
    "Write": "write",
    "Edit": "write",  # also what applies a patch, whose text is all that is given
    "Read": "read",
    "Grep": "search",
    "Glob": "search",
    "WebFetch": "web",
    "WebSearch": "web",
    "Agent": "agent",
    "AskUserQuestion": "question",
}
JUDGED = ("shell", "write", "read", "search")
# What hands a text on that comes back as a prompt, at a time or from another agent.
SENDING = ("Agent", "write_agent", "manage_schedule")
# Event -> the tools that its hook is registered for; only a server's tools have a hyphen, behind the server's name.
MATCHERS = {"PreToolUse": "|".join((*(tool for tool, kind in KINDS.items() if kind in JUDGED), *SENDING, ".+-.+"))}
NAMES = CallNames(
    kinds=KINDS,
    command=("command",),
    folder=(),
    files=("path", "file_path"),
    searched=("paths", "path"),
    patterns={"Glob": "pattern", "Grep": "glob"},
    whole=("file_text",),
    old=("old_str",),
    new=("new_str",),
    patch="input",
    writing=("Write",),
    powershell="PowerShell",
    sending=SENDING,
)


def read_call(event: Event) -> ToolCall | None:
    return read_named_call(event, NAMES)


def can_ask(event: Event, environment: Mapping[str, str]) -> bool:
    """It puts a question to the person in every mode, and refuses the call where there is none."""
    return True


def asks_person(event: Event, environment: Mapping[str, str]) -> bool:
    """No permission, mode or hook answers it for them."""
    return not is_headless()
