"""``/limpet`` and wishes to leave: found here, acted upon by a second process, answered in this very block (decision
37)."""

from __future__ import annotations

from limpet.context.values import TypedCommand
from limpet.engine.block.choose import brought_by
from limpet.engine.commands.agent import NOT_TYPED, TELL, UNHEARD, safe_words
from limpet.engine.event_context import PREVIEW, EventContext
from limpet.engine.steps.capture import captures, orders_of
from limpet.engine.worker import run_command, run_job, start_job
from limpet.ground.storage.files import stamp
from limpet.work import slash
from limpet.work.lock import LONGEST, find_exit, is_locked, lock_line
from limpet.work.slash import read_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Answer = tuple[EventContext, tuple[str, ...]]

NAME = "limpet"
ASK = "ask"
# What a script's prompt may not have either: it quotes what nobody looked at.
PERSONS = (*slash.ACTING, slash.WHY, slash.REVIEW)
# What the agent is to do where the user asks it to move the work.
MOVES = {
    "next": "Do the next step of the work",
    "finish": "Finish the current work: a story with `limpet work story done`; a step with `limpet work finish -`, "
    "for whose form run `limpet work finish`",
    "back": 'Go back: `limpet work back --issue spec --reason "..."` (or architecture, code, test)',
}
GO_ON = "Go on with the work under way."
IDLE = "No work is active; `limpet work start` lists what can be started"
PROTOCOL = "Follow the protocol (`limpet work spec status --protocol`), starting with `limpet work spec status`."
LATE = "That failed or timed out. For the lock, run `limpet work status`; for the error, run `limpet log --hook`."
STATUS_LATE = "Timed out. Run: limpet status"
WOULD = {
    slash.ENTER: "Would lock the session if work is active, else show the commands.",
    slash.RESUME: "Would lock the session.",
    slash.EXPLAIN: "Would show the commands.",
    slash.EXIT: "Would save and unlock the session.",
}


def may_contain(prompt: str) -> bool:
    return prompt.lstrip()[:1] in slash.SIGNS


def answer_user(context: EventContext) -> EventContext:
    prompt = context.event.prompt
    verb = rest = language = ""
    is_persons = context.event.is_persons
    if may_contain(prompt):
        verb, rest = read_slash(prompt)
    if not verb and is_persons and is_locked(context.mirror.session):
        verb, language = find_exit(prompt) if len(prompt) <= LONGEST else ("", "")
    if not verb:
        return context
    if verb in PERSONS and not is_persons:
        lines: tuple[str, ...] = (TELL, UNHEARD.format(f"/{NAME}", NOT_TYPED.format(context.event.origin)))
    elif verb in (slash.FRONT, slash.UNKNOWN, *slash.EVERY_DAY):
        from limpet.engine.commands.everyday import answer_word

        context, lines = answer_word(context, verb, rest)
    else:
        context, lines = _act(context, verb, rest, language)
    return context.replace(typed=(*context.typed, TypedCommand(name=NAME, lines=lines, where="limpet help")))


def status_lines(context: EventContext) -> tuple[str, ...]:
    """Within ``hosts.command_deadline_ms``."""
    if not context.is_sent:
        return ("Would show the same as: limpet status",)
    found = run_command(context.workspace, ("status",), context.patience("command"))
    return (STATUS_LATE,) if found is None else tuple(line.rstrip() for line in found.splitlines() if line.strip())


def _act(context: EventContext, verb: str, rest: str, language: str) -> tuple[EventContext, tuple[str, ...]]:
    if verb == ASK:
        return context, (TELL, str(context.mirror.work["ask"][language]))
    if verb == slash.SPEC:
        return context, (PROTOCOL, *_wanted(rest))
    if verb in MOVES:
        return context, (_move(context, verb), *_wanted(rest))
    if verb == slash.STATUS:
        return context, (TELL, *status_lines(context))
    context, lines = _have_done(context, verb, language)
    goes_on = verb in (slash.ENTER, slash.RESUME) and bool(context.mirror.work.get("lock"))
    return context, (*((GO_ON,) if goes_on else ()), TELL, *lines)


def _move(context: EventContext, verb: str) -> str:
    following = context.mirror.work.get("next")
    if not isinstance(following, dict):
        return f"{IDLE}."
    return f"{MOVES[verb]}. Now: {following.get('words')}: `{following.get('command')}`."


def _wanted(rest: str) -> tuple[str, ...]:
    return (f"The user asked for: {rest}",) if rest else ()


def _have_done(context: EventContext, verb: str, language: str) -> tuple[EventContext, tuple[str, ...]]:
    """The block at hand knows already that the lock was taken or lifted."""
    if not context.is_sent:
        return context, (WOULD[verb],)
    orders = {
        "do": verb,
        "by": "/limpet" if may_contain(context.event.prompt) else "the user's words",
        "now": context.clock.now(),
        "session": context.event.session,
        "language": language,
    }
    answer = run_job(context.workspace, "lock", orders, context.patience("command"))
    if verb == slash.EXIT and (answer is None or answer.get("changed")):
        if captures(context):
            start_job(context.workspace, "capture", orders_of(context))
        if context.is_kept:
            start_job(context.workspace, "continuation", orders_of(context))
    if answer is None:
        return context, (LATE,)
    return _with_lock(context, answer), tuple(str(line) for line in answer.get("lines", ()))


def _with_lock(context: EventContext, answer: dict[str, object]) -> EventContext:
    """An answer that does not tell of the lock, because something went wrong, changes nothing."""
    if "lock" not in answer:
        return context
    session = {**context.mirror.session, "lock": answer.get("lock")}
    work = {**context.mirror.work, "lock": lock_line(session)}
    return context.replace(mirror=context.mirror.replace(session=session, work=work))


def take_up(context: EventContext, typed: str, is_story: bool = True) -> Answer:
    """A story, or what a task is called that is none."""
    name = safe_words(context, typed)
    answer = _read(context, name)
    task, problems = answer.get("task"), answer.get("problems")
    if isinstance(problems, list) and problems:
        return context, (f"Nothing was changed: {problems[0]}",)
    if is_story and isinstance(task, dict) and not task.get("file"):
        near = answer.get("nearest")
        meant = f"the nearest is {near}" if near else "there are no stories"
        return context, (f"Nothing was changed: no story {name}; {meant} (limpet work story list).",)
    return _with(context, name, task), (f"Task of this conversation: {name}.",)


def with_own_task(context: EventContext, name: str) -> EventContext:
    """The name alone where there is no story, or no time to read it."""
    return _with(context, name, _read(context, name).get("task"))


def with_fresh_task(context: EventContext) -> EventContext:
    """Only where the story's file is another one than then."""
    task = context.session.get("task")
    path = task.get("file") if isinstance(task, dict) else None
    if not isinstance(path, str) or not isinstance(task, dict):
        return context
    mark = stamp(path)
    if mark is not None and task.get("stamp") == [*mark]:
        return context
    return with_own_task(context, str(task.get("id") or task.get("title") or ""))


def start_workflow(context: EventContext, typed: str) -> Answer:
    from limpet.work.pipeline.workflow import find_workflow_file, name_of, names_and_aliases, plain_name

    name = safe_words(context, typed)
    file = find_workflow_file(context.workspace, name)
    if file:
        known = name_of(file[0])
        if plain_name(context.in_force.workflow) == known:
            return context, (f"Workflow {known} is already active.",)
        whole = f"Nothing was changed: {known} has steps, so it would change the project's pipeline."
        return context, (whole, f"To start it for the project, run `limpet work start {known}`.")
    assert context.plan is not None
    if brought_by(name, context.plan):
        return context.with_session(workflow=name), (f"Workflow of this conversation: {name}; it has rules only.",)
    from limpet.ground.formats.schema import nearest

    near = nearest(name, names_and_aliases(context.workspace))
    return context, (f"Unknown workflow {name}{near}. Run `limpet work start`.",)


def _read(context: EventContext, name: str) -> dict[str, Any]:
    if context.event.host == PREVIEW:
        return {}
    return run_job(context.workspace, "task", {"task": name}, context.patience("command")) or {}


def _with(context: EventContext, name: str, task: object) -> EventContext:
    return context.with_session(task=task if isinstance(task, dict) and task.get("file") else name)
