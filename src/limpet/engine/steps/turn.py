"""A turn is over: a second process hears what was said in it, the rules check what was written, and what the person
wants of such work is said again where nothing shows that it was kept."""

from __future__ import annotations

from limpet.context.values import MARK, WISHED
from limpet.engine.block import choose
from limpet.engine.block.deeds import BEGUN, COMMITTING, RUN
from limpet.engine.block.quoting import wish_line
from limpet.engine.branches import leave_branch
from limpet.engine.record import record_event
from limpet.engine.steps.capture import captures, orders_of
from limpet.engine.worker import run_job, start_job
from limpet.ground.clock import Patience, iso
from limpet.ground.text.escaping import clip
from limpet.rules.plan.plan import EXTEND, RulePlan, squad_of
from limpet.rules.plan.store import open_plan
from limpet.transcripts.tail import size_of
from limpet.work.session import EPOCH, claim, complete, is_future, read_session, read_state, session_lock, write_session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.engine.event_context import EventContext
    from limpet.work.session import Session

# Bytes by which the transcript has to grow, and the member of the state with its size at the last time.
GROWN, HEARD = 2000, "heard"
# The member of the conversation's state: when the turn began and ended, and what was found; and the epoch's, of what
# the agent was told.
CHECKED, BROKEN = "rule_checks", "broken"
MOST_TOLD = 200
# Prompts since a wish was said after which it is said again, so many at once, and how an epoch notes that.
LONG_AGO, MOST_AGAIN, AGAIN = 5, 5, "again "
SAID_BEFORE = "Before you finish: the user wants this of such work, and said so a while ago. Correct what breaks it."
LONGEST_LINE = 300
HEAD = "Limpet checked this project's rules after you wrote files."
TAIL = "Correct what breaks them, or tell the user why a rule does not apply or was not checked. You are told once."


def look_at_turn(context: EventContext) -> EventContext:
    """End the walk unless there is something to do: then the state is locked and written."""
    context = context.with_mirror()
    state = read_state(context.workspace, context.event.session)
    is_due = state and captures(context.replace(session=state)) and _has_grown(context, state)
    return context if is_due else context.replace(done=True)


def capture_turn(context: EventContext) -> EventContext:
    start_job(context.workspace, "capture", {**orders_of(context), "turn": True})
    return context.with_session(**{HEARD: size_of(context.event.transcript)})


def say_again(context: EventContext) -> EventContext:
    """Have the agent look at what the person wants of the work that this turn did, where it was said long ago and
    nothing shows that it was kept: each wish once an epoch."""
    told = context.mirror.settings["memory"]["deeds"]["at_stop"] and not context.reply.unfinished
    if not told or context.event.continuing or context.is_unattended or context.private:
        return context
    epoch, prompt = context.session[EPOCH], context.session["prompt_count"]
    sent = epoch.get("sent", {})
    begun = [name.removeprefix(BEGUN) for name, (_, at) in sent.items() if name.startswith(BEGUN) and at == prompt]
    said = {name.partition(" ")[2]: at for name, (_, at) in sent.items() if name.startswith((MARK, WISHED))}
    long_ago = {key for key, at in said.items() if at <= prompt - LONG_AGO and AGAIN + key not in sent}
    unseen = frozenset(begun).difference(RUN, COMMITTING)
    if not (unseen and long_ago):
        return context
    from limpet.engine.steps.deeds import find_wishes
    from limpet.memory.search.preferences import is_of_person

    found = [card for card in find_wishes(context, unseen) if card.id in long_ago]
    wishes = list(filter(is_of_person, found))[:MOST_AGAIN]
    if not wishes:
        return context
    lines = "\n".join(f"- {wish_line(card, ())}" for card in wishes)
    marks = {AGAIN + card.id: ["", prompt] for card in wishes}
    noted = context.with_session(**{EPOCH: {**epoch, "sent": {**sent, **marks}}})
    return noted.replied(unfinished=f"{SAID_BEFORE}\n{lines}")


def check_rules(context: EventContext) -> EventContext:
    if context.private or not context.event.session or context.event.working:
        return context
    context = context.with_mirror()
    plan = open_plan(context.workspace, str(context.mirror.settings["rules"]["match"]))
    session = _begin(context) if plan.matcher.get("checked") else None
    if session is None:
        return context
    context = context.replace(session=session, plan=plan)
    domains = _in_force(context, plan)
    if not (context.is_sent and domains):
        return context
    patience = Patience(context.clock.left(), context.clock)
    found = run_job(context.workspace, "rule_checks", _orders(context, domains), patience)
    reason = _end(context, found) if found else ""
    record_event(context)
    return context.replied(unfinished=reason)


def _has_grown(context: EventContext, state: Session) -> bool:
    heard = state.get(HEARD)
    since = heard if isinstance(heard, int) else 0
    size = size_of(context.event.transcript)
    return size - since > GROWN or size < since


def _begin(context: EventContext) -> Session | None:
    """None where another firing of the same event was first, the state is not known, or a newer version keeps it."""
    event, workspace, now = context.event, context.workspace, context.clock.now()
    with session_lock(workspace, event.session, context.lock_patience) as held:
        found, _ = read_session(workspace, event.session)
        if found is None or not held or is_future(found):
            return None
        key = f"stop {event.continuing} {size_of(event.transcript)}"
        session = claim(complete(found, event.session, event.host, event.cwd, now), key, now, lasting=False)
        if session is None:
            return None
        last = session.get(CHECKED) or {}
        since = last.get("since") if event.continuing else last.get("at")
        known = last.get("found") if event.continuing else {}
        checked = {"since": since or session["started"], "at": iso(now), "found": known or {}}
        session = leave_branch({**session, CHECKED: checked}, event)
        write_session(workspace, session)
        return session


def _end(context: EventContext, found: dict[str, Any]) -> str:
    event, workspace = context.event, context.workspace
    with session_lock(workspace, event.session, context.lock_patience) as held:
        state, _ = read_session(workspace, event.session)
        if state is None or not held:
            return ""
        session = complete(state, event.session, event.host, event.cwd, context.clock.now())
        known = session[EPOCH].get(BROKEN)
        told = known if isinstance(known, list) else []
        new = [] if event.continuing else [one for one in found["broken"] if _marks(one) - {*told}]
        marks = sorted(set().union(*(_marks(one) for one in new)) - {*told})
        epoch = {**session[EPOCH], BROKEN: [*told, *marks][-MOST_TOLD:]} if new else session[EPOCH]
        checked = {**(session.get(CHECKED) or {}), "found": found["found"]}
        write_session(workspace, {**session, EPOCH: epoch, CHECKED: checked})
    return "\n".join([HEAD, *map(_line, new), TAIL]) if new else ""


def _marks(broken: list[Any]) -> set[str]:
    """What is told of a broken rule: that it is broken in a file, whatever the line."""
    key, _, places = broken
    return {f"{key} {str(place).rpartition(':')[0] or place}" for place in places}


def _line(broken: list[Any]) -> str:
    key, text, places = broken
    return f"- {key}: {clip(text, LONGEST_LINE)} ({', '.join(map(str, places))})"


def _orders(context: EventContext, domains: list[str]) -> dict[str, Any]:
    event, checked = context.event, context.session[CHECKED]
    return {
        "since": checked["since"],
        "now": context.clock.now(),
        "host": event.host,
        "session": event.session,
        "transcript": event.transcript,
        "start": context.session["void_before"],
        "agent": context.in_force.agent,
        "domains": domains,
        "known": checked["found"],
    }


def _in_force(context: EventContext, plan: RulePlan) -> list[str]:
    matcher = plan.matcher
    active = choose.active_domains(context, plan)
    bound = {*matcher["kinds"].get("agent", ()), *matcher["kinds"].get("workflow", ())}
    brought = {*choose.triggered_by(context, plan), *choose.of_workflow(context, plan)}
    found = []
    for number in matcher.get("checked", ()):
        squad = squad_of(matcher, number)
        is_heard = squad is None or squad.mode == EXTEND or squad.id == context.in_force.squad
        if is_heard and active[number] and (number not in bound or number in brought):
            found.append(matcher["names"][number])
    return found
