"""Import of entries from elsewhere: the same entry is taken once, and the same id with other words gets a new id."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

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


def known_entries(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Return the entries under their id and under the ids that they had elsewhere."""
    known: dict[str, list[Entry]] = {}
    for entry in entries:
        aliases = [tag.removeprefix(ALIAS) for tag in entry.tags if tag.startswith(ALIAS)]
        for key in (entry.id, *aliases):
            known.setdefault(key, []).append(entry)
    return known


def import_arrivals(
    arrivals: Iterable[Arrival],
    known: Mapping[str, list[Entry]],
    add: Callable[[Arrival], Entry],
    make_id: Callable[[], str],
) -> Imported:
    """Add the arrivals that are not ``known`` (see ``known_entries``) and return what became of all."""
    seen = {key: list(entries) for key, entries in known.items()}
    result = Imported()
    for arrival in arrivals:
        try:
            result = _import_one(result, arrival, seen, add, make_id)
        except HoldfastError as error:
            problem = Problem(arrival.entry.id, 0, error.what, error.hint or "It was not imported.")
            result = result.replace(problems=(*result.problems, problem))
    return result


def _import_one(
    result: Imported,
    arrival: Arrival,
    seen: dict[str, list[Entry]],
    add: Callable[[Arrival], Entry],
    make_id: Callable[[], str],
) -> Imported:
    old = arrival.entry.id
    same = seen.setdefault(old, [])
    if any(_says(entry) == _says(arrival.entry) for entry in same):
        return result.replace(known=result.known + 1)
    if not same:
        same.append(add(arrival))
        return result.replace(added=(*result.added, old))
    renamed = arrival.entry.replace(id=make_id(), tags=(*arrival.entry.tags, ALIAS + old))
    same.append(add(arrival.replace(entry=renamed)))
    return result.replace(renamed=(*result.renamed, (old, renamed.id)))


def _says(entry: Entry) -> tuple[object, ...]:
    clean = make_entry(entry.__dict__)
    return tuple(getattr(clean, name) for name in Entry.fields if name not in _IGNORED)
