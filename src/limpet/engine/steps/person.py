"""What a person says to Limpet itself, at a glance: their word for what waits for it, and the switch of privacy. What
acts on either is imported only where there is something to act on."""

from __future__ import annotations

import os

from limpet.ground.storage.user_folders import approvals_folder
from limpet.work.private import any_private, has_mark, may_switch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import EventContext


def hear(context: EventContext) -> EventContext:
    """Show what waits for the person's word, hear it, or have the client ask for it."""
    if not (os.path.isdir(approvals_folder()) or context.event.prompt.startswith("*yes")) or not context.is_sent:
        return context
    from limpet.engine.approvals import ask_client, tell

    try:
        return ask_client(context) or tell(context)
    except Exception:  # the other steps are worth more
        return context


def respect_privacy(context: EventContext) -> EventContext:
    """Let the person switch privacy on or off; while it is on, this is the whole answer."""
    event = context.event
    is_fork = event.source == "fork" and any_private()
    if not (is_fork or has_mark(event.session) or may_switch(event.prompt)):
        return context
    from limpet.engine.privacy import pass_privacy

    return pass_privacy(context)
