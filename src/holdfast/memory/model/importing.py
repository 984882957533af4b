"""Import of entries from elsewhere: the same entry is taken once, and the same id with other words gets a new id."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from holdfast.ground.errors import HoldfastError
from holdfast.ground.values import Value
from holdfast.memory.model.entry import Entry
from holdfast.memory.model.layout import Place
from holdfast.memory.model.lookup import ALIAS
from holdfast.memory.model.problem import Problem
from holdfast.memory.model.results import Imported
from holdfast.memory.model.validation import make_entry

# Fields that two entries may differ in and still say the same: their place, and the figures that maintenance keeps.
_IGNORED = (
    *("id", "tags", "scope", "storage", "agent", "tier", "access_count", "last_accessed", "flags"),
    *("shared_by", "shared_at"),
)


class Arrival(Value):
    """An entry that comes in.

    ``place``: where it lay.
    ``text``: the Markdown that it came as, "" for none.
    """

    entry: Entry
    place: Place
    text: str = ""


def import_arrivals(
    arrivals: Iterable[Arrival],
    known: Iterable[Entry],
    add: Callable[[Arrival], Entry],
    make_id: Callable[[], str],
) -> Imported:
    """Add the arrivals that are not ``known`` and return what became of all."""
    there: dict[str, list[Entry]] = {}
    for entry in known:
        for key in (entry.id, *(tag.removeprefix(ALIAS) for tag in entry.tags if tag.startswith(ALIAS))):
            there.setdefault(key, []).append(entry)
    result = Imported()
    for arrival in arrivals:
        old = arrival.entry.id
        same = there.setdefault(old, [])
        try:
            if any(_says(entry) == _says(arrival.entry) for entry in same):
                result = result.replace(known=result.known + 1)
            elif not same:
                same.append(add(arrival))
                result = result.replace(added=(*result.added, old))
            else:
                renamed = arrival.entry.replace(id=make_id(), tags=(*arrival.entry.tags, ALIAS + old))
                same.append(add(arrival.replace(entry=renamed)))
                result = result.replace(renamed=(*result.renamed, (old, renamed.id)))
        except HoldfastError as error:
            problem = Problem(old, 0, error.what, error.hint or "It was not imported.")
            result = result.replace(problems=(*result.problems, problem))
    return result


def _says(entry: Entry) -> tuple[object, ...]:
    clean = make_entry(entry.__dict__)
    return tuple(getattr(clean, name) for name in Entry.fields if name not in _IGNORED)
