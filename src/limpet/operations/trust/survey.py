"""What a project would bring if the user trusted it, read once: what is shown is what is recorded."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.config.settings import leaves, offered_settings, read_layers
from limpet.ground.config.sources import settings_files
from limpet.ground.digest import checksum, digest
from limpet.ground.storage.files import read_bytes, read_text
from limpet.ground.trust.consent import find_consent
from limpet.ground.trust.identity import NAME, place_of
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, Workspace
from limpet.operations.trust.texts import Text, changed_texts, offered_texts
from limpet.rules.plan.sources import read_files

# In ``.limpet``, what conversations leave there, and what says nothing.
PASSING = ("cache", "events", "metrics", "sessions", NAME)

Drafts = Mapping[str, "str | None"]


class Setting(Value):
    """A value that the project's files set.

    ``key``: dotted.
    ``value``: theirs.
    ``instead_of``: the value without them.
    ``acts``: whether it spends, runs, deletes, writes or waits.
    """

    key: str
    value: Any
    instead_of: Any
    acts: bool


class Offer(Value):
    """What a project would bring into conversations.

    ``texts``: what would reach a prompt or run; of a project that is trusted already what changed in its rules.
    ``packaged``: how many files are left out, because they are copies of what Limpet ships.
    ``settings``: the values that differ; of a project that is trusted already those that act and wait for a word.
    ``agreed``: the values of acting settings, by dotted key, as they stand in what was read.
    ``mark``: what changes with every file that counts.
    """

    texts: tuple[Text, ...]
    packaged: int
    settings: tuple[Setting, ...]
    agreed: dict[str, Any]
    mark: str


def survey(workspace: Workspace) -> Offer:
    """Return what the project would bring. Reads its files within their limits, and runs nothing of it."""
    drafts = _drafts(workspace)
    mark = fingerprint(workspace, drafts)
    agreed, known = offered_settings(workspace, drafts), find_consent(workspace)
    settings = _settings(workspace, drafts, agreed)
    waiting = tuple(one for one in settings if known and one.acts and not known.covers(one.key, one.value))
    texts, packaged = (changed_texts(workspace), 0) if known else offered_texts(workspace)
    return Offer(texts, packaged, waiting if known else settings, agreed, mark)


def fingerprint(workspace: Workspace, drafts: Drafts | None = None) -> str:
    """Return a text that differs once the folder is another one, or a file changes: of a trusted project only its
    settings and rules count, because the rest changes at work."""
    homes = () if find_consent(workspace) else dict.fromkeys((workspace.home, workspace.shared))
    files = {path: _checksum(path) for home in homes for path in _files_below(home)}
    rules = {name: checksum(raw or b"") for name, raw in read_files(workspace).items()}
    places = [place_of(folder) for folder in (workspace.root, workspace.home)]
    parts = (drafts or _drafts(workspace), files, rules)
    return digest(repr((places, [sorted(part.items()) for part in parts])))


def _drafts(workspace: Workspace) -> dict[str, str | None]:
    """Return the texts of the project's own settings files, None for one that is not there or too large."""
    own = (path for path in settings_files(workspace) if path.startswith(workspace.home + os.sep))
    return {path: read_text(path, STATE_BYTES) for path in own}


def _files_below(home: str) -> Iterator[str]:
    for folder, folders, names in os.walk(home):
        if folder == home:
            folders[:] = [name for name in folders if name not in PASSING]
        yield from (os.path.join(folder, name) for name in names if not (folder == home and name in PASSING))


def _checksum(path: str) -> object:
    """Return what changes with a file's bytes: of a large one its times and size."""
    raw = read_bytes(path, STATE_BYTES)
    if raw is not None:
        return checksum(raw)
    try:
        about = os.lstat(path)
    except OSError:
        return None
    return about.st_mtime_ns, about.st_ctime_ns, about.st_size, about.st_ino


def _settings(workspace: Workspace, drafts: Drafts, agreed: Mapping[str, Any]) -> tuple[Setting, ...]:
    """Return the values of the project's files that differ from what would hold without them."""
    layers = read_layers(workspace, drafts, agreed)
    own = [layer for layer in layers if layer.name.startswith(f"{FOLDER}/")]
    without = {".".join(path): value for layer in layers if layer not in own for path, value in leaves(layer.values)}
    within = {".".join(path): value for layer in own for path, value in leaves(layer.values)}
    return tuple(
        Setting(key=key, value=value, instead_of=without.get(key), acts=key in agreed)
        for key, value in within.items()
        if value != without.get(key)
    )
