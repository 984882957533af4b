"""Which of the team's memories a person looked at, with the words that they had then and who brought them: by others'
word alone none counts in a block. A private file, because a checkout could bring a line of an entry that says so."""

from __future__ import annotations

import os
from collections.abc import Mapping

from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.storage.files import read_text, write_atomic
from limpet.ground.values import Value
from limpet.memory.files.evidence import digest_of_words
from limpet.memory.model.entry import MemoryEntry
from limpet.memory.model.layout import TEAM, WAITING, MemoryPlace


class Look(Value):
    """``says``: of the words that were looked at. ``author``: who brought them. ``is_kept``: they count."""

    says: str
    author: str
    is_kept: bool = True


def read_reviewed(shared: str) -> dict[str, Look]:
    """By ids."""
    found = read_object(read_text(_path(shared)))
    return {key: Look(*each) for key, each in found.items() if isinstance(each, list) and len(each) == 3}


def note_reviewed(shared: str, looks: Mapping[str, Look]) -> None:
    """Raise OSError."""
    known = {**read_reviewed(shared), **looks}
    text = dumps({key: [each.says, each.author, each.is_kept] for key, each in known.items()})
    write_atomic(_path(shared), text, follow=False)


def as_reviewed(place: MemoryPlace, entry: MemoryEntry, looks: Mapping[str, Look]) -> tuple[MemoryPlace, MemoryEntry]:
    """Of the team's entries, how they count: as their words were looked at, or not yet."""
    look = looks.get(entry.id)
    if place.owner != TEAM:
        return place, entry
    if look and look.is_kept and look.says == digest_of_words(entry):
        return place, entry.replace(shared_by=look.author)
    return place.replace(state=WAITING), entry


def _path(shared: str) -> str:
    return os.path.join(shared, "reviewed")
