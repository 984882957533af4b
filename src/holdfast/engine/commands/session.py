"""``/holdfast`` and wishes to leave: found here, acted upon by a second process, answered in this very block (decision
37)."""

from __future__ import annotations

from holdfast.context.values import Typed
from holdfast.engine.commands.opening import TELL
from holdfast.engine.event_context import PREVIEW
from holdfast.engine.steps.capturing import captures, what_to_capture
from holdfast.engine.worker import run_job, start_job
from holdfast.work.lock.lock import is_locked
from holdfast.work.session import TRIAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.engine.event_context import Turn

    Answer = tuple[Turn, tuple[Typed, ...]]

NAME = "holdfast"
RESUME, STATUS, HELP, EXIT, SPEC, ASK = "resume", "status", "help", "exit", "spec", "ask"
PROTOCOL = "Follow the protocol: `holdfast spec protocol` prints it; it begins with `holdfast spec status`."
LATE = "That failed or took too long: see `holdfast lock` whether it was done, `holdfast debug` for what failed."
WOULD = {
    RESUME: "Would take the session lock.",
    STATUS: "Would show where the work stands.",
    HELP: "Would show what can be typed.",
    EXIT: "Would save the session and lift the lock.",
}


def may_contain(prompt: str) -> bool:
    """Whether the prompt may be ``/holdfast``, at a glance."""
    return prompt.lstrip()[:1] == "/"


def answer_user(turn: Turn) -> Answer:
    """The turn after what the user wants of the session itself, and the answer for the block, if that is it."""
    prompt = turn.event.prompt
    verb, rest, language = _slash(prompt) if may_contain(prompt) else ("", "", "")
    if not verb and is_locked(turn.mirror.session):
        verb, language = _wish(prompt)
    if not verb:
        return turn, ()
    turn, lines = _act(turn, verb, rest, language)
    return turn, (Typed(name=NAME, lines=lines, where="holdfast lock"),)


def _slash(prompt: str) -> tuple[str, str, str]:
    from holdfast.work.lock.slash import read_slash

    return (*read_slash(prompt), "")


def _wish(prompt: str) -> tuple[str, str]:
    from holdfast.work.lock.exits import LONGEST, find_exit

    return find_exit(prompt) if len(prompt) <= LONGEST else ("", "")


def _act(turn: Turn, verb: str, rest: str, language: str) -> tuple[Turn, tuple[str, ...]]:
    if verb == ASK:
        return turn, (TELL, str(turn.mirror.work["ask"][language]))
    if verb == SPEC:
        return turn, (PROTOCOL, *((f"The user asked for: {rest}",) if rest else ()))
    turn, lines = _have_done(turn, verb, language)
    return turn, (TELL, *lines)


def _have_done(turn: Turn, verb: str, language: str) -> tuple[Turn, tuple[str, ...]]:
    """The lock taken, lifted or shown, or help given; the block at hand knows already."""
    if turn.event.host == PREVIEW or turn.event.session.startswith(TRIAL):
        return turn, (WOULD[verb],)
    orders = {
        "do": verb,
        "by": "/holdfast" if may_contain(turn.event.prompt) else "the user's words",
        "now": turn.clock.now(),
        "session": turn.event.session,
        "language": language,
    }
    answer = run_job(turn.workspace, "lock", orders, turn.mirror.settings["hosts"]["command_deadline_ms"] / 1000)
    if verb == EXIT and (answer is None or answer.get("changed")):
        _keep_what_was_said(turn)
    if answer is None:
        return turn, (LATE,)
    return _with_lock(turn, answer), tuple(str(line) for line in answer.get("lines", ()))


def _keep_what_was_said(turn: Turn) -> None:
    orders = what_to_capture(turn)
    if captures(turn):
        start_job(turn.workspace, "capture", orders)
    start_job(turn.workspace, "continuation", orders)


def _with_lock(turn: Turn, answer: dict[str, object]) -> Turn:
    """The turn with the lock as it is now; an answer that does not tell, for something went wrong, changes nothing."""
    from holdfast.work.lock.lock import lock_line

    if "lock" not in answer:
        return turn
    session = {**turn.mirror.session, "lock": answer.get("lock")}
    work = {**turn.mirror.work, "lock": lock_line(session)}
    return turn.replace(mirror=turn.mirror.replace(session=session, work=work))
