"""The memories' index and the hook's bundles brought up to date when a conversation starts, and once a day the
maintenance of memories: all by a second process, so that the prompt path only ever reads."""

from __future__ import annotations

import os

from limpet.engine.steps.epoch import BEGINNINGS
from limpet.engine.worker import run_job, start_job, start_module
from limpet.ground.config.mirror import SPECS, read_mirror
from limpet.ground.storage.last_seen import DAY, note_seen, read_last_seen
from limpet.ground.storage.user_folders import project_cache
from limpet.memory.model.layout import has_entries
from limpet.work.session import session_paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import EventContext


def make_bundles(context: EventContext) -> EventContext:
    """Have the hook's bundles made by a second process where they are not as they should be."""
    from limpet.ground.prompt_path.bundle import is_due

    if context.is_sent and is_due():
        start_module(context.workspace, "limpet.ground.prompt_path.bundling")
    return context


def refresh_memories(context: EventContext) -> EventContext:
    """Read entries that people edited again, and hold the specs against their sources.

    That is waited for within ``hosts.refresh_deadline_ms``; what takes longer goes on by itself, and is there at the
    next prompt. Where there is neither, nothing is started.
    """
    event = context.event
    if not context.is_sent or event.source not in BEGINNINGS:
        return context
    given = {"now": context.clock.now(), "session": event.session}
    if event.source == "startup" and context.mirror.settings["memory"]["capture"] and session_paths(context.workspace):
        start_job(context.workspace, "catch_up", given)
    specs = context.workspace.path(SPECS)
    if not has_entries(context.workspace.shared) and not os.path.isfile(specs):
        return context
    run_job(context.workspace, "refresh", given, context.patience("refresh_deadline"))
    if _is_due(context):
        start_job(context.workspace, "upkeep", given)
    if not os.path.isfile(specs):
        return context
    return context.replace(mirror=read_mirror(context.workspace, context.clock.left()))


def _is_due(context: EventContext) -> bool:
    """Return whether a day has passed since the last maintenance was begun; notes that this one is."""
    mark = os.path.join(project_cache(context.workspace.shared), "kept")
    now = context.clock.now()
    return not 0 <= now - read_last_seen(mark).at < DAY and note_seen(mark, now, 0.0)
