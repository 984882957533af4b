"""Changes to the record of what was installed: several hosts' plans may each have one for the same file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from holdfast import __version__
from holdfast.ground.storage.files import read_bytes
from holdfast.hosts.file_changes import PRIVATE, Change, Plan
from holdfast.hosts.record import read_record, render_record, user_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.hosts.record import Entry


class RecordChange(Change):
    """A change to a record; ``entries``: by file the entry that it gets, None for one that goes."""

    entries: Mapping[str, Entry | None] = {}


def change_record(path: str, entries: Mapping[str, Entry | None]) -> RecordChange:
    """Return the change that gives the record at ``path`` these entries and leaves the others."""
    changed = {**read_record(path), **entries}
    after = render_record(path, {name: entry for name, entry in changed.items() if entry is not None}, __version__)
    return RecordChange(
        path=path,
        what="what was there before, for `holdfast uninstall`",
        before=read_bytes(path),
        after=after,
        mode=PRIVATE,
        folders=(os.path.dirname(path),) if path == user_record() else (),
        entries=entries,
    )


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
            changes[places[change.path]] = change_record(change.path, {**known.entries, **change.entries})
    return Plan(tuple(changes), whole.notes)
