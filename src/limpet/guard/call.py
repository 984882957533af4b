"""One tool call of an agent, in terms that no host names."""

from __future__ import annotations

from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

KINDS = ("shell", "write", "read", "search", "web", "agent", "tool", "question", "effect")


class ToolCall(Value):
    """What a host is about to run for an agent.

    kind: one of KINDS, ``effect`` for a file that was found changed; tool: the host's own name of the tool.
    command, shell: the line and its language (posix, powershell, cmd) of a shell call.
    paths: absolute, of reads, writes and searches.
    edits: (old text, new text, everywhere) of a write or an effect; a whole new text stands as ("", text, False), with
    whole=True.
    hints: an MCP tool's readOnlyHint and destructiveHint, where the host tells them.
    folder: the absolute working folder.
    """

    kind: str
    tool: str = ""
    command: str = ""
    shell: str = "posix"
    paths: tuple[str, ...] = ()
    edits: tuple[tuple[str, str, bool], ...] = ()
    whole: bool = False
    hints: Mapping[str, bool] = {}  # noqa: RUF012 - never changed: a Value is frozen
    folder: str = ""
