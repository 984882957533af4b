"""Reads Antigravity's tools as calls that the guard judges (arguments as its guide and public hooks have them).

Only commands are judged: each of the client's answers decides, none leaves a call to the client, and of a file ``ask``
would ask the person about each."""

from __future__ import annotations

from limpet.guard.call import ToolCall
from limpet.hosts.named_calls import CallNames, read_named_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.ground.event import Event

# What is added beside a verdict reaches nobody.
HEARS = False
NAMES = CallNames(
    kinds={
        **{"run_command": "shell", "view_file": "read", "write_to_file": "write", "replace_file_content": "write"},
        **{"multi_replace_file_content": "write", "list_dir": "search", "find_by_name": "search"},
        **{"grep_search": "search", "read_url_content": "web", "search_web": "web", "invoke_subagent": "agent"},
        "ask_question": "question",
    },
    command=("CommandLine",),
    folder=("Cwd",),
    files=("TargetFile", "AbsolutePath"),
    searched=("SearchPath", "SearchDirectory", "DirectoryPath"),
    inside=("Includes", "Pattern"),
    whole=("CodeContent",),
    old=("TargetContent",),
    new=("ReplacementContent",),
    parts=("ReplacementChunks",),
    sending=("invoke_subagent", "schedule", "send_message"),
)
# Event -> the tools that its hook is registered for.
MATCHERS = {"PreToolUse": "run_command"}


def read_call(event: Event) -> ToolCall | None:
    return read_named_call(event, NAMES)


def can_ask(event: Event, environment: Mapping[str, str]) -> bool:
    """Without a terminal the client refuses what it would ask."""
    return True


def asks_person(event: Event, environment: Mapping[str, str]) -> bool:
    """Whether a mode of the client's answers in their place is not documented."""
    return False
