"""What waits for a person's word, in the hook: shown to them, heard of them, and asked by the client's own question
(decision 53). Imported only where something waits, or where a word was typed."""

from __future__ import annotations

import os

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.digest import digest
from limpet.ground.processes import read_process
from limpet.ground.storage.json_lines import append_line
from limpet.ground.storage.user_folders import project_state
from limpet.ground.text.escaping import clip, visible
from limpet.ground.trust.approvals import (
    ASKED,
    OFFERED,
    TYPED,
    USED,
    is_word,
    make_word,
    read_approvals,
    remove_approval,
    seal_approval,
    take_lines,
    write_approval,
)
from limpet.work.conversation import has_mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import EventContext
    from limpet.ground.event import Event
    from limpet.ground.trust.approvals import Approval
    from limpet.guard.call import ToolCall

OURS, YES = "limpet", "*yes"
# With one of these a command is more than its words.
SIGNS = frozenset("$`;&|<>()\n\r")
WAITS = "Limpet: the agent asks for what only you may do: {}. To agree, type *yes {}. To refuse, do nothing."
OFFER = "Limpet: {} If so, type *yes {}; if not, do nothing, or: limpet review"
DONE = "Limpet did what the person agreed to by *yes, which was for Limpet alone: {}"
LATE = "Timed out. To see whether it was done, run `limpet learn proposals`."
QUESTION = "Limpet: only you may do this: {}. If you agree, it is done once."
AGAIN = "Limpet: what waits for your word is shown again, each with a new one."
NOTHING = "Limpet: nothing in this conversation waits for your word."
AGREED = "Limpet: you agreed: {}. The agent may run it once, within the hour: {}"
SEVERAL = USED + " {} times since {} ({}). The newest: {}. For each: limpet log, in its project."
# Uses of which the one line about several says what they were, and the characters of each.
NAMED, LONGEST = 5, 80
NOBODY_TYPED = "Limpet: *yes counts only where a person types it, in a client that no agent started."


def tell_approval(context: EventContext) -> EventContext:
    """Return the context with what the person is to be shown with this event: whether a typed word was taken, which
    uses were made of their word, what waits for it or is offered, each with the word by which they agree."""
    event, now = context.event, context.clock.now()
    typed = event.prompt.split("\n")[0].split() if event.kind == "prompt" else []
    is_persons = event.kind == "prompt" and not (event.nested or event.headless)
    may_offer = is_persons and not (event.agent_id or has_mark(event.session))
    lines: list[str] = []
    if typed[:1] == [YES]:
        agreed = next(
            (one for one in read_approvals(event.session, now) if may_offer and _is_offered(one, typed)), None
        )
        lines = _carry_out(context, agreed) if agreed else [_hear(event, typed[1:], now)]
        context = context.replace(notes=(*context.notes, DONE.format(lines[0]))) if agreed else context
    lines += _in_short(take_lines()) if is_persons else ()
    for one in read_approvals(event.session, now):
        if one.given == ASKED and one.call != event.tool_use_id:  # whatever the person said, the question is over
            one = _kept(event, one.replace(given="", call=""))
        if not (one.given or one.word or event.agent_id) and (may_offer or not one.orders):
            word = make_word()
            _kept(event, one.replace(word=seal_approval(word)))
            lines += [(OFFER if one.orders else WAITS).format(one.says, word), *one.lines]
            if one.orders:
                _note_offered(context, one)
    told = "\n".join(visible(" ".join(line.splitlines())) for line in lines)
    return context.replied(told) if told else context


def _is_offered(offer: Approval, typed: list[str]) -> bool:
    return bool(offer.orders and len(typed) > 1 and is_word(offer, typed[1]))


def _carry_out(context: EventContext, offer: Approval) -> list[str]:
    """Have a second process do what was offered in this project, once; return what became of it."""
    from limpet.engine.worker import run_job

    context, workspace, session = context.with_mirror(), context.workspace, context.event.session
    is_here = offer.act == digest(f"{workspace.home}\n{offer.says}", 16)
    if not (is_here and remove_approval(session, offer.act)):
        return [NOTHING]
    orders = {"command": "approve", "text": offer.orders, "session": session, "now": context.clock.now()}
    answer = run_job(workspace, "command", orders, context.patience("command_deadline"))
    return [str(line) for line in answer.get("lines", ())] if answer else [LATE]


def _note_offered(context: EventContext, offer: Approval) -> None:
    """Note that it was shown, so that it is offered once."""
    path = os.path.join(project_state(context.workspace.shared), OFFERED)
    try:
        append_line(path, offer.orders.partition(" ")[0], STATE_BYTES)
    except OSError:
        return


def _in_short(lines: tuple[str, ...]) -> list[str]:
    """Return the lines, those about uses of the person's word as one: how often, how it was given, and for what."""
    uses = [line.removeprefix(f"{USED} at ").partition(": ") for line in lines if line.startswith(USED)]
    if len(uses) < 2:
        return [*lines]
    given = [head.partition(", ")[2] for head, _, _ in uses]
    ways = ", ".join(f"{given.count(how)} {how}" for how in dict.fromkeys(given))
    said = list(dict.fromkeys(says for _, _, says in reversed(uses)))
    newest = "; ".join(clip(says, LONGEST) for says in said[:NAMED])
    since = uses[0][0].partition(", ")[0]
    return [line for line in lines if not line.startswith(USED)] + [SEVERAL.format(len(uses), since, ways, newest)]


def _hear(event: Event, typed: list[str], now: float) -> str:
    """Take a typed word: what it was shown with has the person's word from now on."""
    if event.nested or event.headless or event.agent_id:
        return NOBODY_TYPED
    waiting = read_approvals(event.session, now)
    for one in waiting:
        if typed and is_word(one, typed[0]):
            _kept(event, one.replace(given=TYPED, word=""))
            return AGREED.format(one.says, " ".join((OURS, *one.words)))
    for one in waiting:  # they are shown again with other words, so that none is found by trying
        _kept(event, one.replace(word=""))
    return AGAIN if waiting else NOTHING


def ask_client(context: EventContext) -> EventContext | None:
    """Return the context with the client's question about a command for which a person's word is needed, None for any
    other event."""
    call, event = context.client.call, context.event
    for one in read_approvals(event.session, context.clock.now()) if call and context.client.asks() else ():
        if call and not (one.given or one.reads or one.orders) and _is_that(call, one):
            this = read_process()
            if this:
                _kept(event, one.replace(given=ASKED, call=event.tool_use_id, began=this.started))
                return context.replied(verdict="ask", reason=QUESTION.format(one.says), done=True)
    return None


def _is_that(call: ToolCall, approval: Approval) -> bool:
    """Return whether a call is that command and nothing else: a word is for what the person reads."""
    if call.kind != "shell" or not call.command.lstrip().startswith(OURS) or SIGNS & {*call.command.strip()}:
        return False
    import shlex

    try:
        return tuple(shlex.split(call.command)) == (OURS, *approval.words)
    except ValueError:
        return False


def _kept(event: Event, approval: Approval) -> Approval:
    """Write it back; what cannot be written stays as it was, which is without a word."""
    try:
        write_approval(event.session, approval)
    except OSError:
        return approval
    return approval
