"""Deny rules among Claude Code's own, which hold where no hook looks. Separate, because a person asks for them apart
from the hooks.

The syntax is that of Claude Code 2.1.329, tried with it: ``//**/`` is any folder of the disk, and the one form that
holds wherever a session is started; ``**/`` is below that folder, and on Linux the one form that its sandbox takes
over. A rule on reading holds for writing too; an exception (``!``) there is not.
"""

from __future__ import annotations

import os
import sys

from limpet.ground.formats.json_edit import parse_json_object, parse_json_text, render_like
from limpet.ground.workspace import FOLDER, SHARED, TREES
from limpet.hosts.base import OwnRules
from limpet.hosts.claude_code.install import add_rules, make_entry, plan_removal, recorded_rules, remove_rules
from limpet.hosts.claude_code.settings import denied, settings_in_force, settings_path, settings_place
from limpet.hosts.file_changes import PRIVATE, ChangePlan, FileChange, read_text_strictly, refuse_link_out
from limpet.hosts.hook_files import read_settings
from limpet.hosts.hook_install import original_bytes
from limpet.hosts.records import LOCAL, change_record, combine, known_entries, move_record

# Files that hold secrets and that nobody needs to read to work on a project: not .env.example, nor certificates.
ENVIRONMENTS = (".env", ".env.local", ".env.*.local", ".env.development", ".env.production")
KEYS = ("id_rsa", "id_ecdsa", "id_ed25519")
OWN = tuple(f"Read(//**/limpet/projects/*/{name}/**)" for name in (SHARED, TREES))
RULES = (
    *(f"Read(//**/{name})" for name in (*ENVIRONMENTS, *KEYS)),
    *(f"Read(**/{name})" for name in (*ENVIRONMENTS, *KEYS)),
    *OWN,
    "Edit(//**/.claude/settings*.json)",
)


def find_deny_rules(project: str) -> OwnRules:
    path, wanted = settings_path(LOCAL, project), _wanted(project)
    present: list[object] = []
    for each in settings_in_force(project):
        present += denied(read_settings(each))
    missing = tuple(rule for rule in wanted if rule not in present)
    were_added = recorded_rules(known_entries(os.path.join(project, FOLDER), LOCAL).get(path))
    state = "on"
    if missing:
        state = "partly" if were_added else "off"
    beyond = "Only Claude Code's sandbox stops what names no file, such as grep -r. To switch it on there: /sandbox"
    return OwnRules(path=path, rules=wanted, missing=missing, state=state, beyond=beyond)


def plan_deny_rules(home: str, wanted: bool) -> ChangePlan:
    project = os.path.dirname(home)
    refuse_link_out(settings_place(LOCAL, project), project)
    path = settings_path(LOCAL, project)
    entry = known_entries(home, LOCAL).get(path)
    if entry and not wanted and not entry.get("scope"):
        return plan_removal(home, (LOCAL,))
    before, text = read_text_strictly(path)
    rules, ours = _wanted(project) if wanted else (), recorded_rules(entry)
    original = parse_json_text((original_bytes(entry) or b"").decode())
    settings = parse_json_object(text, path)
    present = [*denied(settings)]
    remove_rules(settings, tuple(rule for rule in ours if rule not in rules), original)
    add_rules(settings, rules, path)
    edited = render_like(settings, text)
    if edited == text:
        return ChangePlan()
    scope = str((entry or {}).get("scope", ""))
    made = (entry or {}) | make_entry(path, scope, before, text, edited, entry)
    made["deny_rules"] = [rule for rule in rules if rule in ours or rule not in present]
    change = FileChange(path, "Claude Code's own deny rules", before, edited.encode(), PRIVATE)
    return combine([move_record(home), ChangePlan((change_record(home, LOCAL, {path: made}), change))])


def _wanted(project: str) -> tuple[str, ...]:
    """Return our rules; macOS's sandbox would take over those on Limpet's files, which commands in there read."""
    sandboxes = [read_settings(path).get("sandbox") for path in settings_in_force(project)]
    is_boxed = any(isinstance(sandbox, dict) and sandbox.get("enabled") for sandbox in sandboxes)
    return tuple(rule for rule in RULES if not (is_boxed and sys.platform == "darwin" and rule in OWN))
