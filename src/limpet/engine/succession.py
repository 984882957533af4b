"""What was set in a window lasts over the conversations in it, or its end is said; and what is in force changes in no
silence. Separate from ``session``, which keeps what one conversation did."""

from __future__ import annotations

from limpet.engine.event_context import NOWHERE
from limpet.ground.event_log import event_data, newest_first
from limpet.ground.text.escaping import clip
from limpet.work.conversation import read_private
from limpet.work.in_force import CONVERSATION_KEYS
from limpet.work.session import new_session, read_state, write_session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import EventContext
    from limpet.ground.workspace import Workspace
    from limpet.work.session import Session

GOES_ON = "Limpet: set in the conversation before, and still in force: {}."
OVER = "Limpet: the conversation before had {}. That ended with it."
AT_WORK = "Limpet: {} is at work now."
NOBODY = "no role"
BY_HAND = "No command of Limpet's did that. To see what did, run limpet log."
# Fields of a conversation's state that a person sets for their window, and how they are called.
NAMES = {own: name.removeprefix("current_") for name, own in CONVERSATION_KEYS.items()}
OVERRIDES = "overrides"
# The agent in force at the newest prompt, and when that was.
ROLE, ROLE_AT = "role", "role_at"
# Events that change it begin with one of these.
KINDS = ("agent.", "work.")
# Their members that name whom the work reached, before the one who left.
REACHED = ("next", "to", "to_agent", "agent")
# Lines of a log that are looked at.
MOST = 200


def carried_from(workspace: Workspace, session: str) -> Session:
    """What was set in a conversation, and with which agent in force it ended."""
    before = read_state(workspace, session) if session else {}
    return {name: before[name] for name in (*NAMES, OVERRIDES, ROLE, ROLE_AT) if before.get(name)}


def carry_on(context: EventContext) -> EventContext:
    """A conversation that begins in a window has what was set there, one that is resumed has its own."""
    kept = carried_from(context.workspace, context.event.follows)
    if not context.fresh:
        kept = {name: value for name, value in kept.items() if context.session.get(name) != value}
        before = read_private(context.event.follows)
        return _told(context, OVER, kept, ("*private",) if before and before.paused else ())
    return _told(context.with_session(**kept), GOES_ON, kept)


def carry_unheard(context: EventContext) -> None:
    """What was set binds a private conversation too, of which nothing else is kept."""
    event, workspace = context.event, context.workspace
    is_ours = workspace is not NOWHERE and not workspace.stranger
    kept = carried_from(workspace, event.follows) if is_ours else {}
    if not kept or read_state(workspace, event.session):
        return
    begun = new_session(event.session, event.host, event.cwd, context.clock.now())
    try:
        write_session(workspace, {**begun, **kept})
    except OSError:
        return


def tell_role(context: EventContext) -> EventContext:
    """Where another agent is in force than at the prompt before, which this one does not choose yet."""
    before, now = context.session.get(ROLE), context.in_force.agent
    if not isinstance(before, str) or before == now:
        return context
    line = AT_WORK.format(now or NOBODY)
    if not _has_cause(context, now):
        line = f"{line} {BY_HAND}"
    return context.replace(told=(*context.told, line))


def _told(context: EventContext, says: str, kept: Session, more: tuple[str, ...] = ()) -> EventContext:
    said = [*more, *(f"{NAMES[name]} {_words(value)}" for name, value in kept.items() if name in NAMES)]
    overrides = kept.get(OVERRIDES) or {}
    said += [f"{name} {'on' if on else 'off'}" for name, on in overrides.items()]
    return context.replace(told=(*context.told, says.format(", ".join(said)))) if said else context


def _words(value: object) -> str:
    told = value.get("title") or value.get("id") if isinstance(value, dict) else value
    return clip(str(told), 60)


def _has_cause(context: EventContext, now: str) -> bool:
    """Whether a command of Limpet's brought it about since the prompt before."""
    since = str(context.session.get(ROLE_AT) or context.session.get("last_activity") or "")
    for events in newest_first(context.workspace.shared, ""):
        for _, event in zip(range(MOST), events, strict=False):
            data = event_data(event)
            named = next((data[name] for name in REACHED if name in data), event.get("agent")) or ""
            is_ours = str(event.get("kind") or "").startswith(KINDS) and named == now
            if is_ours and str(event.get("time") or "") >= since:
                return True
    return False
