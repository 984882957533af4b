"""The archive of closed work: resolved deviations and old transitions.

They leave ``session.yaml``, because every move reads and writes that file whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from limpet.ground.config.mirror import SESSION
from limpet.ground.errors import LimpetError
from limpet.ground.formats.yaml_items import remove_items
from limpet.ground.storage.durable import sync_file
from limpet.ground.storage.json_lines import append_object
from limpet.ground.storage.text_file import read_strictly
from limpet.ground.workspace import Workspace
from limpet.work.project import NAME, Cut, change_project

ARCHIVE = ("archive", "work.jsonl")
NEVER_ROTATED = 2**62

_CLOSED: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "deviations": lambda one: bool(one.get("resolved")),
    "mode_transitions": lambda one: True,
}


def closed_places(session: Mapping[str, Any], kept: int) -> dict[str, tuple[int, ...]]:
    """Return the places of the closed items of each list, without the newest ``kept``, once there are twice as many.

    The item with the highest id stays, because the next id counts on from it.
    """
    found = {}
    for name, is_closed in _CLOSED.items():
        items = session.get(name) or []
        closed = [place for place, item in enumerate(items) if is_closed(item)]
        if len(closed) > 2 * kept:
            highest = max((item.get("id") or "" for item in items), key=lambda name: (len(name), name))
            found[name] = tuple(place for place in closed[:-kept] if not highest or items[place].get("id") != highest)
    return found


def archive_closed(workspace: Workspace, kept: int) -> None:
    """Move the closed items into the archive. It is written first: what a crash leaves in both is read once. A file
    that cannot be changed stays as it is."""

    def cut(session: dict[str, Any]) -> dict[Any, Any]:
        places = closed_places(session, kept)
        text = read_strictly(workspace.path(SESSION), NAME)
        for name, gone in places.items():
            remove_items(text, (name,), gone, NAME)  # what cannot leave the list must not get into the archive
        for name, gone in places.items():
            for place in gone:
                append_object(workspace.path(*ARCHIVE), {"list": name, "item": session[name][place]}, NEVER_ROTATED)
        if places:
            sync_file(workspace.path(*ARCHIVE))  # before they leave the session, which is on the disk at once
        return {name: Cut(gone) for name, gone in places.items()}

    with suppress(LimpetError, OSError, ValueError):
        change_project(workspace, cut)
