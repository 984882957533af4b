"""What a person says to Limpet itself, acted upon in the hook: their word for what waits for it, which is shown to
them, heard of them, and asked by the client's own question (decision 53); and the switch of privacy.

Separate from ``steps.person``, which asks at a glance whether there is anything to act on.
"""

from __future__ import annotations

import os

from limpet.engine.commands.agent import NOT_TYPED, SWITCHED, UNHEARD
from limpet.engine.event_context import NOWHERE, EventContext
from limpet.engine.record import record_private
from limpet.engine.succession import carry_unheard
from limpet.ground.clock import iso
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.digest import digest
from limpet.ground.event import SCRIPT
from limpet.ground.own_name import is_own_name
from limpet.ground.processes import read_process
from limpet.ground.storage.json_lines import append_line
from limpet.ground.storage.user_folders import NAME
from limpet.ground.text.escaping import clip, visible
from limpet.ground.trust.approvals import (
    ASKED,
    OFFERED,
    TYPED,
    USED,
    YES,
    Approval,
    is_word,
    make_word,
    read_approvals,
    remove_approval,
    seal_approval,
    take_lines,
    write_approval,
)
from limpet.rules.format.domain import PRIVATE, RESERVED, find_commands, is_close
from limpet.transcripts.registry import usage_of
from limpet.work.conversation import MARKS, OPENING, STARS, Private, any_private, has_mark, read_private, write_private
from limpet.work.session import read_state, reopen_epoch
from limpet.work.slash import read_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.ground.event import Event
    from limpet.guard.call import ToolCall

# With one of these a command is more than its words.
SIGNS = frozenset("$`;&|<>()\n\r")
WAITS = "Limpet: the agent asks for what only you may do: {}. To agree, type *yes {}. To refuse, do nothing."
BESIDE = "Limpet: beside that still waits, for the word that you were shown before: {}."
OFFER = "Limpet: {} If so, type *yes {}; if not, do nothing, or: limpet review"
DONE = "Limpet did what the person agreed to by *yes, which was for Limpet alone: {}"
LATE = "Timed out. To see whether it was done, run `limpet learn proposals`."
QUESTION = "Limpet: only you may do this: {}. If you agree, it is done once."
AGAIN = "Limpet: what waits for your word is shown again, each with a new one."
NOTHING = "Limpet: nothing in this conversation waits for your word."
UNKEPT = "Limpet: your word cannot be kept: the user's state folder is not writable (limpet doctor)."
AGREED, ONCE = "Limpet: you agreed: {}.", " The agent may run it once, within the hour: "
SEVERAL = USED + " {} times since {} ({}). The newest: {}. For each: limpet log, in its project."
# Uses of which the one line about several says what they were, and the characters of each.
NAMED, LONGEST = 5, 80
# Of the switch of privacy.
PAUSED = "Limpet is paused for this conversation: nothing is sent or kept. *private off ends it."
RESUMED = (
    "Limpet sends rules and memories again. It still keeps nothing from this conversation, because part of this "
    "conversation is private."
)
NAMELESS = "Limpet was not paused: the client does not name this conversation."
ASKED_BACK = "Limpet is not paused. To pause it, type *private."
UNSAVED = "Limpet was not paused: its state folder cannot be written. Run: limpet doctor"
UNLIFTED = "Limpet is still paused: its state folder cannot be written. Run: limpet doctor"
IDLE = "Limpet is paused for this conversation: {} did nothing. *private off ends it."
# What may follow the word, what closes quoting marks, and what people add to the word alone.
_POINTS, _CLOSING = ".,;:!?()-=/", MARKS.strip() + STARS
_AFTER = " \t\r.,;:!?)" + _CLOSING
_ADDED = {"mode", "on", "off", "now", "please", "chat", "session", "conversation"}
OFF, NEAR = "off", "near"


def tell_approval(context: EventContext) -> EventContext:
    """What is shown waits for the person's word, was done by it, or is offered, each with the word to agree by."""
    event, now = context.event, context.clock.now()
    typed = event.prompt.split("\n")[0].split() if event.kind == "prompt" else []
    is_persons = event.kind == "prompt" and event.is_persons
    may_offer = is_persons and not has_mark(event.session)
    lines: list[str] = []
    if typed[:1] == [YES]:
        offered = read_approvals(event.session, now) if may_offer and len(typed) > 1 else ()
        agreed = next((one for one in offered if one.orders and is_word(one, typed[1])), None)
        if agreed:
            lines = _carry_out(context, agreed)
            context = context.noted(DONE.format(lines[0]))
        else:
            said, command = _hear(event, typed[1:], now)
            lines, context = [said], context.replace(may_run=command)
    lines += _in_short(take_lines()) if is_persons else ()
    found = read_approvals(event.session, now)
    before = [one.says for one in found if one.word and not (one.given or one.orders)]
    for one in found:
        if one.given == ASKED and one.call != event.tool_use_id:  # whatever the person said, the question is over
            one = one.replace(given="", call="")
            _keep(event, one)
        if not (one.given or one.word or event.agent_id) and (may_offer or not one.orders):
            word = make_word()
            _keep(event, one.replace(word=seal_approval(word)))
            lines += [(OFFER if one.orders else WAITS).format(one.says, word), *one.lines]
            if one.orders:
                _note_offered(context, one)
            elif before:
                lines.append(BESIDE.format("; ".join(before)))
    told = "\n".join(visible(" ".join(line.splitlines())) for line in lines)
    return context.replied(told) if told else context


def ask_client(context: EventContext) -> EventContext | None:
    """Have the client ask about a command for which a person's word is needed; None for any other event."""
    call, event = context.client.call, context.event
    for one in read_approvals(event.session, context.clock.now()) if call and context.client.asks() else ():
        if call and not (one.given or one.reads or one.orders) and _is_that(call, one):
            this = read_process()
            if this:
                _keep(event, one.replace(given=ASKED, call=event.tool_use_id, began=this.started))
                return context.replied(verdict="ask", reason=QUESTION.format(one.says), done=True)
    return None


def pass_privacy(context: EventContext) -> EventContext:
    """The switch is the user's: it acts in a project that is not trusted too, and where there is none."""
    event, now = context.event, iso(context.clock.now())
    private = read_private(event.session) or _inherit(event)
    typed = read_switch(event.prompt)
    # A script's own conversation may be private; nothing but a person's word makes one less so.
    if typed in (PRIVATE, OFF) and not (event.is_persons or (typed == PRIVATE and event.origin == SCRIPT)):
        typed, unheard = "", UNHEARD.format(f"*{PRIVATE}", NOT_TYPED.format(event.origin))
        context = context.replied(unheard)
    if typed == OFF:
        return _resume(context, private)
    if typed == PRIVATE and not event.session:
        return context.replied(NAMELESS, done=True)
    if typed == PRIVATE:
        if private is None:
            _hear_before(context)
        private = private or Private(since=now)
        if not _write(event, private.replace(until="", told=True)):
            return context.replied(UNSAVED, done=True)
    elif private is None or not private.paused:
        return _beside(context, ASKED_BACK if typed else "", private)
    else:
        _write(event, private.replace(told=private.told or event.kind == "prompt"))
        if event.follows:
            carry_unheard(context)
    record_private(context)
    return context.replied(PAUSED if typed else _message(event, private), done=True)


def _hear_before(context: EventContext) -> None:
    """What was said before the pause stays: it is heard now, or never."""
    if context.workspace is NOWHERE or context.workspace.stranger:
        return
    from limpet.engine.steps.capture import captures, orders_of
    from limpet.engine.worker import run_job

    context = context.with_mirror()
    context = context.replace(session=read_state(context.workspace, context.event.session))
    if captures(context):
        orders = {**orders_of(context), "turn": True, "pausing": f"{context.event.prompt_id} {context.event.prompt}"}
        run_job(context.workspace, "capture", orders, context.patience("capture"))


def read_switch(prompt: str) -> str:
    """Return which switch opens the prompt, PRIVATE or OFF, NEAR for what resembles one, "" for none: no text pasted
    further down can flip it. Compatible characters count as the plain ones, those without a width as none. Between
    quoting marks the word has to stand alone or with ``off``: beside more it may be quoted. A quotation
    ends nothing."""
    opening = prompt.lstrip()[:OPENING]
    verb, rest = read_slash(opening.partition("\n")[0])
    if verb == PRIVATE:
        opening = f"{STARS[0]}{PRIVATE} {rest}"
    if not opening.isascii():
        from unicodedata import category, normalize

        opening = "".join(each for each in normalize("NFKC", opening) if category(each) not in ("Cf", "Mn")).lstrip()
    line, _, below = opening.lstrip(MARKS).partition("\n")
    typed = line.lstrip(f"{STARS}/ \t")
    before = line[: len(line) - len(typed)]
    after = typed.lstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
    word = typed[: len(typed) - len(after)].lower()
    words = [plain for each in after.lower().split() if (plain := each.strip(MARKS + STARS + _POINTS))]
    is_switch = before == "/" or (before and not before.strip(STARS))
    if word == PRIVATE and is_switch and (after[:1] in _AFTER or not after[:1].isascii()):
        is_marked = opening[:1] != line[:1] or len(before) > 1 or (after[:1] in _CLOSING and after != "")
        is_off = words[:1] == [OFF]
        is_quoted = is_off and ">" in opening.partition(line)[0]
        if is_quoted or (is_marked and words not in ([], [OFF])):
            return NEAR
        return OFF if is_off else PRIVATE
    is_alone = word == PRIVATE and {*words} <= _ADDED and (before or not below.strip())
    return NEAR if is_alone or (before and word != PRIVATE and is_close(word, PRIVATE)) else ""


def _carry_out(context: EventContext, offer: Approval) -> list[str]:
    """Once, by a second process; return what became of it."""
    from limpet.engine.worker import run_job

    context, workspace, session = context.with_mirror(), context.workspace, context.event.session
    is_here = offer.act == digest(f"{workspace.home}\n{offer.says}", 16)
    if not (is_here and remove_approval(session, offer.act)):
        return [NOTHING]
    orders = {"command": "approve", "text": offer.orders, "session": session, "now": context.clock.now()}
    answer = run_job(workspace, "command", orders, context.patience("command"))
    return [str(line) for line in answer.get("lines", ())] if answer else [LATE]


def _note_offered(context: EventContext, offer: Approval) -> None:
    path = os.path.join(context.workspace.data, OFFERED)
    try:
        append_line(path, offer.orders.partition(" ")[0], STATE_BYTES)
    except OSError:
        return


def _in_short(lines: tuple[str, ...]) -> list[str]:
    """Those about uses of the person's word become one line: how often, how it was given, and for what."""
    uses = [line.removeprefix(f"{USED} at ").partition(": ") for line in lines if line.startswith(USED)]
    if len(uses) < 2:
        return [*lines]
    given = [head.partition(", ")[2] for head, _, _ in uses]
    ways = ", ".join(f"{given.count(how)} {how}" for how in dict.fromkeys(given))
    said = list(dict.fromkeys(says for _, _, says in reversed(uses)))
    newest = "; ".join(clip(says, LONGEST) for says in said[:NAMED])
    since = uses[0][0].partition(", ")[0]
    return [line for line in lines if not line.startswith(USED)] + [SEVERAL.format(len(uses), since, ways, newest)]


def _hear(event: Event, typed: list[str], now: float) -> tuple[str, str]:
    """What the person is told, and the command that they agreed to, quoted for a shell, "" for none."""
    if not event.is_persons:
        return UNHEARD.format(YES, NOT_TYPED.format(event.origin)), ""
    waiting = read_approvals(event.session, now)
    for one in waiting:
        if typed and is_word(one, typed[0]):
            if not _keep(event, one.replace(given=TYPED, word="")):
                return UNKEPT, ""
            import shlex

            command = shlex.join((NAME, *one.words))
            return AGREED.format(one.says) + ONCE + command, command
    for one in waiting:  # they are shown again with other words, so that none is found by trying
        _keep(event, one.replace(word=""))
    return (AGAIN if waiting else NOTHING), ""


def _is_that(call: ToolCall, approval: Approval) -> bool:
    """The call has to be that command and nothing else: a word is for what the person reads."""
    if call.kind != "shell" or SIGNS & {*call.command.strip()}:
        return False
    import shlex

    try:
        first, *words = shlex.split(call.command) or [""]
    except ValueError:
        return False
    return is_own_name(first) and tuple(words) == approval.words


def _keep(event: Event, approval: Approval) -> bool:
    try:
        write_approval(event.session, approval)
    except OSError:
        return False
    return True


def _resume(context: EventContext, private: Private | None) -> EventContext:
    """The window may have been compacted meanwhile, so all that holds is sent again."""
    event = context.event
    if private is None or not private.paused:
        return _beside(context, SWITCHED, private)
    if not _write(event, private.replace(until=iso(context.clock.now()))):
        return context.replied(UNLIFTED, done=True)
    if context.workspace is not NOWHERE:
        reopen_epoch(context.workspace, event.session)
    return _beside(context, RESUMED, private)


def _beside(context: EventContext, message: str, private: Private | None) -> EventContext:
    is_all = bool(message) and (context.workspace is NOWHERE or bool(context.workspace.stranger))
    return context.replied(message, done=is_all).replace(private=private is not None)


def _write(event: Event, private: Private) -> bool:
    prompts = (event.prompt_id,) if event.prompt_id and event.prompt_id not in private.prompts else ()
    marked = private.replace(prompts=(*private.prompts, *prompts))
    try:
        write_private(event.session, marked)
    except OSError:
        return False
    return True


def _inherit(event: Event) -> Private | None:
    """A fork has the words of the conversation that it comes from, and one that begins in a window only its pause;
    one that is resumed there has its own."""
    if not any_private() or event.source == "resume":
        return None
    found = read_private(event.follows)
    if event.source == "fork":
        usage = usage_of(event.host)
        parent = usage.find_parent(event.transcript, event.context_tokens or 0) if usage else ""
        found = read_private(usage.session_of(parent)) if usage and parent else found
    elif found and not found.paused:
        return None
    inherited = found.replace(told=False) if found else None
    if inherited:
        _write(event, inherited)
    return inherited


def _message(event: Event, private: Private) -> str:
    text = event.prompt.lstrip()
    if read_slash(text[:OPENING])[0]:
        return IDLE.format(text.split()[0])
    typed = find_commands(text.partition("\n")[0], RESERVED) if text.startswith("*") else ()
    if typed:
        return IDLE.format(f"*{typed[0].name}")
    return "" if private.told or event.kind != "prompt" else PAUSED
