"""The answer to ``*holdfast status`` and ``/holdfast status``: what the command ``holdfast status`` prints."""

from __future__ import annotations

from holdfast.engine.worker import run_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.engine.event_context import EventContext

WOULD = "Would show the same as: holdfast status"
LATE = "Timed out. Run: holdfast status"


def status_lines(context: EventContext) -> tuple[str, ...]:
    """Return the lines of the command, within ``hosts.command_deadline_ms``."""
    if not context.is_sent:
        return (WOULD,)
    found = run_command(context.workspace, ("status",), context.patience("command_deadline"))
    return (LATE,) if found is None else tuple(line.rstrip() for line in found.splitlines() if line.strip())
