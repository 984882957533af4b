"""The project that a conversation belongs to: the one in which it began, wherever its shell stands later.

A file for each lies in the user's state folder, which the guard keeps from agents; no checkout brings one.
"""

from __future__ import annotations

import os

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.storage.files import read_bytes, write_atomic
from limpet.ground.storage.names import safe_name
from limpet.ground.storage.user_folders import state_folder
from limpet.ground.trust.consent import admit
from limpet.ground.workspace import FOLDER, Workspace, find_workspace, is_project, workspace_at


def find_project(session: str, named: str, cwd: str) -> Workspace | None:
    """Return the project of a conversation, or what stands in for one that is not trusted; None where there is none.

    Its first event decides, by the folder that the host names (``named``), else by the working folder. Where no project
    is around that folder, the folder is remembered, and a project that is made around it later counts. What is gone is
    forgotten.
    """
    found = known_project(session)
    if found is None:
        known = _recall(session)
        begun = known if os.path.basename(known) != FOLDER and os.path.isdir(known) else ""
        start = begun or os.path.abspath(named if os.path.isdir(named) else cwd)
        found = find_workspace(start)
        place = found.home if found else start
        if session and place != known:
            _remember(session, place)
    return admit(found) if found else None


def known_project(session: str) -> Workspace | None:
    """Return the project that a conversation is known to belong to, None where none is known or it is gone."""
    root, name = os.path.split(_recall(session))
    return workspace_at(root) if name == FOLDER and is_project(root) else None


def conversations_folder() -> str:
    """Return the folder of these files."""
    return os.path.join(state_folder(), "conversations")


def _recall(session: str) -> str:
    """Return the ``.limpet`` of the project, where there was none the folder in which it began, "" for neither."""
    return os.fsdecode(read_bytes(_path(session), STATE_BYTES) or b"") if session else ""


def _remember(session: str, place: str) -> None:
    try:
        write_atomic(_path(session), os.fsencode(place), follow=False)
    except (OSError, UnicodeError):
        return


def _path(session: str) -> str:
    return os.path.join(conversations_folder(), safe_name(session))
