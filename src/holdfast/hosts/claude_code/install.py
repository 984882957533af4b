"""Plans the changes that install Holdfast in Claude Code's settings, and those that uninstall it."""

from __future__ import annotations

import base64
import hashlib
import os
import sys

from holdfast.ground.formats.json_edit import parse
from holdfast.hosts.claude_code import HOST
from holdfast.hosts.claude_code.edits import Registration, add_hooks, add_status_line, remove_ours
from holdfast.hosts.claude_code.events import TIMEOUTS
from holdfast.hosts.claude_code.settings import (
    SCOPES,
    settings_path,
    status_line,
    wrapped_status_line,
)
from holdfast.hosts.command import PACKAGE_ROOT, hook_command, read_command, refuse_throwaway, shared_command
from holdfast.hosts.file_changes import PRIVATE, PUBLIC, Change, Plan, missing_folders, parents, read_text_strictly
from holdfast.hosts.record import read_record, record_path, user_record
from holdfast.hosts.record_changes import change_record
from holdfast.hosts.scope import LOCAL, SHARED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.hosts.record import Entry, Record

STATUS_LINE = "StatusLine"


def registrations(shared: bool) -> tuple[Registration, ...]:
    """Return the registration of each event, with the line for a committed file (``shared``) or for this machine."""
    line = shared_command if shared else hook_command
    return tuple(Registration(event, line(HOST, event), timeout) for event, timeout in TIMEOUTS.items())


def plan_install(home: str, scope: str) -> Plan:
    """Return the changes to the record and the settings file of a scope; ``home`` is the project's ``.holdfast``.

    Raise HoldfastError for a throw-away interpreter and for settings that cannot be read.
    """
    project = os.path.dirname(home)
    path = settings_path(scope, project)
    if scope != SHARED:
        refuse_throwaway(sys.executable, beside=path)
        refuse_throwaway(os.path.join(PACKAGE_ROOT, "holdfast"), beside=path)
    recorded = record_path(home, scope)
    record = read_record(recorded)
    before, text = read_text_strictly(path)
    edited, notes = _edit(text, path, scope, project, record)
    if edited == text:
        return Plan(notes=notes)
    entry = _entry(path, scope, before, text, edited, record.get(path))
    what = f"hooks on {', '.join(TIMEOUTS)}" + ("" if scope == SHARED else "; status line")
    return Plan(
        (
            change_record(recorded, {path: entry}),
            Change(path, what, before, edited.encode(), PRIVATE if scope == LOCAL else PUBLIC),
        ),
        notes,
    )


def plan_removal(home: str, scopes: tuple[str, ...]) -> Plan:
    """Return the changes that remove us from these scopes; files unchanged since get their old bytes back."""
    project = os.path.dirname(home)
    changes: list[Change] = []
    for recorded in dict.fromkeys(record_path(home, scope) for scope in scopes):
        record = read_record(recorded)
        paths = [settings_path(scope, project) for scope in scopes if record_path(home, scope) == recorded]
        changes += [_removal(path, record.get(path)) for path in paths]
        changes.append(change_record(recorded, dict.fromkeys(paths)))
    return Plan(tuple(changes))


def _edit(text: str, path: str, scope: str, project: str, record: Record) -> tuple[str, tuple[str, ...]]:
    edited = add_hooks(text, registrations(scope == SHARED), path)
    if scope == SHARED:
        return edited, ()
    settings = parse(text)
    if isinstance(settings, dict) and settings.get("statusLine") and status_line(settings) is None:
        return edited, (f"{path}: the status line there has no command; it is left as it is",)
    wrapped = wrapped_status_line(project, read_record(user_record()) | record, SCOPES[SCOPES.index(scope) :])
    notes = (f"your status line ({wrapped[0]}) goes on, run by ours",) if wrapped else ()
    return add_status_line(edited, hook_command(HOST, STATUS_LINE), wrapped[1] if wrapped else {}), notes


def _entry(path: str, scope: str, before: bytes | None, text: str, edited: str, previous: Entry | None) -> Entry:
    """Return the file's entry in the record: its bytes without us, from before or derived from those of now."""
    original = _without_us(path, before, text, previous)
    return {
        "host": HOST,
        "scope": scope,
        "after": _digest(edited.encode()),
        "original": None if original is None else base64.b64encode(original).decode(),
        "folders": len(missing_folders(path)) or (previous or {}).get("folders", 0),
        "status_line": _replaced(text, previous, path) if scope != SHARED else None,
    }


def _without_us(path: str, before: bytes | None, text: str, entry: Entry | None) -> bytes | None:
    """Return the file's bytes without anything of ours; None where there would be no file."""
    encoded = (entry or {}).get("original")
    original = base64.b64decode(encoded) if isinstance(encoded, str) else None
    if before is None:
        return None
    if entry and _digest(before) == entry.get("after"):
        return original
    kept = remove_ours(text, parse((original or b"").decode()), _replaced(text, entry, path), path)
    nothing_but_ours = entry is not None and original is None and parse(kept) == {}
    return None if nothing_but_ours else kept.encode()


def _replaced(text: str, entry: Entry | None, where: str) -> dict[str, object] | None:
    """Return the foreign status line in the text, or the one that ours replaced there before."""
    line = status_line(parse(text, where))
    if line and read_command(line["command"]):
        return status_line({"statusLine": (entry or {}).get("status_line")})
    return line


def _removal(path: str, entry: Entry | None) -> Change:
    before, text = read_text_strictly(path)
    made = (entry or {}).get("folders")
    folders = parents(path)[: made if isinstance(made, int) else 0]
    return Change(path, "our hooks and status line go", before, _without_us(path, before, text, entry), folders=folders)


def _digest(raw: bytes | None) -> str:
    return "" if raw is None else hashlib.sha256(raw).hexdigest()
