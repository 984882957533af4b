"""A memory is erased for good, with all that Limpet holds of its words. Separate from ``change``, because it reaches
beyond the memories: to what was sent, and to the state of the conversations."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from limpet.ground.event_log import block_path, blocks_folder
from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.storage.files import names_in, read_text, remove_file, write_atomic
from limpet.memory.model.entry import DIGEST, MemoryEntry, Query
from limpet.memory.model.rights import refuse_agents
from limpet.operations.memory.candidates import erase_words
from limpet.operations.memory.change import PutAway, forget_memory
from limpet.operations.memory.library import open_library
from limpet.operations.memory.view import quotes_of
from limpet.operations.project import Project
from limpet.work.session import session_lock

# What the state of a conversation holds of its words.
_TOLD = ("title", "continuation", "kept")


def erase_memory(project: Project, key: str, why: str = "") -> PutAway:
    """Its file, the words that were heard, and what the index, digests, blocks that were sent, continuations and states
    of conversations hold of them; of another worktree's conversations nothing. Raises LimpetError, for an agent
    always."""
    refuse_agents(project.caller.reader, "erase a memory for good")
    library = open_library(project)
    entry = library.find(key).entry
    digests = library.list(Query(session=entry.session, tag=DIGEST)).cards if entry.session else ()
    words = list(_words(entry))
    gone = [entry.id, *(card.id for card in digests if any(_is_begun(card.title, each) for each in words))]
    away = forget_memory(project, entry.id, why)
    for id in gone:
        library.erase(id, why)
    erase_words(library, entry)
    for name in names_in(blocks_folder(library.shared)):
        _remove(block_path(library.shared, name), words)
    for name in names_in(project.workspace.kept("continuation")):
        _remove(project.workspace.kept("continuation", name), words)
    for name in names_in(project.workspace.kept("sessions")):
        with session_lock(project.workspace, name.rpartition(".")[0]):
            _silence(project.workspace.kept("sessions", name), words)
    return away


def _words(entry: MemoryEntry) -> Iterator[str]:
    yield entry.title
    yield from (each for line in quotes_of(entry) if (each := line.rpartition(" (")[0].rstrip(" .!;:,")))


def _is_begun(title: str, words: str) -> bool:
    """A digest is named by what was asked first."""
    subject = title.rpartition(" (")[0].removesuffix("...").rstrip(" .")
    return bool(subject) and words.startswith(subject)


def _holds(path: str, words: Sequence[str]) -> bool:
    text = read_text(path) or ""
    return any(each in text or dumps(each)[1:-1] in text for each in words)


def _remove(path: str, words: Sequence[str]) -> None:
    if os.path.isfile(path) and _holds(path, words):
        remove_file(path)


def _silence(path: str, words: Sequence[str]) -> None:
    if os.path.isfile(path) and _holds(path, words):
        state = read_object(read_text(path))
        write_atomic(path, dumps({name: value for name, value in state.items() if name not in _TOLD}), follow=False)
