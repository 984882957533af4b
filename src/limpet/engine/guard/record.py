"""Keeps what the guard decided, without secrets, in the event log. Imported only where there is something to keep."""

from __future__ import annotations

from limpet.ground.digest import digest, safe_name
from limpet.ground.event_log import Actor
from limpet.ground.formats.json_text import dumps
from limpet.ground.recording import record
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.safety.redaction import redact
from limpet.ground.text.escaping import clip, on_one_line
from limpet.ground.trust.allowance import DECIDED, decision_mark, is_first_asked, use_allowance
from limpet.guard.call import ToolCall, Verdict, as_client_can
from limpet.work.conversation import has_mark
from limpet.work.session import TRIAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.engine.event_context import EventContext

LONGEST = 300
# The answer to what had happened already.
TOLD = "told"


def digest_of(call: ToolCall, given: dict[str, object] | None) -> str:
    """An act is known again by its digest; of a tool that nobody knows all its arguments count."""
    unknown = given if call.kind == "tool" else None
    parts = (call.kind, call.tool if unknown else "", call.command, call.paths, call.edits, call.folder, unknown)
    return digest(dumps(parts), 16)


def settle_call(
    context: EventContext, call: ToolCall, verdict: Verdict, agent: str, retention: dict[str, Any]
) -> Verdict:
    """Return the verdict as it counts once a person's word on this very act is heard, and keep a record of both; of a
    private conversation, and of a trial, none is kept. ``retention``: the settings' section of that name."""
    event, workspace, now = context.event, context.workspace, context.clock.now()
    act = digest_of(call, event.tool_input)
    allowed = use_allowance(workspace.state, act, now) if verdict.answer != "allow" else None
    is_kept = not (event.session.startswith(TRIAL) or (event.session and has_mark(event.session)))
    is_asked = not allowed and verdict.answer == "ask" and verdict.once and event.session and is_kept
    if is_asked and not is_first_asked(workspace.state, event.session, verdict.once):
        return verdict.replace(answer="allow")
    verdict = verdict.replace(answer="allow") if allowed else as_client_can(verdict, context.client.can_ask)
    if not is_kept:
        return verdict
    name = digest(f"{act} {now} {event.tool_use_id}", 4)
    shown = redact(clip(verdict.act, LONGEST), known=read_secrets(workspace.root))
    data = {
        "id": name,
        "answer": verdict.answer,
        "rule": verdict.rule,
        "act": shown,
        "target": clip(verdict.target, LONGEST),
        "delegate": verdict.agent,
        "tool": event.tool,
        "digest": act,
        "mark": decision_mark(name, act, shown),
        **({"allowed": allowed.record, "allowed_because": allowed.reason} if allowed else {}),
    }
    _record(context, data, agent, retention, verdict.reason)
    return verdict


def record_effects(context: EventContext, effects: tuple[tuple[str, str, str], ...], agent: str) -> None:
    """``effects``: (rule, what it says, target) of each."""
    retention = context.mirror.settings["retention"]
    for rule, says, target in effects:
        data = {"answer": TOLD, "rule": rule, "target": clip(on_one_line(target), LONGEST)}
        _record(context, data, agent, retention, on_one_line(says))


def _record(context: EventContext, data: dict[str, Any], agent: str, retention: dict[str, Any], why: str) -> None:
    event = context.event
    actor = Actor(
        writer=f"{event.host} hook",
        now=context.clock.now(),
        retention=retention,
        session=event.session,
        agent=agent,
        why=why,
    )
    record(context.workspace, actor, DECIDED, data, safe_name(event.session) if event.session else "no-session")
