"""The rule files of a trusted project as the user knows them: as they were when it was trusted, and as commands of ours
wrote them since. What changed otherwise, by a pull or in an editor, is named until the user looked at it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from limpet.ground.config.defaults import ALL_RULES_BYTES
from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.storage.files import read_text, write_if_possible
from limpet.ground.storage.user_folders import project_state
from limpet.ground.workspace import Workspace
from limpet.rules.edit.difference import Change
from limpet.rules.plan.sources import read_files

NAME = "rules"


def changed_rules(workspace: Workspace) -> tuple[Change, ...]:
    """Return the rule files that are not as the user knows them; where nothing was kept yet, they count as known."""
    known, now = _known(workspace), _texts(workspace)
    paths = sorted(path for path in {*known, *now} if known.get(path) != now.get(path))
    return tuple(Change(path, known.get(path), now.get(path)) for path in paths)


def keep_rules(workspace: Workspace) -> dict[str, str]:
    """Keep the rule files, as they are now, as known, and return them."""
    now = _texts(workspace)
    write_if_possible(_file(workspace), dumps(now))
    return now


@contextmanager
def own_changes(workspace: Workspace) -> Iterator[None]:
    """Keep what a ``with`` block changes in the rule files as known, in those that the user knew before."""
    known, before = _known(workspace), _texts(workspace)
    yield
    now = _texts(workspace)
    unseen = {path for path in {*known, *before} if known.get(path) != before.get(path)}
    theirs = {path: text for path, text in known.items() if path in unseen}
    write_if_possible(_file(workspace), dumps({path: now[path] for path in now if path not in unseen} | theirs))


def _known(workspace: Workspace) -> dict[str, str]:
    text = read_text(_file(workspace), 2 * ALL_RULES_BYTES)
    return keep_rules(workspace) if text is None else read_object(text)


def _texts(workspace: Workspace) -> dict[str, str]:
    files = read_files(workspace).items()
    return {path: raw.decode("utf-8", "replace").removeprefix("\ufeff") for path, raw in files if raw is not None}


def _file(workspace: Workspace) -> str:
    return os.path.join(project_state(workspace.home), NAME)
