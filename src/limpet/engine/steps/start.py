"""The memories' index and the hook's bundles brought up to date when a conversation starts, and once a day the
maintenance of memories: all by a second process, so that the prompt path only ever reads."""

from __future__ import annotations

import os

from limpet.engine.event_context import BEGINNINGS, EventContext
from limpet.engine.guard.watched import TEXTS, effects_folder
from limpet.engine.worker import run_job, start_job, start_module
from limpet.ground.config.mirror import SPECS, read_mirror
from limpet.ground.digest import safe_name
from limpet.ground.event_log import SUFFIX, blocks_folder, events_folder
from limpet.ground.storage.files import names_in, remove_file, write_if_possible
from limpet.ground.storage.last_seen import DAY, DOUBTFUL, note_seen, read_last_seen, steady_since
from limpet.ground.storage.user_folders import ROOT, SYMBOLS, project_cache
from limpet.ground.trust.allowance import ASKED
from limpet.ground.trust.in_place import specs_home
from limpet.memory.model.layout import has_entries
from limpet.work.conversation import conversations_folder
from limpet.work.session import session_paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from limpet.ground.workspace import Workspace

MOST = 500
NEWEST = "latest.md"


def make_bundles(context: EventContext) -> EventContext:
    from limpet.ground.bundle import is_due

    if context.is_sent and is_due():
        start_module(context.workspace, "limpet.ground.bundling")
    return context


def probe_shells(context: EventContext) -> EventContext:
    """Have the client's shells asked whether they find us by the bare name, once a day for each PATH of the client."""
    from limpet.ground.own_name import command_path, last_found

    now, host = context.clock.now(), context.event.host
    is_known = 0 <= now - last_found(host)[1] < DAY
    if context.is_sent and not is_known and os.path.isfile(command_path()):
        start_job(context.workspace, "shells", {"now": now, "host": host})
    return context


def refresh_memories(context: EventContext) -> EventContext:
    """Read entries that people edited again, and hold the specs against their sources. That is waited for within
    ``hosts.refresh_deadline_ms``; what takes longer goes on by itself, and is there at the next prompt. Where there is
    neither, nothing is started."""
    event = context.event
    if not context.is_sent or event.source not in BEGINNINGS:
        return context
    given = {"now": context.clock.now(), "session": event.session}
    if event.source == "startup" and context.mirror.settings["memory"]["capture"] and session_paths(context.workspace):
        start_job(context.workspace, "catch_up", given)
    if os.path.exists(context.workspace.kept(SYMBOLS)):
        start_job(context.workspace, "symbols", given)
    specs = os.path.join(specs_home(context.workspace), SPECS)
    if not (has_entries(context.workspace) or session_paths(context.workspace) or os.path.isfile(specs)):
        return context
    run_job(context.workspace, "refresh", given, context.patience("refresh"))
    if _is_due(context):
        start_job(context.workspace, "upkeep", given)
    if not os.path.isfile(specs):
        return context
    return context.replace(mirror=read_mirror(context.workspace, context.clock))


def remove_old_files(context: EventContext) -> EventContext:
    now, days = context.clock.now(), context.mirror.settings["retention"]["days"]
    if context.event.source == "startup" and remove_leftovers(context.workspace, days, now):
        start_job(context.workspace, "tidy", {"now": now})
    return context


def remove_leftovers(workspace: Workspace, days: int, now: float) -> bool:
    """Remove what conversations that nobody touched for ``days`` left: state, figures, locks, continuation, the log of
    one that was spawned, events, kept blocks, snapshots, what was asked once, and of any conversation where it began.
    The newest continuation stays.

    At most once a day, and 500 files at once; 0 days keeps all. Return whether it was time to, by a clock that can be
    believed. What cannot be removed stays, and so does all that is no regular file with a name of ours, or that a link
    leads to. When the last time lies in the future or long ago, one of the two clocks may be wrong: then nothing goes
    yet, and after a long time nothing for ``days``. So it is where nobody knows the last time, as after the user's
    caches were deleted.
    """
    mark = workspace.cached("tidied")
    last = read_last_seen(mark)
    passed = now - last.at
    if 0 <= passed < DAY:
        return False
    since = steady_since(last, now)
    before = now - days * DAY
    if days and 0 < passed < DOUBTFUL and since <= before:
        _remove_old(workspace, before)
    for home in {workspace.home, workspace.shared}:
        # Of which project the caches are, so that they can go once it has gone.
        write_if_possible(os.path.join(project_cache(home), ROOT), os.path.realpath(os.path.dirname(home)))
    return note_seen(mark, now, since) and 0 < passed < DOUBTFUL


def _is_due(context: EventContext) -> bool:
    mark = os.path.join(project_cache(context.workspace.shared), "kept")
    now = context.clock.now()
    return not 0 <= now - read_last_seen(mark).at < DAY and note_seen(mark, now, 0.0)


def _remove_old(workspace: Workspace, before: float) -> None:
    for count, path in enumerate(_old_files(workspace, before)):
        if count == MOST:
            return
        remove_file(path)


def _old_files(workspace: Workspace, before: float) -> Iterator[str]:
    for path in _old_in(workspace.kept("sessions"), before, _is_state):
        name = os.path.basename(path).partition(".")[0]
        yield from (
            path,
            workspace.cached("status", f"{name}.json"),
            workspace.cached("carried", f"{name}.json"),
            workspace.kept("locks", f"{name}.lock"),
            os.path.join(workspace.shared, "locks", f"capture-{name}.lock"),
        )
    yield from _old_in(conversations_folder(), before, lambda name: _is_ours(name, ""))
    yield from _old_in(workspace.kept("continuation"), before, lambda name: name != NEWEST and _is_ours(name, ".md"))
    yield from _old_in(workspace.cached("spawned"), before, lambda name: _is_ours(name, ".log"))
    effects = effects_folder(workspace.state)
    for name in names_in(effects):
        for folder in (os.path.join(effects, name), os.path.join(effects, name, TEXTS)):
            yield from _old_in(folder, before, lambda name: True)
    yield from _old_in(workspace.kept(ASKED), before, lambda name: _is_ours(name, ""))
    yield from _old_in(events_folder(workspace.shared), before, _is_log)
    yield from _old_in(blocks_folder(workspace.shared), before, lambda name: _is_ours(name, ""))


def _old_in(folder: str, before: float, is_named: Callable[[str], bool]) -> list[str]:
    try:
        found = [entry for entry in os.scandir(folder) if is_named(entry.name)]
        paths = [entry.path for entry in found if entry.is_file(follow_symlinks=False)]
    except OSError:
        return []
    return [path for path in paths if 0 < _modified(path) < before]


def _is_state(name: str) -> bool:
    plain, aside, number = name.partition(".damaged")
    return _is_ours(plain, ".json") and (not aside or not number or number[1:].isdecimal())


def _is_log(name: str) -> bool:
    plain, _, number = name.partition(SUFFIX)
    return _is_ours(plain + SUFFIX, SUFFIX) and (not number or number[1:].isdecimal())


def _is_ours(name: str, ending: str) -> bool:
    stem = name.removesuffix(ending)
    return name.endswith(ending) and safe_name(stem) == stem


def _modified(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
