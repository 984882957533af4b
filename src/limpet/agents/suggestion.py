"""What to do next, as the greeting says it: what the work itself says, else what follows from the newest command.

It invents nothing: with neither there is no suggestion.
"""

from __future__ import annotations

from limpet.work.pipeline.briefing import NOTHING, Next

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

# What was done last, as the event log names it -> the command that follows where no work is under way.
AFTER = {
    "story.added": "limpet story next",
    "spec.scanned": "limpet spec status",
    "spec.placed": "limpet spec status",
    "spec.evaluated": "limpet spec status",
    "work.finished": "limpet work status",
    "handoff.written": "limpet handoff show",
}


def suggest_next(following: Mapping[str, Any] | None, recent: Sequence[str]) -> Next:
    """Return what to do next.

    ``following``: ``words`` and ``command`` of the work under way, as ``work/pipeline/next_command`` has them.
    ``recent``: what the conversation did, as the event log names it, the newest last.
    """
    if following and following.get("command"):
        return Next(words=str(following.get("words") or ""), command=str(following["command"]))
    command = AFTER.get(recent[-1]) if recent else None
    return Next(command=command) if command else NOTHING
