"""The registry of hosts: one line each. The prompt hook imports it, so it imports the hosts' modules on demand."""

from __future__ import annotations

import os

from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.storage.files import read_text, stamp, write_if_possible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.ground.workspace import Workspace
    from limpet.hosts.base import Asking, Events, Host, StatusLine, Tools

# Name -> the host's folder, with the modules ``events`` (light, for the hook), ``host`` and perhaps
# ``status_line`` and ``asking`` (see ``base``). The first one is set up where there is no sign of any.
HOSTS = {
    "claude-code": "limpet.hosts.claude_code",
    "codex-cli": "limpet.hosts.codex",
    "copilot-cli": "limpet.hosts.copilot",
    "gemini-cli": "limpet.hosts.gemini",
    "cursor": "limpet.hosts.cursor",
    "vscode": "limpet.hosts.vscode",
    "antigravity": "limpet.hosts.antigravity",
}
# What people call them -> their names.
ALIASES = {"claude": "claude-code", "codex": "codex-cli", "copilot": "copilot-cli", "gemini": "gemini-cli"}
# Client -> the folder of a project where it reads rules (``rules_file``).
RULE_FOLDERS = {"cursor": ".cursor/rules", "copilot-cli": ".github/instructions"}


def events_of(name: str) -> Events | None:
    events: Events | None = _module(name, "events")
    return events


def status_line_of(name: str) -> StatusLine | None:
    """Raise ImportError for a host without one."""
    line: StatusLine | None = _module(name, "status_line")
    return line


def tools_of(name: str) -> Tools | None:
    """Raise ImportError for a host without one."""
    tools: Tools | None = _module(name, "tools")
    return tools


def host_of(name: str) -> Host | None:
    host: Host | None = getattr(_module(name, "host"), "CLIENT", None)
    return host


def asking_of(name: str) -> Asking | None:
    """Return the ``asking`` module, None for an unknown host and for one without it."""
    try:
        asking: Asking | None = _module(name, "asking")
    except ModuleNotFoundError as error:
        if error.name != f"{HOSTS.get(name)}.asking":
            raise
        return None
    return asking


def _module(name: str, part: str) -> Any:
    """None for an unknown host."""
    folder = HOSTS.get(name)
    return __import__(f"{folder}.{part}", fromlist=[part]) if folder else None


def all_hosts() -> tuple[Host, ...]:
    return tuple(host for name in HOSTS if (host := host_of(name)))


def find_sender(host: str, payload: dict[str, Any]) -> str:
    """Return whom a line of ``host`` serves: the client that sent the payload, which may run others' lines beside its
    own; "" where it says nothing there, or another line of ours does."""
    if host not in RUN_BY_OTHERS or not ("timestamp" in payload or "cursor_version" in payload):
        return host
    sender = _sender_of(payload)
    if sender in ("", host):
        return host
    from limpet.hosts.surroundings import speaks_in

    folder = os.environ.get(FOLDERS.get(sender, "")) or str(payload.get("cwd") or os.getcwd())
    return sender if speaks_in(host, sender, folder) else ""


RUN_BY_OTHERS = ("claude-code", "vscode")
# Client -> the variable that names the project to hooks.
FOLDERS = {"copilot-cli": "COPILOT_PROJECT_DIR", "cursor": "CURSOR_PROJECT_DIR"}


def _sender_of(payload: dict[str, Any]) -> str:
    """Return "" for a client whose payloads have no such sign."""
    from limpet.hosts.copilot import is_ours
    from limpet.hosts.vscode.events import is_ours as is_of_vscode

    if "cursor_version" in payload:
        return "cursor"
    if is_of_vscode(payload):
        return "vscode"
    return "copilot-cli" if is_ours(payload) else ""


SEEN = "registration.json"


def has_changed(workspace: Workspace, unseen: bool = False) -> bool:
    """Return whether a settings file changed since they were looked at; ``unseen`` where they never were."""
    files = read_object(read_text(workspace.cached(SEEN))).get("files")
    return any(stamp(path) != (mark and tuple(mark)) for path, mark in files.items()) if files else unseen


def look(workspace: Workspace, remember: bool = True) -> str:
    """Return what is wrong with the registration and how to mend it; of what is remembered, what is newly wrong."""
    from limpet.hosts.checks import OK
    from limpet.hosts.git_hook import lost_hook, recorded_hooks

    root, seen = workspace.root, read_object(read_text(workspace.cached(SEEN)))
    found = {}
    for host in all_hosts():
        found[host] = [each.path for each in host.in_force(root)]
    hosts = [host for host, paths in found.items() if paths or host.NAME in seen.get("hosts", ())]
    asking = recorded_hooks(root)
    if not (hosts or asking):
        return ""
    files: dict[str, object] = {}
    faults: list[str] = []
    for host in hosts:
        files |= {path: stamp(path) for path in (*found[host], *host.written_files(root))}
        faults += [f"{check.what} ({check.hint})" for check in host.check_registration(root) if check.status != OK]
    files |= {path: stamp(path) for path in asking}
    if lost := lost_hook(root):
        faults.append(f"{lost} no longer asks the guard before a push (run `limpet doctor --fix`)")
    looked = {"files": files, "faults": faults, "hosts": [host.NAME for host in hosts]}
    if remember and not write_if_possible(workspace.cached(SEEN), dumps(looked)):
        return ""
    known = seen.get("faults", ()) if remember else ()
    return "; ".join(fault for fault in faults if fault not in known)


def faults(workspace: Workspace, changed: bool) -> str:
    """``changed``: a settings file changed just now, and is not in force yet."""
    return look(workspace, remember=not changed) if changed or has_changed(workspace) else ""
