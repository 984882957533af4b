"""What agents hand on: the calls of ours that a sandbox will not let write, and the tasks of subagents, are noted when
they are made; what lies in the inbox is taken in, and what came of it said."""

from __future__ import annotations

import os

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.storage.files import names_in, read_text, remove_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import EventContext


# How the names of files end that agents left.
LETTER = ".json"


def announce_call(context: EventContext) -> EventContext:
    """Note our commands in a call that the hook let pass: what comes of one by the inbox is then this
    conversation's."""
    call, event = context.client.call, context.event
    if call is None or call.kind != "shell" or "limpet" not in call.command or context.understood is None:
        return context
    if context.reply.verdict:  # denied, or asked about: the person may say no
        return context
    from limpet.guard.rules.permission import words_of_ours
    from limpet.guard.shell.command import UNKNOWN
    from limpet.work.inbox import announce, is_carried

    for command in context.understood.commands:
        words = words_of_ours(command.words)
        if event.session and is_carried(words) and not any(UNKNOWN in word for word in words):
            try:
                announce(context.workspace, event.session, words, context.clock.now())
            except OSError:
                return context
    return context


def note_task(context: EventContext) -> EventContext:
    """Keep a subagent's task until it starts: what bears on it is told then."""
    call, event = context.client.call, context.event
    if call is None or call.kind != "agent" or context.reply.verdict or not context.is_sent:
        return context
    from limpet.work.conversation import has_mark
    from limpet.work.given_tasks import note_task

    if not has_mark(event.session):
        try:
            note_task(context.workspace, event.tool_input or {}, context.clock.now())
        except OSError:  # it starts without
            return context
    return context


def take_in(context: EventContext) -> EventContext:
    """Wait for it where a block comes next, so that what was written is in it."""
    if not context.is_real or not any(name.endswith(LETTER) for name in names_in(context.workspace.path("inbox"))):
        return context
    from limpet.engine.worker import run_job, start_job

    orders = {"now": context.clock.now(), "host": context.event.host, "session": context.event.session}
    if context.event.kind in ("prompt", "session_start"):
        run_job(context.workspace, "inbox", orders, context.patience("command"))
    else:
        start_job(context.workspace, "inbox", orders)
    return context


def tell_what_came(context: EventContext) -> EventContext:
    path = context.workspace.kept("carried-out")
    if not os.path.isfile(path):
        return context
    lines = (read_text(path, STATE_BYTES) or "").splitlines()
    remove_file(path)
    return context.noted(*lines)
