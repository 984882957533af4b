"""Changes to the record of what was installed: several hosts' plans may each have one for the same file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from holdfast import __version__
from holdfast.ground.storage.files import read_bytes
from holdfast.hosts.file_changes import PRIVATE, Change, Plan, parents
from holdfast.hosts.records.record import known_entries, older_record, record_path, render_record
from holdfast.hosts.scope import LOCAL, USER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.hosts.records.record import Entry


class RecordChange(Change):
    """A change to a record.

    ``home``, ``scope``: the project's ``.holdfast`` and a scope of that record.
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
        what="the previous content, for `holdfast uninstall`",
        before=read_bytes(path),
        after=render_record(kept, __version__, root),
        mode=PRIVATE,
        folders=() if scope == USER else parents(path)[:2],
        home=home,
        scope=scope,
        entries=entries,
    )


def move_records(home: str) -> Plan:
    """Return the changes that bring the records of a project and of the user to their places from older ones."""
    changes: list[Change] = []
    for scope in (LOCAL, USER):
        older = older_record(home, scope)
        if older:
            what = "moved to the state folder" if scope == USER else "moved with the project"
            gone = Change(older, what, read_bytes(older), None, folders=(os.path.dirname(older),))
            changes += [change_record(home, scope, {}), gone]
    return Plan(tuple(changes))


def combine(plans: Iterable[Plan]) -> Plan:
    """Return one plan of several; changes to the same record become one, in the place of the first."""
    whole = sum(plans, Plan())
    changes: list[Change] = []
    places: dict[str, int] = {}
    for change in whole.changes:
        if not isinstance(change, RecordChange):
            changes.append(change)
        elif change.path not in places:
            places[change.path] = len(changes)
            changes.append(change)
        else:
            known = changes[places[change.path]]
            assert isinstance(known, RecordChange)
            entries = {**known.entries, **change.entries}
            changes[places[change.path]] = change_record(change.home, change.scope, entries)
    return Plan(tuple(changes), whole.notes)
