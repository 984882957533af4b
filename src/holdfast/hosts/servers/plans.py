"""Plans the changes that put our server into the clients' configuration, and those that take it out."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Collection, Iterator
from functools import partial
from importlib.util import find_spec
from typing import Any

from holdfast.ground.errors import HoldfastError
from holdfast.ground.storage.user_folders import cache_folder, state_folder
from holdfast.ground.values import Value
from holdfast.hosts.doctor.checks import FAIL, INIT, OK, Check
from holdfast.hosts.file_changes import PRIVATE, PUBLIC, Change, Plan, read_text_strictly, refuse_link_out
from holdfast.hosts.hook_files.install import make_entry, original_bytes, plan_file_removal, without_ours
from holdfast.hosts.records.changes import RecordChange, change_record, combine
from holdfast.hosts.records.record import canonical, fingerprint, known_entries
from holdfast.hosts.scope import LOCAL, SHARED, USER
from holdfast.hosts.servers.clients import CLIENTS, ServerClient, place
from holdfast.hosts.servers.edits import CACHE, ENV, NAME, STATE, add_entry, find_entry, is_ours, is_shared, take_entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.hosts.hook_files.install import Take
    from holdfast.hosts.records.record import Entry

OWNER = "mcp"
"""Whom the record names for a file that holds nothing of ours but the server."""
WHAT = "the MCP server"
NO_SDK, HOW = "The MCP server needs the extra mcp", "Run: pip install 'holdfast[mcp]'"


class Server(Value):
    """Our server in a configuration: of which scope the file is, its path, the entry, and the clients that read it."""

    scope: str
    path: str
    entry: object
    clients: tuple[ServerClient, ...]


def find_servers(project: str) -> tuple[Server, ...]:
    """Return our server wherever it stands, in the project's files and the user's; what cannot be read has none."""
    found: dict[str, Server] = {}
    for scope in (LOCAL, USER):
        for client in CLIENTS.values():
            path = place(client, scope, project)
            entry = _read_entry(client, path) if path else None
            if is_ours(entry):
                scope_there = SHARED if scope == LOCAL and is_shared(entry) else scope
                others = found[path].clients if path in found else ()
                found[path] = Server(scope_there, canonical(path), entry, (*others, client))
    return tuple(found.values())


def plan_servers(home: str, scope: str, names: Collection[str], before: Plan) -> Plan:
    """Return a plan with the changes that put the server into the configuration of these clients and bring those that
    are there up to date.

    ``before``: the plan for hooks, which may change the same files. Raise HoldfastError for a configuration that cannot
    be read or has no place for it, and for a link that leads out of the project.
    """
    project = os.path.dirname(home)
    there = {client.name for server in find_servers(project) if _is_of(server, scope) for client in server.clients}
    plan = before
    for client in CLIENTS.values():
        if client.name in names or client.name in there:
            plan = _plan_server(client, home, scope, plan)
    return plan


def plan_server_removal(home: str, scopes: tuple[str, ...]) -> Plan:
    """Return the changes that take it out of files of these scopes; files that hold hooks too go with those."""
    plans, notes = [], []
    for server in find_servers(os.path.dirname(home)):
        entry, client = _recorded(home, server.path), server.clients[0]
        scope = str(entry.get("scope")) if entry else server.scope
        if scope in scopes and (entry is None or entry.get("host") == OWNER):
            where = place(client, scope, os.path.dirname(home))
            plans.append(plan_file_removal(home, scope, where, partial(take_entry, client.key), WHAT))
        elif scope not in scopes:
            notes.append(f"The MCP server stays in {server.path}. To remove it too, add --{scope}.")
    return combine([*plans, Plan(notes=tuple(notes))])


def private_files(project: str, names: Collection[str]) -> tuple[str, ...]:
    """Return the project's files that name a path of this machine, or will for these clients."""
    named = [place(client, LOCAL, project) for name, client in CLIENTS.items() if name in names]
    return tuple(dict.fromkeys((*named, *(server.path for server in find_servers(project) if server.scope == LOCAL))))


def require_sdk() -> None:
    """Raise HoldfastError where what the server stands on is not installed."""
    if not _has_sdk():
        raise HoldfastError(NO_SDK, "", HOW)


def check_servers(project: str) -> Iterator[Check]:
    """Yield for each configuration with our server whether the program that it names is there."""
    for server in find_servers(project):
        command = str(server.entry.get("command")) if isinstance(server.entry, dict) else ""
        readers = ", ".join(client.title for client in server.clients)
        if shutil.which(command) is None:
            yield Check(FAIL, f"{server.path} starts the MCP server by {command}, which is missing", INIT)
        else:
            yield Check(OK, f"{readers}: MCP server in {server.path}")
    if find_servers(project) and not _has_sdk():
        yield Check(FAIL, NO_SDK, HOW)


def _plan_server(client: ServerClient, home: str, scope: str, plan: Plan) -> Plan:
    project = os.path.dirname(home)
    where = place(client, scope, project)
    if not where:
        return plan + Plan(notes=(f"{client.title} is told of servers for all projects by hand: {client.by_hand}",))
    if scope != USER:
        refuse_link_out(where, project)
    path = canonical(where)
    pending = next((change for change in reversed(plan.changes) if change.path == path), None)
    before, text = (pending.after, (pending.after or b"").decode()) if pending else read_text_strictly(path)
    present, recorded = find_entry(client.key, text, path), _planned(plan, path) or known_entries(home, scope).get(path)
    if present is not None and not is_ours(present):
        return plan + Plan(notes=(f"{path} has another server with the name {NAME}. It was kept.",))
    if scope == LOCAL and is_shared(present):
        return plan
    edited = add_entry(client.key, text, entry_for(client, scope == SHARED), path)
    if edited == text:
        return plan
    records: tuple[Change, ...] = ()
    if entry := _entry_for_file(path, scope, before, edited, recorded, partial(take_entry, client.key), bool(pending)):
        records = (change_record(home, scope, {path: entry}),)
    mode = PRIVATE if scope == LOCAL else PUBLIC
    change = Change(path, WHAT, before, edited.encode(), mode)
    if pending:
        change = pending.replace(what=f"{pending.what}, {WHAT}", after=edited.encode())
    kept = tuple(each for each in plan.changes if each is not pending)
    return combine([Plan((*kept, *records, change), plan.notes)])


def entry_for(client: ServerClient, shared: bool) -> dict[str, Any]:
    """Return how the server is started: from PATH in a committed file, else by this interpreter, which leaves the
    working folder off its path, where a project may keep modules of any name, and with the user's folders, which a
    client keeps from it (Codex) or does not know (one that was started from a desktop)."""
    command, *before = (NAME,) if shared else (sys.executable, "-P", "-m", NAME)
    entry = {"command": command, "args": [*before, "mcp", *(("--project", client.folder) if client.folder else ())]}
    return entry if shared else {**entry, ENV: {STATE: state_folder(), CACHE: cache_folder()}}


def _entry_for_file(
    path: str, scope: str, before: bytes | None, edited: str, recorded: Entry | None, take: Take, is_planned: bool
) -> Entry | None:
    """Return the file's entry in the record, None where the one that is there holds on: of a file with hooks that was
    changed since, so that removal has to take us out piece by piece.

    ``before``: the bytes on disk, or those that are planned for it (``is_planned``).
    """
    owner = str((recorded or {}).get("host", OWNER))
    if owner == OWNER:
        original = without_ours(before, recorded, take)
    elif is_planned or fingerprint(before) == (recorded or {}).get("after"):
        original = original_bytes(recorded)
    else:
        return None
    return {**(recorded or {}), **make_entry(owner, path, scope, edited, original, recorded)}


def _planned(plan: Plan, path: str) -> Entry | None:
    entries = (change.entries.get(path) for change in plan.changes if isinstance(change, RecordChange))
    return next(filter(None, entries), None)


def _recorded(home: str, path: str) -> Entry | None:
    return known_entries(home, LOCAL).get(path) or known_entries(home, USER).get(path)


def _has_sdk() -> bool:
    return find_spec("mcp") is not None


def _is_of(server: Server, scope: str) -> bool:
    return server.scope == scope or (server.scope != USER and scope != USER)


def _read_entry(client: ServerClient, path: str) -> object:
    try:
        return find_entry(client.key, read_text_strictly(path)[1], path)
    except HoldfastError:
        return None
