"""Keeps what the guard decided, without secrets, in the event log. Imported only where there is something to keep."""

from __future__ import annotations

from pathlib import Path

from holdfast.ground.digest import digest
from holdfast.ground.event_log.append import Actor
from holdfast.ground.event_log.record import record
from holdfast.ground.formats.json_text import dumps
from holdfast.ground.safety.dotenv import read_secrets
from holdfast.ground.safety.redaction import redact
from holdfast.ground.storage.names import safe_name
from holdfast.ground.text.escaping import clip
from holdfast.ground.trust.allowance import DECIDED, decision_mark, use_allowance
from holdfast.work.private import has_mark
from holdfast.work.session import TRIAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.engine.event_context import EventContext
    from holdfast.engine.guard.scene import Judged
    from holdfast.ground.event import Event
    from holdfast.ground.trust.allowance import Allowance
    from holdfast.ground.workspace import Workspace
    from holdfast.guard.call import ToolCall
    from holdfast.guard.verdict import Verdict

LONGEST = 300


def digest_of(call: ToolCall, given: dict[str, object] | None) -> str:
    """Return the digest of an act, by which it is known again; of a tool that nobody knows all its arguments count."""
    unknown = given if call.kind == "tool" else None
    parts = (call.kind, call.tool if unknown else "", call.command, call.paths, call.edits, call.folder, unknown)
    return digest(dumps(parts), 16)


def settle(context: EventContext, call: ToolCall, judged: Judged) -> Verdict:
    """Return the verdict as it counts once a person's word on this very act is heard, and keep a record of both."""
    act, verdict, now = digest_of(call, context.event.tool_input), judged.verdict, context.clock.now()
    allowed = use_allowance(context.workspace.home, act, now) if verdict.answer != "allow" else None
    if allowed:
        verdict = verdict.replace(answer="allow")
    _keep(context.event, context.workspace, judged.replace(verdict=verdict), act, now, allowed)
    return verdict


def _keep(event: Event, workspace: Workspace, judged: Judged, act: str, now: float, allowed: Allowance | None) -> None:
    """Append a decision about the act with this digest; of a private conversation, and of a trial, nothing is kept."""
    verdict = judged.verdict
    if event.session.startswith(TRIAL) or (event.session and has_mark(event.session)):
        return
    name = digest(f"{act} {now} {event.tool_use_id}", 4)
    shown = redact(clip(verdict.act, LONGEST), known=read_secrets(Path(workspace.root)))
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
    actor = Actor(
        writer=f"{event.host} hook",
        now=now,
        retention=judged.retention,
        session=event.session,
        agent=judged.agent,
        why=verdict.reason,
    )
    record(workspace, actor, DECIDED, data, safe_name(event.session) if event.session else "no-session")
