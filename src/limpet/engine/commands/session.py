"""``/limpet`` and wishes to leave: found here, acted upon by a second process, answered in this very block (decision
37)."""

from __future__ import annotations

from limpet.context.values import Typed
from limpet.engine.commands.opening import TELL
from limpet.engine.steps.capture import captures, orders_of
from limpet.engine.worker import run_command, run_job, start_job
from limpet.work.lock.lock import is_locked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import EventContext

NAME = "limpet"
ENTER, RESUME, STATUS, HELP, EXIT, SPEC, ASK = "enter", "resume", "status", "help", "exit", "spec", "ask"
# What the agent is to do where the user asks it to move the work.
MOVES = {
    "next": "Do the next step of the work",
    "finish": "Finish the current work: a story with `limpet story done`; a step with `limpet work finish -`, "
    "for whose form run `limpet work finish`",
    "back": 'Go back: `limpet work back --issue spec --reason "..."` (or architecture, code, test)',
}
IDLE = "No work is active; `limpet work start` lists what can be started"
PROTOCOL = "Follow the protocol (`limpet spec protocol`), starting with `limpet spec status`."
LATE = "That failed or timed out. For the lock, run `limpet lock`; for the error, run `limpet debug`."
WOULD_SHOW = "Would show the same as: limpet status"
STATUS_LATE = "Timed out. Run: limpet status"
WOULD = {
    ENTER: "Would lock the session if work is active, else show the commands.",
    RESUME: "Would lock the session.",
    STATUS: "Would show the state of the work.",
    HELP: "Would show the commands.",
    EXIT: "Would save and unlock the session.",
}


def may_contain(prompt: str) -> bool:
    """Return whether the prompt may be ``/limpet``, at a glance."""
    return prompt.lstrip()[:1] in ("/", "$")


def answer_user(context: EventContext) -> EventContext:
    """Return the context after what the user wants of the session itself, with the answer, if that is it."""
    prompt = context.event.prompt
    verb, rest, language = _slash(prompt) if may_contain(prompt) else ("", "", "")
    if not verb and is_locked(context.mirror.session):
        verb, language = _wish(prompt)
    if not verb:
        return context
    context, lines = _act(context, verb, rest, language)
    return context.replace(typed=(*context.typed, Typed(name=NAME, lines=lines, where="limpet lock")))


def status_lines(context: EventContext) -> tuple[str, ...]:
    """Return the lines of the command, within ``hosts.command_deadline_ms``."""
    if not context.is_sent:
        return (WOULD_SHOW,)
    found = run_command(context.workspace, ("status",), context.patience("command_deadline"))
    return (STATUS_LATE,) if found is None else tuple(line.rstrip() for line in found.splitlines() if line.strip())


def _slash(prompt: str) -> tuple[str, str, str]:
    from limpet.work.lock.slash import read_slash

    return (*read_slash(prompt), "")


def _wish(prompt: str) -> tuple[str, str]:
    from limpet.work.lock.exits import LONGEST, find_exit

    return find_exit(prompt) if len(prompt) <= LONGEST else ("", "")


def _act(context: EventContext, verb: str, rest: str, language: str) -> tuple[EventContext, tuple[str, ...]]:
    if verb == ASK:
        return context, (TELL, str(context.mirror.work["ask"][language]))
    if verb == SPEC:
        return context, (PROTOCOL, *_wanted(rest))
    if verb in MOVES:
        return context, (_move(context, verb), *_wanted(rest))
    context, lines = _have_done(context, verb, language)
    if verb == STATUS and context.is_sent:
        lines += status_lines(context)
    return context, (TELL, *lines)


def _move(context: EventContext, verb: str) -> str:
    """Return what the agent is to do to move the work, with what comes next in it."""
    following = context.mirror.work.get("next")
    if not isinstance(following, dict):
        return f"{IDLE}."
    return f"{MOVES[verb]}. Now: {following.get('words')}: `{following.get('command')}`."


def _wanted(rest: str) -> tuple[str, ...]:
    return (f"The user asked for: {rest}",) if rest else ()


def _have_done(context: EventContext, verb: str, language: str) -> tuple[EventContext, tuple[str, ...]]:
    """Return the lock taken, lifted or shown, or help given; the block at hand knows already."""
    if not context.is_sent:
        return context, (WOULD[verb],)
    orders = {
        "do": verb,
        "by": "/limpet" if may_contain(context.event.prompt) else "the user's words",
        "now": context.clock.now(),
        "session": context.event.session,
        "language": language,
    }
    answer = run_job(context.workspace, "lock", orders, context.patience("command_deadline"))
    if verb == EXIT and (answer is None or answer.get("changed")):
        _keep_what_was_said(context)
    if answer is None:
        return context, (LATE,)
    return _with_lock(context, answer), tuple(str(line) for line in answer.get("lines", ()))


def _keep_what_was_said(context: EventContext) -> None:
    orders = orders_of(context)
    if captures(context):
        start_job(context.workspace, "capture", orders)
    if context.is_kept:
        start_job(context.workspace, "continuation", orders)


def _with_lock(context: EventContext, answer: dict[str, object]) -> EventContext:
    """Return the context with the lock as it is now; an answer that does not tell, because something went wrong,
    changes nothing."""
    from limpet.work.lock.lock import lock_line

    if "lock" not in answer:
        return context
    session = {**context.mirror.session, "lock": answer.get("lock")}
    work = {**context.mirror.work, "lock": lock_line(session)}
    return context.replace(mirror=context.mirror.replace(session=session, work=work))
