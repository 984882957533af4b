"""Changes to the record of what was installed: several hosts' plans may each have one for the same file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from limpet import __version__
from limpet.ground.storage.files import read_bytes
from limpet.hosts.file_changes import PRIVATE, Change, Plan, parents
from limpet.hosts.records.record import known_entries, moved_record, record_path, render_record
from limpet.hosts.scope import LOCAL, USER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.hosts.records.record import Entry


class RecordChange(Change):
    """A change to a record.

    ``home``, ``scope``: the project's ``.limpet`` and a scope of that record.
    ``entries``: by file the entry that it gets, None for one that goes.
    """

    home: str = ""
    scope: str = ""
    entries: Mapping[str, Entry | None] = {}


def change_record(home: str, scope: str, entries: Mapping[str, Entry | None]) -> RecordChange:
    """Return the change that gives the record of a scope these entries and leaves the others."""
    path = record_path(home, scope)
    changed = {**known_entries(home, scope), **entries}
    kept = {name: entry for name, entry in changed.items() if entry is not None}
    root = "" if scope == USER else os.path.realpath(os.path.dirname(home))
    return RecordChange(
        path=path,
        what="the previous content, for `limpet uninstall`",
        before=read_bytes(path),
        after=render_record(kept, __version__, root),
        mode=PRIVATE,
        folders=() if scope == USER else parents(path)[:2],
        home=home,
        scope=scope,
        entries=entries,
    )


def move_record(home: str) -> Plan:
    """Return the changes that move the record of a project which was moved here."""
    former = moved_record(home)
    if not former:
        return Plan()
    gone = Change(former, "moved with the project", read_bytes(former), None, folders=(os.path.dirname(former),))
    return Plan((change_record(home, LOCAL, {}), gone))


def combine(plans: Iterable[Plan]) -> Plan:
    """Return one plan of several; changes to the same record become one, in the place of the first."""
    whole = sum(plans, Plan())
    changes: list[Change] = []
    places: dict[str, int] = {}
    for change in whole.changes:
        if not isinstance(change, RecordChange):
            changes += [change] if change not in changes else []  # two hosts may share a file
        elif change.path not in places:
            places[change.path] = len(changes)
            changes.append(change)
        else:
            known = changes[places[change.path]]
            assert isinstance(known, RecordChange)
            entries = {**known.entries, **change.entries}
            changes[places[change.path]] = change_record(change.home, change.scope, entries)
    return Plan(tuple(changes), whole.notes)
