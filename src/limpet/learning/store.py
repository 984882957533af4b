"""The files of learning: stores and observations. The one module of this room that touches the disk. Stores and the
observations of stories are in git, so they are the worktree's own; those of conversations are not, and lie with the
memories in the main worktree's ``.limpet``."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager

from limpet.ground.digest import safe_name
from limpet.ground.errors import LimpetError, Unwritten
from limpet.ground.storage.durable import delete_file, make_folder, make_shared_folders, write_durably, write_together
from limpet.ground.storage.files import OWNER_ONLY, is_larger, names_in, read_bytes
from limpet.ground.storage.scaffold import add_attributes
from limpet.ground.storage.text_file import fair_lock, refuse_link, sole_writer
from limpet.ground.workspace import FOLDER, Workspace
from limpet.learning.model import FILES, Observation, Stores
from limpet.learning.observations import CONVERSATION, OF_CONVERSATION, add_observation, read_observations, source_of
from limpet.learning.stores import NO_STORES, read_entries, write_entries

KNOWLEDGE, STORIES, OBSERVATIONS = "knowledge", "stories", "observations"
LARGEST_STORE, LARGEST = 64 * 1024 * 1024, 1024 * 1024
"""Bytes of a store, and of a source's observations."""
PATIENCE = 20.0
"""Seconds to wait for other processes that write."""

Texts = dict[str, str]
"""Kind of entry -> the text of its file, "" where there is none."""

_FOR_EVERYBODY = 0o644
STORY_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_NAMED = re.compile(rf"{CONVERSATION}:[ \t]*(['\"]?)(\S+)\1[ \t]*$", re.MULTILINE)
_AT = re.compile(r"(?:^[ \t-]+|, )at:[ \t]*['\"]?(\d[\w:.-]+)", re.MULTILINE)


def read_stores(workspace: Workspace) -> tuple[Stores, tuple[str, ...]]:
    stores, mistakes = dict(NO_STORES), list[str]()
    for kind in FILES:
        path = _store_path(workspace, kind)
        try:
            stores[kind], found = read_entries(kind, _read(path, LARGEST_STORE), shown_store_path(path))
            mistakes += found
        except LimpetError as error:
            mistakes.append(str(error))
    return stores, tuple(mistakes)


def change_stores(workspace: Workspace, change: Callable[[Stores], Stores]) -> Stores:
    """``change`` is called while nobody else writes the stores. Raise LimpetError, with nothing changed."""
    with stores_lock(workspace):
        texts = read_texts(workspace)
        changed = change(parse_texts(texts)[0])
        write_texts(workspace, edit_texts(texts, changed))
    return changed


def stores_lock(workspace: Workspace) -> AbstractContextManager[None]:
    """Raise LimpetError where another process of Limpet writes the stores."""
    return sole_writer(workspace.kept("locks", "knowledge.lock"), "the knowledge", PATIENCE, fair_lock)


def read_texts(workspace: Workspace) -> Texts:
    return {kind: _read(_store_path(workspace, kind), LARGEST_STORE) for kind in FILES}


def parse_texts(texts: Texts) -> tuple[Stores, tuple[str, ...]]:
    """Return the entries in the texts, and a line for each mistake. Raise LimpetError."""
    stores, mistakes = {}, list[str]()
    for kind, text in texts.items():
        stores[kind], lines = read_entries(kind, text, store_name(kind))
        mistakes += lines
    return stores, tuple(mistakes)


def edit_texts(texts: Texts, stores: Stores) -> Texts:
    """Texts that stay as they are are left out. Raise LimpetError."""
    filled = {kind: text for kind, text in texts.items() if text or stores[kind]}
    edited = {kind: write_entries(kind, text, stores[kind], store_name(kind)) for kind, text in filled.items()}
    return {kind: text for kind, text in edited.items() if text != texts[kind]}


def write_texts(workspace: Workspace, texts: Mapping[str, str]) -> None:
    """On the disk when this returns; those without text go. The caller holds ``stores_lock``. Raise LimpetError."""
    paths = {_store_path(workspace, kind): text.encode() for kind, text in texts.items()}
    try:
        make_shared_folders(workspace.path(KNOWLEDGE))
        add_attributes(workspace.root)
        write_together({path: raw for path, raw in paths.items() if raw}, _FOR_EVERYBODY)
        for path, raw in paths.items():
            if not raw and os.path.lexists(path):
                delete_file(path)
    except OSError as error:
        raise Unwritten(f"Cannot write the file ({error.strerror})", f"{FOLDER}/{KNOWLEDGE}") from None


def write_observation(workspace: Workspace, observation: Observation, cap: int) -> Observation:
    """Return it with its id. Raise LimpetError, also where the source has ``cap`` of them."""
    source = observation.source
    path = source_path(workspace, source)
    where, is_private = shown_store_path(path), source.startswith(OF_CONVERSATION)
    with sole_writer(workspace.kept("locks", "observations.lock"), "the observations", PATIENCE, fair_lock):
        text = _read(path, LARGEST)
        known = len(read_observations(text, source, where)[0])
        if known >= cap:
            raise LimpetError(f"{known} observations are the most", where, "See learning.max_observations_per_story.")
        changed = add_observation(text, observation, source, where)
        try:
            if is_private:
                make_folder(os.path.dirname(path))
            else:
                add_attributes(workspace.root)
            write_durably(path, changed, OWNER_ONLY if is_private else _FOR_EVERYBODY)
        except OSError as error:
            raise Unwritten(f"Cannot write the file ({error.strerror})", where) from None
    return read_observations(changed, source, where)[0][-1]


def observations_of(workspace: Workspace, source: str) -> tuple[tuple[Observation, ...], tuple[str, ...]]:
    """Return a source's observations, and a line for each mistake. Raise LimpetError for a file that is none."""
    path = source_path(workspace, source)
    return read_observations(_read(path, LARGEST), source, shown_store_path(path))


class Observations(Iterable[Observation]):
    """All observations of a project, one source after the other, in the order of their first ones. They can be walked
    more than once; only one source's are in memory. ``mistakes``: a line for each that the last walk met."""

    def __init__(self, workspace: Workspace) -> None:
        self.mistakes: tuple[str, ...] = ()
        self._workspace = workspace
        self._sources = sorted(_sources(workspace))

    def __iter__(self) -> Iterator[Observation]:
        self.mistakes = ()
        for _, source in self._sources:
            try:
                found, mistakes = observations_of(self._workspace, source)
            except LimpetError as error:
                found, mistakes = (), (str(error),)
            self.mistakes += mistakes
            yield from found


def source_path(workspace: Workspace, source: str) -> str:
    """Raise LimpetError for a name that no story has."""
    if source.startswith(OF_CONVERSATION):
        return os.path.join(workspace.shared, OBSERVATIONS, f"{safe_name(source.removeprefix(OF_CONVERSATION))}.yml")
    if not STORY_ID.fullmatch(source):
        raise LimpetError("Not the ID of a story", source)
    return workspace.path(STORIES, source, f"{OBSERVATIONS}.yml")


def store_name(kind: str) -> str:
    return f"{FOLDER}/{KNOWLEDGE}/{FILES[kind]}"


def shown_store_path(path: str) -> str:
    """As messages name it: from the project's root, or from the private folder."""
    _, folder, below = path.replace(os.sep, "/").rpartition(f"/{FOLDER}/")
    return f"{FOLDER}/{below}" if folder else "/".join(path.split(os.sep)[-2:])


def _store_path(workspace: Workspace, kind: str) -> str:
    return workspace.path(KNOWLEDGE, FILES[kind])


def _sources(workspace: Workspace) -> Iterator[tuple[str, str]]:
    """Yield (time of the source's first observation, "" where it is not known; the source)."""
    folder = os.path.join(workspace.shared, OBSERVATIONS)
    stories = [story for story in names_in(workspace.path(STORIES)) if STORY_ID.fullmatch(story)]
    paths = {source_path(workspace, story): story for story in stories}
    paths |= {os.path.join(folder, name): "" for name in names_in(folder) if name.endswith(".yml")}
    for path, story in paths.items():
        raw = read_bytes(path, LARGEST)
        if raw is not None:
            text = raw.decode("utf-8", "replace")
            named = _NAMED.search(text)
            conversation = named[2] if named else os.path.basename(path).removesuffix(".yml")
            yield min(_AT.findall(text), default=""), source_of(story, conversation)


def _read(path: str, largest: int) -> str:
    where = shown_store_path(path)
    refuse_link(path, where)
    raw = read_bytes(path, largest)
    if raw is None and os.path.lexists(path):
        what = f"File is larger than {largest} bytes" if is_larger(path, largest) else "Cannot read the file"
        raise LimpetError(what, where, "Check that it is a file, and its permissions.")
    try:
        return (raw or b"").decode()
    except UnicodeDecodeError as error:
        line = (raw or b"").count(b"\n", 0, error.start) + 1
        raise LimpetError("Not UTF-8", f"{where}:{line}", "Save the file as UTF-8.") from None
