"""Answers a tool call: judged by the guard's rules, in time, whatever is missing or broken.

Nothing is ever said of a call that is in order: the host's own mode decides then.
"""

from __future__ import annotations

import os

from limpet.engine.guard.scene import find_places, has_unreadable_story, make_scene
from limpet.engine.guard.watched import WATCH, agent_mark, effects_folder, leave_pass
from limpet.ground.config.defaults import DEFAULTS, STATE_BYTES
from limpet.ground.config.mirror import read_last_mirror
from limpet.ground.event import Event, Reply
from limpet.ground.repository import find_repository
from limpet.ground.storage.files import read_text
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.guard.call import ALLOW, Case, Scene, ToolCall, Verdict, as_client_can, read_table, strictest
from limpet.guard.judge import judge_tool_call
from limpet.guard.rules import permission, private
from limpet.guard.shell.command import Understood, words_of
from limpet.work.conversation import KEPT_OUT, has_mark
from limpet.work.session import EPOCH, FAILED, read_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from limpet.engine.event_context import EventContext
    from limpet.ground.clock import Clock


LATE = "the guard ran out of time"
SENDING = "Limpet refused to hand on {}: only a person who types it may say that. Leave it out of the text."
BROKEN = "the guard failed with {}"
UNREADABLE = "the story in force cannot be read"
ASK, DENY = "ask", "deny"
# The tools of our MCP server that keep what they are given.
KEEPING = ("remember", "finish", "back")
# The rule that lets a push through, which git's own hook would judge again.
PUSH = "authority.push"
# Stands for the agent in force where that is not known: one that owns no act.
SOMEBODY = "an agent"


class Judged(Value):
    """What the rules say of a call, and by what; ``scene``: None where it is not known; ``opaque``: whether the call
    may change files that it does not name."""

    verdict: Verdict
    scene: Scene | None = None
    retention: dict[str, Any] = DEFAULTS["retention"]
    understood: Understood | None = None
    opaque: bool = True


def judge_event(context: EventContext) -> EventContext:
    """Answer a tool call, and keep a record of it where a rule was concerned. Raise nothing."""
    call = context.client.call
    if call is None:
        return context.replace(done=True)
    if found := acting_in(call):
        said = SENDING.format(", ".join(found))
        return context.replied(said, verdict=DENY, reason=said)
    if context.event.announced:
        from limpet.work.untyped import note_untyped

        note_untyped(context.event.announced)
    is_private = has_mark(context.event.session)
    kept_out = context.replace(reply=_reply(Verdict(DENY, "", f"{KEPT_OUT}."), context.reply.message))
    if is_private and call.kind == "tool" and _keeps(call.tool):
        return kept_out
    try:
        judged = judge_call(context.event, call, context.workspace, context.clock)
    except Exception as error:
        judged = Judged(_unclear(call, BROKEN.format(type(error).__name__)))
    if is_private and _keeps_words(judged.understood):
        return kept_out
    context = context.replace(understood=judged.understood)
    if judged.scene and judged.scene.agent and judged.verdict.answer != DENY and context.is_real:
        _watch(context, judged.scene, judged.opaque)
    if not judged.verdict.rule:
        return context
    settled = _settle(context, call, judged)
    if settled.answer == "allow" and settled.rule == PUSH:
        leave_pass(context.workspace.state)
    return context.replace(reply=_reply(settled, context.reply.message))


def acting_in(call: ToolCall) -> tuple[str, ...]:
    """The commands in a text that the call hands on: whoever gets it could take it for a person's. A task for a
    subagent may speak of them, and not open with one."""
    found: list[str] = []
    for text in map(str.lstrip, call.sent):
        if "*" in text and (call.kind != "agent" or text[0] == "*"):
            from limpet.rules.format.acting import find_acting

            found += find_acting(text.partition("\n")[0] if call.kind == "agent" else text)
        if text[:1] in ("/", "$"):
            from limpet.work.slash import ACTING, read_slash

            found += ["/limpet"] if read_slash(text)[0] in ACTING else []
    return tuple(dict.fromkeys(found))


def late_answer(call: ToolCall, can_ask: Callable[[], bool]) -> Reply:
    """The answer that stands in for one that did not come in time."""
    try:
        return _reply(as_client_can(_unclear(call, LATE), can_ask))
    except Exception:
        return Reply()


def judge_call(event: Event, call: ToolCall, workspace: Workspace, clock: Clock) -> Judged:
    """A call is allowed where no rule is concerned."""
    mirror = read_last_mirror(workspace)
    if mirror is None:
        return Judged(_unclear(call, "Limpet's copy of the settings cannot be read"))
    state = read_state(workspace, event.session)
    scene = make_scene(event, find_places(workspace), mirror, state)
    understood = understand_call(call, scene.root, clock)
    judgement = judge_tool_call(call, scene, understood, text_before(call))
    verdict = strictest(judgement.verdicts)
    may_ask = call.kind == "write" and scene.permission in ("explore", "ask")
    if may_ask and verdict.answer == "allow" and has_unreadable_story(mirror, state):
        reason = f"Whether this file belongs to the work is not known: {UNREADABLE}. Run: limpet work story list"
        verdict = Verdict(ASK, "story.files", reason)
    return Judged(verdict, scene, mirror.settings["retention"], understood, judgement.opaque)


def binds(event: Event, workspace: Workspace) -> bool:
    """Whether an agent or a mode that asks is in force in the conversation, also where that cannot be read."""
    mirror, state = read_last_mirror(workspace), read_state(workspace, event.session)
    return mirror is None or private.is_bound(make_scene(event, find_places(workspace), mirror, state), read_table())


def understand_call(call: ToolCall, root: str, clock: Clock) -> Understood | None:
    """None for a call that is no shell command; no program within ``root`` is run for it."""
    if call.kind != "shell":
        return None
    from limpet.guard.shell.understand import parse_shell, understand

    def parse(text: str) -> dict[str, Any]:
        if not clock.left():
            raise TimeoutError(LATE)
        return parse_shell(text, root, clock)

    return understand(call.command, parse, call.shell, call.folder, root)


def text_before(call: ToolCall) -> str | None:
    """None for a new file and where no single file is written."""
    if call.kind != "write" or len(call.paths) != 1:
        return None
    return read_text(call.paths[0], STATE_BYTES)


def note_failed(context: EventContext) -> EventContext:
    """Keep in the epoch that a check failed; what fails in a subagent is its own affair."""
    event, epoch = context.event, context.session[EPOCH]
    command = (event.tool_input or {}).get("command")
    if event.agent_id or epoch.get(FAILED) or not isinstance(command, str):
        return context
    from limpet.engine.block.deeds import runs_tests

    call = ToolCall(kind="shell", command=command, folder=event.cwd)
    understood = understand_call(call, context.workspace.root, context.clock)
    is_check = understood is not None and runs_tests(understood)
    return context.with_session(**{EPOCH: {**epoch, FAILED: True}}) if is_check else context


def _keeps(tool: str) -> bool:
    """A tool of our MCP server that keeps what it is given: the server may not know in which conversation it is
    called. Clients put the server's name before it, each in its way."""
    return tool.endswith(KEEPING) and permission.OWN in tool


def _keeps_words(understood: Understood | None) -> bool:
    """Whether one of the commands is ours and keeps what it is given."""
    ours = [permission.words_of_ours(each.words) for each in understood.commands] if understood else []
    return any(permission.keeps_words(words, read_table()) for words in ours)


def _settle(context: EventContext, call: ToolCall, judged: Judged) -> Verdict:
    """What cannot be recorded, or has no allowance that can be read, is answered all the same."""
    from limpet.engine.guard.record import settle_call

    agent = judged.scene.agent if judged.scene else ""
    try:
        return settle_call(context, call, judged.verdict, agent, judged.retention)
    except Exception:
        return as_client_can(judged.verdict, context.client.can_ask)


def _watch(context: EventContext, scene: Scene, opaque: bool) -> None:
    """Have the repository looked at before a call that may do more than its words tell, and note who is at work while
    that is due; a failure costs that alone."""
    session = context.event.session
    if find_repository(scene.root) is None or has_mark(session):
        return
    folder = effects_folder(context.workspace.state, session)
    is_due = os.path.exists(os.path.join(folder, WATCH))
    is_noted = is_due and os.path.exists(agent_mark(folder, scene.agent))
    if is_noted or not (is_due or opaque):
        return
    from limpet.engine.guard.effects import watch

    try:
        watch(context.workspace, session, scene, context.clock)
    except Exception:
        return


def _unclear(call: ToolCall, why: str) -> Verdict:
    """Of a call of which nothing but its own words is known: asked where one of them names what some agent may not do
    (decision 42)."""
    if call.kind != "shell":
        return ALLOW
    case = Case(
        call=call,
        scene=Scene(root=call.folder, agent=SOMEBODY),
        acts=(),
        written=(),
        read=(),
        understood=Understood((), False, why, words_of(call.command)),
        before=None,
        table=read_table(),
    )
    return strictest(permission.judge_unclear(case))


def _reply(verdict: Verdict, message: str = "") -> Reply:
    if verdict.answer in (ASK, DENY):
        return Reply(message=message, verdict=verdict.answer, reason=verdict.reason)
    said = verdict.reason if verdict.rule == private.RULE else ""
    return Reply(message="\n".join(filter(None, (message, said))))
