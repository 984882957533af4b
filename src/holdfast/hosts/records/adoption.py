"""Takes over the record that earlier versions kept in the project, ``.holdfast/install.json``.

Such a file may be a stranger's: a branch can bring one. So nothing else reads it, it counts only where it agrees with
the settings as they are and with this machine, and of it only entries that could be ours are kept.
"""

from __future__ import annotations

import base64
import os

from holdfast.ground.formats.json_text import loads
from holdfast.ground.storage.confinement import leads_out
from holdfast.ground.storage.files import read_bytes, read_text
from holdfast.hosts.commands.launcher import Target
from holdfast.hosts.commands.lines import read_command
from holdfast.hosts.file_changes import Change, Plan, apply_changes
from holdfast.hosts.records.changes import change_record
from holdfast.hosts.records.record import NAME, canonical, fingerprint, project_record, read_record
from holdfast.hosts.registry import all_hosts
from holdfast.hosts.scope import LOCAL, USER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.hosts.records.record import Entry, Record


def matches_own_lines(home: str) -> bool:
    """Return whether the record in the project's ``.holdfast`` was made on this machine: its digests are those of the
    settings as they are, and these hold hook lines that name an installation here, outside the project."""
    entries = _entries(home)
    if not entries or any(fingerprint(read_bytes(path)) != entry["after"] for path, entry in entries.items()):
        return False
    root = os.path.realpath(os.path.dirname(home))
    targets = {target for path in entries for target in _targets(path)}
    return bool(targets) and all(_is_of_this_machine(target, root) for target in targets)


def adopt_record(home: str) -> None:
    """Move the project's old record to the user's state folder, where none lies yet; the old file goes in any case.

    Raise HoldfastError where that cannot be written.
    """
    apply_changes(plan_adoption(home).pending())


def old_status_lines(home: str) -> tuple[str, ...]:
    """Return the status lines in the project's old record, which ours would run once it is taken over."""
    lines = (entry.get("status_line") for entry in _entries(home).values())
    return tuple(str(line["command"]) for line in lines if isinstance(line, dict))


def plan_adoption(home: str) -> Plan:
    """Return the changes that do it."""
    old = _old_record(home)
    if not os.path.isfile(old) or leads_out(old):
        return Plan()
    entries = _entries(home)
    adopted = (change_record(home, LOCAL, entries),) if entries and not os.path.isfile(project_record(home)) else ()
    return Plan((*adopted, Change(old, "now in your state folder", read_bytes(old), None)))


def _entries(home: str) -> Record:
    """Return the entries of the old record that could be ours: of a known shape, for the settings of a known host in
    this project."""
    root = os.path.dirname(home)
    places = {
        found.path: (host.NAME, found.scope)
        for host in all_hosts()
        for found in host.registered(root)
        if found.scope != USER
    }
    known = read_record(_old_record(home))
    return {
        path: entry
        for path, entry in known.items()
        if places.get(path) == (entry.get("host"), entry.get("scope")) and _is_shaped(entry)
    }


def _old_record(home: str) -> str:
    return os.path.join(home, NAME)


def _is_shaped(entry: Entry) -> bool:
    after, original, folders = entry.get("after"), entry.get("original"), entry.get("folders", 0)
    line = entry.get("status_line")
    return (
        isinstance(after, str)
        and (original is None or _is_base64(original))
        and isinstance(folders, int)
        and (line is None or (isinstance(line, dict) and isinstance(line.get("command"), str)))
    )


def _is_base64(text: object) -> bool:
    try:
        return isinstance(text, str) and base64.b64decode(text, validate=True) is not None
    except ValueError:
        return False


def _targets(path: str) -> set[Target]:
    """Return the installations that the hook lines in a settings file name."""
    try:
        texts = _texts_in(loads(read_text(path) or ""))
        lines = [line for text in texts if (line := read_command(text)) and line.python]
    except ValueError:
        return set()
    return {Target(line.python, line.root) for line in lines}


def _texts_in(data: object) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    for value in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from _texts_in(value)


def _is_of_this_machine(target: Target, root: str) -> bool:
    inside = (canonical(path).startswith(root + os.sep) for path in (target.python, target.root))
    return target.is_alive() and not any(inside)
