"""Rules among Claude Code's own: deny rules, which hold where no hook looks, and the one by which it does not ask about
the command that writes memories. Separate, because a person asks for them apart from the hooks.

The syntax is that of Claude Code 2.1.329, tried with it: ``//**/`` is any folder of the disk, and the one form that
holds wherever a session is started; ``**/`` is below that folder, and on Linux the one form that its sandbox takes
over. A rule on reading holds for writing too; an exception (``!``) there is not.
"""

from __future__ import annotations

import os
import sys

from limpet.ground.formats.json_edit import parse_json_object, parse_json_text, render_like
from limpet.ground.storage.user_folders import PERSONAL, PROJECTS, data_folder
from limpet.ground.workspace import FOLDER
from limpet.hosts.base import OwnRules
from limpet.hosts.claude_code.install import add_rules, make_entry, plan_removal, recorded_rules, remove_rules
from limpet.hosts.claude_code.settings import RULES as KINDS
from limpet.hosts.claude_code.settings import rules_in, settings_in_force, settings_path, settings_place
from limpet.hosts.file_changes import PRIVATE, ChangePlan, FileChange, read_text_strictly, refuse_link_out
from limpet.hosts.git_files import refuse_tracked
from limpet.hosts.hook_files import read_settings
from limpet.hosts.hook_install import original_bytes
from limpet.hosts.records import LOCAL, change_record, combine, known_entries, move_record

# Files that hold secrets and that nobody needs to read to work on a project: not .env.example, nor certificates.
ENVIRONMENTS = (".env", ".env.local", ".env.*.local", ".env.development", ".env.production")
KEYS = ("id_rsa", "id_ecdsa", "id_ed25519")
RULES = (
    *(f"Read(//**/{name})" for name in (*ENVIRONMENTS, *KEYS)),
    *(f"Read(**/{name})" for name in (*ENVIRONMENTS, *KEYS)),
    "Edit(//**/.claude/settings*.json)",
)


def own_rules() -> tuple[str, ...]:
    """On what is private of projects and of the person."""
    folder = os.path.splitdrive(data_folder())[1].replace(os.sep, "/")
    return tuple(f"Read(//**{folder}/{name}/**)" for name in (PROJECTS, PERSONAL))


def find_deny_rules(project: str) -> OwnRules:
    path, wanted = settings_path(LOCAL, project), _wanted(project)
    present: list[object] = []
    for each in settings_in_force(project):
        present += rules_in(read_settings(each))
    missing = tuple(rule for rule in wanted if rule not in present)
    were_added = recorded_rules(known_entries(os.path.join(project, FOLDER), LOCAL).get(path))
    state = "on"
    if missing:
        state = "partly" if were_added else "off"
    beyond = "Only Claude Code's sandbox stops what names no file, such as grep -r. To switch it on there: /sandbox"
    return OwnRules(path=path, rules=wanted, missing=missing, state=state, beyond=beyond)


def plan_deny_rules(home: str, wanted: bool) -> ChangePlan:
    rules = _wanted(os.path.dirname(home)) if wanted else ()
    return _plan_rules(home, "deny_rules", rules, "Claude Code's own deny rules")


def plan_writing(home: str, name: str) -> ChangePlan:
    """``name``: the command as agents are told it, "" to ask about it again. The rule is on nothing but writing."""
    rules = (f"Bash({name} memory write:*)",) if name else ()
    return _plan_rules(home, "allow_rules", rules, "lets agents write memories without asking you")


def _plan_rules(home: str, kind: str, rules: tuple[str, ...], what: str) -> ChangePlan:
    project = os.path.dirname(home)
    refuse_link_out(settings_place(LOCAL, project), project)
    path = settings_path(LOCAL, project)
    entry = known_entries(home, LOCAL).get(path)
    others = [each for each in KINDS if each != kind and recorded_rules(entry, each)]
    if entry and not (rules or others or entry.get("scope")):
        return plan_removal(home, (LOCAL,))
    if rules:
        refuse_tracked(path, project)
    before, text = read_text_strictly(path)
    ours = recorded_rules(entry, kind)
    original = parse_json_text((original_bytes(entry) or b"").decode())
    settings = parse_json_object(text, path)
    present = [*rules_in(settings, kind)]
    remove_rules(settings, kind, tuple(rule for rule in ours if rule not in rules), original)
    add_rules(settings, kind, rules, path)
    edited = render_like(settings, text)
    if edited == text:
        return ChangePlan()
    scope = str((entry or {}).get("scope", ""))
    made = (entry or {}) | make_entry(path, scope, before, text, edited, entry)
    made[kind] = [rule for rule in rules if rule in ours or rule not in present]
    change = FileChange(path, what, before, edited.encode(), PRIVATE)
    return combine([move_record(home), ChangePlan((change_record(home, LOCAL, {path: made}), change))])


def _wanted(project: str) -> tuple[str, ...]:
    """Return our rules; macOS's sandbox would take over those on Limpet's files, which commands in there read."""
    sandboxes = [read_settings(path).get("sandbox") for path in settings_in_force(project)]
    is_boxed = any(isinstance(sandbox, dict) and sandbox.get("enabled") for sandbox in sandboxes)
    return RULES if is_boxed and sys.platform == "darwin" else (*RULES, *own_rules())
