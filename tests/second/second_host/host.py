"""The host for installing, examining and spawning: one settings file a project, and no way to run unattended."""

from __future__ import annotations

import base64
import json
import os
import sys

from limpet.ground.storage.files import read_bytes, read_text
from limpet.hosts import base
from limpet.hosts.base import Registered
from limpet.hosts.checks import FAIL, INIT, OK, Check, try_line
from limpet.hosts.commands.lines import hook_command
from limpet.hosts.file_changes import ChangePlan, FileChange, missing_folders, parents
from limpet.hosts.records import LOCAL, canonical, change_record, known_entries
from limpet.hosts.traces import without_traces
from limpet.work.session import TRIAL

from .events import HOST, KINDS

NAME = HOST
TITLE = "Second Host"
SCOPES = (LOCAL,)
EVENTS = tuple(KINDS)
CAN = frozenset((base.PROMPT, base.WINDOW))
HEADLESS = None
WHY_NOT = {name: "it is made up" for name in base.CAPABILITIES if name not in CAN}
CONSENT = ""
SUB_AGENTS = ""
# What the registry finds.
CLIENT = sys.modules[__name__]


def is_used(project):
    """Return whether its folder is there."""
    return os.path.isdir(os.path.join(project, ".second"))


def find_hindrance(project):
    """Return that nothing is in the way."""
    return "", ""


def plan_install(home, scope):
    """Return record and settings."""
    path = _settings(os.path.dirname(home))
    before = read_bytes(path)
    hooks = {event: hook_command(HOST, event) for event in EVENTS}
    after = json.dumps({**json.loads(before or b"{}"), "hooks": hooks}).encode()
    if after == before:
        return ChangePlan()
    original = None if before is None else base64.b64encode(before).decode()
    entry = {"host": HOST, "scope": scope, "original": original, "folders": len(missing_folders(path))}
    known = known_entries(home, LOCAL).get(path)
    return ChangePlan((change_record(home, LOCAL, {path: known or entry}), FileChange(path, "hooks", before, after)))


def plan_removal(home, scopes):
    """Return the bytes from before."""
    if LOCAL not in scopes:
        return ChangePlan()
    path = _settings(os.path.dirname(home))
    entry = known_entries(home, LOCAL).get(path)
    if entry is None:
        return ChangePlan()
    encoded = entry.get("original")
    original = base64.b64decode(encoded) if encoded else None
    folders = parents(path)[: entry.get("folders", 0)]
    change = FileChange(path, "our hooks go", read_bytes(path), original, folders=folders)
    return ChangePlan((change, change_record(home, LOCAL, {path: None})))


def registered(project):
    """Return its one settings file, if hooks of ours stand in it."""
    events = tuple(_hooks(project))
    return (Registered(LOCAL, _settings(project), events),) if events else ()


def other_hooks(folder):
    """Return nothing: its settings hold ours alone."""
    return ()


def in_force(folder):
    """Return its one settings file, which counts in its own folder only."""
    return registered(folder)


def private_files(project):
    """Return the settings file."""
    return (_settings(project),)


def written_files(project):
    """Return the same."""
    return private_files(project)


def find_deny_rules(project):
    return None


def plan_deny_rules(home, wanted):
    return ChangePlan()


def plan_writing(home, name):
    return ChangePlan()


def check(project):
    """Yield whether every event is there."""
    missing = [event for event in EVENTS if event not in _hooks(project)]
    yield Check(FAIL, f"second: no hook on {', '.join(missing)}", INIT) if missing else Check(OK, "second: all hooks")


check_registration = check


def try_hooks(workspace):
    """Yield how each line answers."""
    with without_traces(workspace, TRIAL):
        for event, line in _hooks(workspace.root).items():
            payload = {"talk": f"{TRIAL}second", "folder": workspace.root, "text": "hello"}
            yield try_line(f"second: {event}", line, payload, 10.0, dict(os.environ))[0]


def _settings(project):
    return canonical(os.path.join(project, ".second", "settings.json"))


def _hooks(project):
    return json.loads(read_text(_settings(project)) or "{}").get("hooks", {})
