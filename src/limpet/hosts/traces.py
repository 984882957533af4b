"""Removes the files of a throw-away session from a project, and no others."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from limpet.ground.errors import LimpetError
from limpet.ground.event_log import BLOCK, block_path, blocks_folder, event_data, read_events
from limpet.ground.storage.drafts import old_drafts, old_drafts_beside
from limpet.ground.storage.durable import write_durably
from limpet.ground.storage.files import read_bytes, remove_file
from limpet.ground.storage.user_folders import cache_folder, state_folder, user_config_path
from limpet.ground.workspace import Workspace
from limpet.hosts.git_hook import hook_path
from limpet.hosts.registry import all_hosts
from limpet.rules.layout import LIMPET
from limpet.work.conversation import conversations_folder
from limpet.work.lock import instruction_files


@contextmanager
def without_traces(workspace: Workspace, mark: str) -> Iterator[None]:
    """Remove at the end the files of sessions whose ids hold ``mark``, and their blocks. A block that was there before
    stays, and ``latest.md`` is restored. Lines of metrics stay: they hold times only, and the session's id."""
    latest = workspace.kept("continuation", "latest.md")
    before = read_bytes(latest)
    blocks = blocks_folder(workspace.shared)
    known = set(os.listdir(blocks)) if os.path.isdir(blocks) else set()
    try:
        yield
    finally:
        for event in read_events(workspace.shared, BLOCK, mark):
            block = event_data(event).get("block")
            if isinstance(block, str) and block and os.path.basename(block) not in known:
                remove_file(block_path(workspace.shared, os.path.basename(block)))
        for folder in (workspace.shared, workspace.state):
            _remove_named(folder, mark)
        _remove_named(workspace.cache, mark)
        _remove_named(conversations_folder(), mark)
        if mark.encode() in (read_bytes(latest) or b""):
            if before is None:
                remove_file(latest)
            else:
                write_durably(latest, before, follow=False)


def _remove_named(place: str, mark: str) -> None:
    for folder, _, names in os.walk(place):
        for name in names:
            if mark in name:
                remove_file(os.path.join(folder, name))


def remove_old_drafts(workspace: Workspace, now: float) -> tuple[str, ...]:
    """Drafts are old that nobody has written to for an hour."""
    found: list[str] = []
    squads = os.path.join(workspace.root, LIMPET.squads)
    for folder in (workspace.home, workspace.data, squads, state_folder(), cache_folder()):
        found += old_drafts(folder, now)
    root = workspace.root
    beside = [root, os.path.dirname(user_config_path()), *map(os.path.dirname, instruction_files(root))]
    with suppress(LimpetError):  # outside a repository
        beside.append(os.path.dirname(hook_path(root)))
    for host in all_hosts():
        beside += map(os.path.dirname, host.written_files(root))
    for folder in beside:
        found += old_drafts_beside(folder, now)
    for path in found:
        remove_file(path)
    return tuple(dict.fromkeys(found))
