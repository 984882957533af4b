"""Deny rules among Claude Code's own, which hold where no hook looks. Separate, because a person asks for them apart
from the hooks.

The syntax is that of Claude Code 2.1.329, tried with it: ``//**/`` is any folder of the disk, and the one form that
holds wherever a session is started; ``**/`` is below that folder, and on Linux the one form that its sandbox takes
over. A rule on reading holds for writing too; an exception (``!``) there is not.
"""

from __future__ import annotations

import os
import sys

from holdfast.engine.guard.scene import KEPT, MEMORIES
from holdfast.ground.formats.json_edit import parse
from holdfast.ground.workspace import FOLDER
from holdfast.hosts.base import OwnRules
from holdfast.hosts.claude_code.edits import add_rules, remove_rules
from holdfast.hosts.claude_code.install import make_entry, original_bytes, plan_removal, recorded_rules
from holdfast.hosts.claude_code.settings import (
    denied,
    read_settings,
    settings_in_force,
    settings_path,
    settings_place,
)
from holdfast.hosts.file_changes import PRIVATE, Change, Plan, read_text_strictly, refuse_link_out
from holdfast.hosts.records.changes import change_record, combine, move_record
from holdfast.hosts.records.record import known_entries
from holdfast.hosts.scope import LOCAL

# Files that hold secrets and that nobody needs to read to work on a project: not .env.example, nor certificates.
SECRETS = (
    ".env",
    ".env.local",
    ".env.*.local",
    ".env.development",
    ".env.production",
    "id_rsa",
    "id_ecdsa",
    "id_ed25519",
)
OWN = tuple(f"Read(//**/{FOLDER}/{name}/**)" for name in (MEMORIES, *KEPT))
RULES = (
    *(f"Read({start}{name})" for name in SECRETS for start in ("//**/", "**/")),
    *OWN,
    "Edit(//**/.claude/settings*.json)",
)
BEYOND = (
    "A command that does not name the file, such as grep -r, is stopped by Claude Code's sandbox only. "
    "To switch it on: /sandbox in Claude Code"
)


def find_rules(project: str) -> OwnRules:
    """Return how our rules stand in a project."""
    path, wanted = settings_path(LOCAL, project), _wanted(project)
    present = [rule for each in settings_in_force(project) for rule in denied(read_settings(each))]
    added = recorded_rules(known_entries(os.path.join(project, FOLDER), LOCAL).get(path))
    return OwnRules(
        path=path,
        rules=wanted,
        missing=tuple(rule for rule in wanted if rule not in present),
        surplus=tuple(rule for rule in added if rule in present and rule not in wanted),
        was_added=bool(added),
    )


def plan_rules(home: str, wanted: bool) -> Plan:
    """Return the changes to the record and the project's local settings that add our rules, or take out those that we
    added. Raise HoldfastError for settings that cannot be read, and for a link that leads out of the project."""
    project = os.path.dirname(home)
    refuse_link_out(settings_place(LOCAL, project), project)
    path = settings_path(LOCAL, project)
    entry = known_entries(home, LOCAL).get(path)
    if entry and not wanted and not entry.get("scope"):
        return plan_removal(home, (LOCAL,))
    before, text = read_text_strictly(path)
    rules = _wanted(project) if wanted else ()
    ours = recorded_rules(entry) if entry or wanted else RULES  # the record is lost
    original = parse((original_bytes(entry) or b"").decode())
    cleared = remove_rules(text, tuple(rule for rule in ours if rule not in rules), original, path)
    edited = add_rules(cleared, rules, path)
    if edited == text:
        return Plan()
    change = Change(path, "Claude Code's own deny rules", before, edited.encode(), PRIVATE)
    if entry is None and not wanted:
        return Plan((change,))
    scope, present = str((entry or {}).get("scope", "")), denied(parse(text))
    made = {
        **(entry or {}),
        **make_entry(path, scope, before, text, edited, entry),
        "deny_rules": [rule for rule in rules if rule in ours or rule not in present],
    }
    return combine([move_record(home), Plan((change_record(home, LOCAL, {path: made}), change))])


def _wanted(project: str) -> tuple[str, ...]:
    """Return our rules; on macOS a sandbox would take over those on Holdfast's files, which its commands in there
    read."""
    sandboxes = (read_settings(path).get("sandbox") for path in settings_in_force(project))
    is_sandboxed = any(isinstance(sandbox, dict) and sandbox.get("enabled") for sandbox in sandboxes)
    left_out = OWN if is_sandboxed and sys.platform == "darwin" else ()
    return tuple(rule for rule in RULES if rule not in left_out)
