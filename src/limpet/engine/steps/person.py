"""What a person says to Limpet itself, at a glance: their word for what waits for it, and the switch of privacy. What
acts on either is imported only where there is something to act on."""

from __future__ import annotations

import os

from limpet.ground.storage.user_folders import approvals_folder
from limpet.ground.trust.allowance import is_first_asked
from limpet.ground.trust.consent import find_consent
from limpet.ground.workspace import USE_ABOVE, project_above, workspace_at
from limpet.work.conversation import any_private, has_mark, may_switch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import EventContext


def hear_person(context: EventContext) -> EventContext:
    if not (os.path.isdir(approvals_folder()) or context.event.prompt.startswith("*yes")) or not context.is_sent:
        return context
    from limpet.engine.person import ask_client, tell_approval

    try:
        return ask_client(context) or tell_approval(context)
    except Exception:  # the other steps are worth more
        return context


def respect_privacy(context: EventContext) -> EventContext:
    """Let the person switch privacy on or off; while it is on, this is the whole answer."""
    event = context.event
    goes_on = event.source == "fork" or event.follows
    if not ((goes_on and any_private()) or has_mark(event.session) or may_switch(event.prompt)):
        return context
    from limpet.engine.person import pass_privacy

    return pass_privacy(context)


def offer_project_above(context: EventContext) -> EventContext:
    """Say once that a project beyond the border of this repository is there, and how to use it here."""
    above = project_above(context.event.cwd) if context.is_sent and context.event.cwd else ""
    workspace = workspace_at(above) if above else None
    if workspace is None or not find_consent(workspace) or not is_first_asked(workspace.state, "", context.event.cwd):
        return context
    return context.replied(f"Limpet: this repository does not use the project of {above}. {USE_ABOVE}")


def notice_registration(context: EventContext) -> EventContext:
    is_told = context.is_sent and not context.is_unattended
    found = context.client.faults(context.workspace, False) if is_told else ""
    return context.replied(f"Limpet: {found}") if found else context


def refuse_registration(context: EventContext) -> EventContext:
    """Refuse settings that were just changed, of which the client shows nothing, to an agent's conversation."""
    found = context.client.faults(context.workspace, True) if context.is_sent else ""
    if not found:
        return context
    from limpet.engine.steps.guard import binds

    return context.replied(verdict="deny", reason=found) if binds(context.event, context.workspace) else context
