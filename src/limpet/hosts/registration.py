"""Notices when our hooks in the clients' settings are not whole any more. The prompt path compares a stamp for each
file; only where one differs the settings are read."""

from __future__ import annotations

from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.storage.files import read_text, stamp, write_if_possible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.ground.workspace import Workspace

SEEN = "registration.json"


def has_changed(workspace: Workspace, unseen: bool = False) -> bool:
    """Return whether a settings file changed since they were looked at; ``unseen`` where they never were."""
    files = read_object(read_text(workspace.cached(SEEN))).get("files")
    return any(stamp(path) != (mark and tuple(mark)) for path, mark in files.items()) if files else unseen


def look(workspace: Workspace, remember: bool = True) -> str:
    """Return what is wrong with the registration and how to mend it; of what is remembered, what is newly wrong."""
    from limpet.hosts.doctor.checks import OK
    from limpet.hosts.registry import all_hosts

    root, seen = workspace.root, read_object(read_text(workspace.cached(SEEN)))
    found = {}
    for host in all_hosts():
        found[host] = [each.path for each in host.in_force(root)]
    hosts = [host for host, paths in found.items() if paths or host.NAME in seen.get("hosts", ())]
    if not hosts:
        return ""
    files: dict[str, object] = {}
    faults: list[str] = []
    for host in hosts:
        files |= {path: stamp(path) for path in (*found[host], *host.written_files(root))}
        faults += [f"{check.what} ({check.hint})" for check in host.check_registration(root) if check.status != OK]
    looked = {"files": files, "faults": faults, "hosts": [host.NAME for host in hosts]}
    if remember and not write_if_possible(workspace.cached(SEEN), dumps(looked)):
        return ""
    known = seen.get("faults", ()) if remember else ()
    return "; ".join(fault for fault in faults if fault not in known)


def faults(workspace: Workspace, changed: bool) -> str:
    """Return what is newly wrong, looked for only where a settings file changed; ``changed``: that one did just now,
    and is not in force yet."""
    return look(workspace, remember=not changed) if changed or has_changed(workspace) else ""
