"""The jobs of the second process, which ``engine.worker`` starts: it has site-packages and time where the hook has
neither. Separate from what they do, because each imports only what it needs: the hook waits for some of them.

``job(workspace, orders) -> answer``. Orders come on stdin and the answer goes to stdout, both as JSON. ``orders`` has
``now`` in seconds since 1970, and mostly ``session``, the conversation that the hook speaks for.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from limpet.engine.record import record_crash
from limpet.ground.clock import Clock, seconds_of
from limpet.ground.errors import LimpetError
from limpet.ground.event import Event
from limpet.ground.processes import Deadline
from limpet.ground.trust.approvals import TYPED
from limpet.ground.workspace import Workspace, bound_to, workspace_at

if TYPE_CHECKING:
    from limpet.memory.extraction import Answered, ExtractionPrompt
    from limpet.operations.caller import Caller

Orders = dict[str, Any]
Answer = dict[str, Any]


def main(home: str, job: str, state: str) -> None:
    """Run a job for the ``.limpet`` folder ``home`` and a worktree's ``state``; a failure goes into the metrics,
    nothing onto stderr."""
    workspace = bound_to(workspace_at(os.path.dirname(os.path.abspath(home))), state)
    longest = JOBS[job][1]
    late = TimeoutError(f"timed out after {longest} s")
    with Deadline(longest, lambda: record_crash(workspace, Event(kind=f"job {job}", host=""), late, Clock())):
        _run(workspace, job)


def _run(workspace: Workspace, job: str) -> None:
    sys.addaudithook(_refuse_to_make({workspace.home, workspace.data} - {workspace.root}))
    orders: Orders = json.load(sys.stdin)
    try:
        answer = JOBS[job][0](workspace, orders)
    except Exception as error:
        session = str(orders.get("session") or "")
        record_crash(workspace, Event(kind=f"job {job}", host="", session=session), error, Clock())
        sys.exit(1)
    with suppress(OSError):  # nobody may be waiting any more
        print(json.dumps(answer), flush=True)


def _refuse_to_make(homes: set[str]) -> Callable[[str, tuple[Any, ...]], None]:
    """What a person deletes of a project while the job runs stays deleted."""

    def refuse(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "os.mkdir" and os.path.abspath(os.fsdecode(arguments[0])) in homes:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), arguments[0])

    return refuse


def refresh_sources(workspace: Workspace, orders: Orders) -> Answer:
    """What was said until now is heard first. Memories are ``unread`` because the time was over: the next one continues
    them."""
    from limpet.operations.memory.conversations.conversation import find_unheard
    from limpet.operations.memory.upkeep import refresh_personal
    from limpet.operations.project import open_as
    from limpet.operations.refresh import refresh_all
    from limpet.operations.sharing.team import take_trusted

    caller = _hooks_caller(orders, by="refresh")
    starting = str(orders.get("session") or "")
    if find_unheard(workspace, starting):
        from limpet.operations.memory.conversations.capture import hear_rest  # with much that few starts need

        hear_rest(workspace, caller.now, starting)
    take_trusted(open_as(workspace, caller))
    done = refresh_all(workspace, caller.now)
    refresh_personal(caller)
    return {"changed": done.changed, "removed": done.removed, "unread": done.unread}


def capture_conversation(workspace: Workspace, orders: Orders) -> Answer:
    """Return the numbers of new entries, candidates, gotchas and observations; after a turn a rule is offered where
    something was said again often enough. Raise LimpetError while another capture of the conversation is at work. Where
    the hook waits, also ``kept`` (id and title of each new memory) and the conversation's ``title``: the hook holds the
    state's lock, so it writes the title itself. ``orders``: the fields of ``Conversation``; ``waited``; ``turn`` where
    only a turn is over."""
    from limpet.operations.conversations import note_title
    from limpet.operations.memory.conversations import capture
    from limpet.operations.memory.conversations.conversation import captured_title, conversation_of, is_kept_out

    conversation = conversation_of(orders)
    if is_kept_out(conversation.session, conversation.host, conversation.transcript):
        return {}
    if orders.get("turn"):
        counts = capture.capture(workspace, conversation, turn=True)
        _offer_rule(workspace, conversation.host, conversation.session, conversation.now)
        _share_later(workspace, conversation.now)
        return dict(counts)
    if not orders.get("waited"):
        counts = capture.capture(workspace, conversation)
        note_title(workspace, conversation.session, captured_title(workspace, conversation.session))
        _share_later(workspace, conversation.now)
        return dict(counts)
    before = capture.captured_memories(workspace, conversation)
    counts = capture.capture(workspace, conversation, ended=False)
    after = capture.captured_memories(workspace, conversation)
    kept = [[key, title] for key, title in after.items() if key not in before]
    return {**counts, "kept": kept, "title": captured_title(workspace, conversation.session)}


def _offer_rule(workspace: Workspace, host: str, session: str, now: float) -> None:
    from limpet.ground.config.settings import load_settings
    from limpet.hosts.surroundings import ways_in
    from limpet.operations.memory.waiting import has_proved_wish

    if TYPED in ways_in(host) and has_proved_wish(workspace, load_settings(workspace)[0]["learning"]):
        from limpet.operations.learning.proposals import offer_rule  # with much that few turns need

        offer_rule(workspace, session, now)


def _share_later(workspace: Workspace, now: float) -> None:
    """By a process of its own, which may wait for a network; where the person agreed."""
    from limpet.operations.sharing.remote import is_background_due

    if is_background_due(workspace, now):
        from limpet.engine.worker import start_job

        start_job(workspace, "sync", {"now": now})


def share(workspace: Workspace, orders: Orders) -> Answer:
    from limpet.operations.sharing.remote import synchronize_in_background

    done = synchronize_in_background(workspace, float(orders["now"]))
    return {"sent": sum(each.sent for each in done), "received": sum(each.received for each in done)}


def ask_shells(workspace: Workspace, orders: Orders) -> Answer:
    """``orders``: the ``host`` whose shells are asked what our bare name is to them."""
    from limpet.hosts.commands.shells import note_shells

    note_shells([str(orders["host"])], orders["now"])
    return {}


def extract_lessons(workspace: Workspace, orders: Orders) -> Answer:
    """Return the number of memories by what became of them. ``orders``: those of ``capture``. Raise LimpetError while
    another extraction of the conversation is at work."""
    from limpet.hosts.asking import ask_model
    from limpet.operations.memory.conversations.conversation import conversation_of
    from limpet.operations.memory.conversations.extraction import extract

    def ask(model: str, prompt: ExtractionPrompt, seconds: float) -> Answered:
        return ask_model(workspace, str(orders["host"]), model, prompt, seconds, os.environ)

    return dict(extract(workspace, conversation_of(orders), ask))


def catch_up_unnoticed(workspace: Workspace, orders: Orders) -> Answer:
    """Leave out the conversation that starts, and make past ones searchable."""
    from limpet.operations.memory.conversations import capture
    from limpet.operations.memory.conversations.sessions import index_sessions
    from limpet.operations.project import open_unasked

    captured = capture.catch_up(workspace, float(orders["now"]), str(orders.get("session") or ""))
    with suppress(LimpetError):  # another process is at it, or capture is switched off
        index_sessions(open_unasked(workspace))
    return {"conversations": captured}


def note_failed_call(workspace: Workspace, orders: Orders) -> Answer:
    """Return the number of ``gotchas`` that are new or confirmed. ``orders``: ``error``, ``tool``, ``tool_use_id`` and
    ``paths`` (see ``keep_failure``), and perhaps ``agent``."""
    from limpet.operations.memory.conversations.conversation import conversation_of
    from limpet.operations.memory.gotchas import log_failure

    error, tool, call = (str(orders[name]) for name in ("error", "tool", "tool_use_id"))
    return {"gotchas": log_failure(workspace, conversation_of(orders), error, tool, call, tuple(orders["paths"]))}


def do_star_command(workspace: Workspace, orders: Orders) -> Answer:
    """Return ``lines`` for the person, of which one says what went wrong. The person typed the command at the host, so
    the caller is a person. ``orders``: ``command`` (of ``COMMANDS``, or a word of ``/limpet``), ``text`` behind it."""
    from limpet.operations.project import clean, open_as
    from limpet.operations.typed import command_of

    project, command = open_as(workspace, _hooks_caller(orders)), command_of(orders["command"])
    try:
        # The answer repeats the words, and a title is cut from them: they lose their secrets first.
        lines = command(project, clean(project, str(orders["text"])))
    except LimpetError as error:
        lines = [f"Nothing was changed: {error}"]
    return {"lines": [line for line in lines if line]}


def turn_lock(workspace: Workspace, orders: Orders) -> Answer:
    """Return ``lines`` for the person, whether the lock ``changed``, and the ``lock`` as it is now, left out where
    something went wrong. ``orders``: ``do`` (enter, resume, exit, explain), ``by`` for the audit log, perhaps
    ``language``."""
    from limpet.operations.project import open_as
    from limpet.operations.work import lock

    verbs = {
        "enter": lock.enter_project,
        "resume": lock.resume_project,
        "exit": lock.leave,
        "explain": lock.explain_lock,
    }
    caller = _hooks_caller(orders, by=str(orders["by"]), language=str(orders.get("language") or ""))
    try:
        project = open_as(workspace, caller)
        done = verbs[orders["do"]](project)
    except LimpetError as error:
        return {"lines": [f"Nothing was changed: {error}"], "changed": False}
    answer = {"lines": list(done.lines), "changed": done.changed, "lock": None}
    with suppress(LimpetError):
        answer["lock"] = project.session.get("lock")
    return answer


def leave_continuation(workspace: Workspace, orders: Orders) -> Answer:
    """Write a conversation's continuation: before a compaction, on entering CRITICAL and at an exit. Return its
    ``path`` from the project's root, ``lines`` for the block after a compaction, and the number of ``memories`` that it
    quotes. ``orders``: what is known of ``Conversation``, and ``text``, the prompt that was just typed."""
    from limpet.operations.memory.conversations.conversation import conversation_of
    from limpet.operations.work.continuation import keep_continuation

    kept = keep_continuation(workspace, conversation_of(orders), str(orders.get("text") or ""))
    return {"path": kept.path, "lines": list(kept.lines), "memories": kept.memories}


def read_own_task(workspace: Workspace, orders: Orders) -> Answer:
    """Read the task which a conversation chose for itself (``*develop``, by its name) with what its story says. Return
    the ``task`` as the conversation's state keeps it, ``problems``, and where it is no story the ``nearest`` one."""
    from limpet.operations.mirror import view_own_task
    from limpet.operations.project import open_unasked
    from limpet.work.stories.store import nearest_story

    name = str(orders["task"])
    found, problems = view_own_task(open_unasked(workspace), name)
    near = {} if found.get("file") else {"nearest": nearest_story(workspace, name)}
    return {"task": found, "problems": problems, **near}


def learn_from_deeds(workspace: Workspace, orders: Orders) -> Answer:
    """Return the number of new observations, from which the knowledge is drawn at once."""
    from limpet.operations.learning.consolidate import consolidate_project
    from limpet.operations.learning.deeds import observe_here
    from limpet.operations.project import open_as

    project = open_as(workspace, _hooks_caller(orders, by="deeds"))
    observed = observe_here(project)
    if observed:
        consolidate_project(project)
    return {"observations": observed}


def maintain_daily(workspace: Workspace, orders: Orders) -> Answer:
    from limpet.ground.storage.project_caches import remove_gone_caches
    from limpet.operations.memory.upkeep import keep_up, keep_up_personal
    from limpet.operations.project import open_as
    from limpet.operations.removal import remove_archives_past

    caller = _hooks_caller(orders, by="upkeep")
    project = open_as(workspace, caller)
    remove_gone_caches(project.settings["retention"]["days"], caller.now)
    remove_archives_past(caller.now)
    keep_up_personal(caller)
    return {"actions": len(keep_up(project).done)}


def scan_code(workspace: Workspace, orders: Orders) -> Answer:
    from limpet.operations.symbols import scan_project

    return {"read": scan_project(workspace, float(orders["now"])).read}


def take_in_letters(workspace: Workspace, orders: Orders) -> Answer:
    """Return the number of ``letters``. ``orders``: ``host``."""
    from limpet.operations.inbox import empty_inbox

    return {"letters": empty_inbox(workspace, str(orders.get("host") or ""), float(orders["now"]))}


def tidy_drafts(workspace: Workspace, orders: Orders) -> Answer:
    from limpet.hosts.traces import remove_old_drafts

    return {"drafts": len(remove_old_drafts(workspace, float(orders["now"])))}


def check_written(workspace: Workspace, orders: Orders) -> Answer:
    """Return ``found``: rule -> whether it is kept, and ``broken``: [key, rule, places] of those of which the agent is
    told, also where a check could not run. ``orders``: the fields of ``CheckedTurn``; ``since`` as ISO 8601."""
    from limpet.operations.rules.checks import MOST_PLACES, CheckedTurn, check_turn

    judged = check_turn(workspace, CheckedTurn(**{**orders, "since": seconds_of(orders["since"])}))
    return {
        "found": {one.key: one.kept for one in judged if one.kept is not None},
        "broken": [[one.key, one.text, one.places[:MOST_PLACES]] for one in judged if one.tells and not one.kept],
    }


def check_tree(workspace: Workspace, orders: Orders) -> Answer:
    """Return ``failed``: what the project's checks say against its tree."""
    from limpet.operations.project import open_unasked
    from limpet.operations.work.checks import failures_of_tree

    return {"failed": failures_of_tree(open_unasked(workspace))}


def _hooks_caller(orders: Orders, by: str = "", language: str = "") -> Caller:
    """Return the person at the host, for whom the hook gives these orders."""
    from limpet.ground.event import Surroundings
    from limpet.memory.model.layout import WHOLE_STORE
    from limpet.operations.caller import Caller

    around = Surroundings(conversation=str(orders.get("session") or ""))
    return Caller(reader=WHOLE_STORE, now=float(orders["now"]), surroundings=around, by=by, language=language)


# The jobs, and the seconds after which one is given up: nobody waits for it, and nobody would stop it. Those that read
# the whole index or whole conversations have the longest, and the one that waits for a model.
JOBS: dict[str, tuple[Callable[[Workspace, Orders], Answer], float]] = {
    "refresh": (refresh_sources, 600),
    "capture": (capture_conversation, 300),
    "extract": (extract_lessons, 900),
    "catch_up": (catch_up_unnoticed, 600),
    "failure": (note_failed_call, 120),
    "command": (do_star_command, 120),
    "lock": (turn_lock, 60),
    "continuation": (leave_continuation, 60),
    "task": (read_own_task, 60),
    "upkeep": (maintain_daily, 600),
    "tidy": (tidy_drafts, 60),
    "inbox": (take_in_letters, 600),
    "deeds": (learn_from_deeds, 300),
    "rule_checks": (check_written, 120),
    "tree_checks": (check_tree, 3600),
    "shells": (ask_shells, 60),
    "symbols": (scan_code, 600),
    "sync": (share, 600),
}
