"""Plans the changes that put our server into the clients' configuration, and those that take it out."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Collection, Iterator
from functools import partial
from importlib.util import find_spec
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.storage.confinement import leads_out
from limpet.ground.storage.user_folders import cache_folder, state_folder
from limpet.ground.values import Value
from limpet.hosts.doctor.checks import FAIL, INIT, OK, Check
from limpet.hosts.file_changes import PRIVATE, PUBLIC, Change, Plan, read_text_strictly, refuse_link_out
from limpet.hosts.hook_files.install import make_entry, original_bytes, plan_file_removal, without_ours
from limpet.hosts.records.changes import RecordChange, change_record, combine
from limpet.hosts.records.record import canonical, fingerprint, known_entries
from limpet.hosts.scope import LOCAL, SHARED, USER
from limpet.hosts.servers.clients import CLIENTS, WITHOUT_HOOKS, ServerClient, place
from limpet.hosts.servers.edits import NAME, add_entry, find_entry, is_ours, is_shared, render, take_entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.hosts.hook_files.install import Take
    from limpet.hosts.records.record import Entry

OWNER = "mcp"
"""Whom the record names for a file that holds nothing of ours but the server."""
WHAT = "the MCP server"
# The variables by which a user moves the folders of state and caches.
MOVED = ("LIMPET_STATE", "XDG_STATE_HOME", "LIMPET_CACHE", "XDG_CACHE_HOME")
NO_SDK, HOW = "The MCP server needs the extra mcp", "Run: pip install 'limpet[mcp]'"


class Server(Value):
    """Our server in a configuration: of which scope the file is, its path, the entry, and the clients that read it."""

    scope: str
    path: str
    entry: object
    clients: tuple[ServerClient, ...]


def find_servers(project: str) -> tuple[Server, ...]:
    """Return our server wherever it stands, in the project's files and the user's; what cannot be read has none, nor
    what a link out of the project leads to."""
    found = []
    for path, (scope, clients) in _configurations(project).items():
        entry = _read_entry(clients[0], path)
        if is_ours(entry) and (scope == USER or not leads_out(place(clients[0], scope, project), project)):
            found.append(Server(SHARED if scope == LOCAL and is_shared(entry) else scope, path, entry, clients))
    return tuple(found)


def plan_servers(home: str, scope: str, names: Collection[str], before: Plan) -> Plan:
    """Return a plan with the changes that put the server into the configuration of these clients and bring those that
    are there up to date.

    ``before``: the plan for hooks, which may change the same files. Raise LimpetError for a link that leads out of
    the project.
    """
    servers = (server for server in find_servers(os.path.dirname(home)) if server.scope == scope)
    there = {client.name for server in servers for client in server.clients}
    plan = before
    for client in CLIENTS.values():
        if client.name in names or client.name in there:
            plan = _plan_server(client, home, scope, plan)
    return plan.replace(notes=tuple(dict.fromkeys(plan.notes)))


def plan_server_removal(home: str, scopes: tuple[str, ...], before: Plan, names: Collection[str] = ()) -> Plan:
    """Return a plan with the changes that take it out of files of these scopes.

    ``before``: the plan for hooks, which may change the same files.
    ``names``: of clients, none for all.
    """
    project = os.path.dirname(home)
    standing, plan = {server.path: server for server in find_servers(project)}, before
    for path, (scope, clients) in _configurations(project).items():
        entry = known_entries(home, scope).get(path)
        is_alone = entry is None or entry.get("host") == OWNER
        if not (path in standing or (entry and is_alone)) or not _is_named(clients, names):
            continue
        of = str(entry.get("scope")) if entry else standing[path].scope
        take = partial(take_entry, clients[0].key)
        if of not in scopes:
            plan += Plan(notes=(f"The MCP server stays in {path}. To remove it too, add --{of}.",))
        elif not is_alone or _pending(plan, path):
            original = (original_bytes(entry) or b"").decode()
            plan = _plan_edit(path, home, of, plan, partial(take, original=original), take)
        else:
            plan += _plan_file_removal(clients[0], home, of, take)
    return combine([plan])


def private_files(project: str, names: Collection[str]) -> tuple[str, ...]:
    """Return the project's files that name a path of this machine, or will for these clients."""
    named = [canonical(place(client, LOCAL, project)) for name, client in CLIENTS.items() if name in names]
    return tuple(dict.fromkeys((*named, *(server.path for server in find_servers(project) if server.scope == LOCAL))))


def has_plain_client(project: str) -> bool:
    """Return whether the project's files have our server for a client that runs no hooks of ours."""
    found = (server for server in find_servers(project) if server.scope != USER)
    return any(client.name in WITHOUT_HOOKS for server in found for client in server.clients)


def require_sdk() -> None:
    """Raise LimpetError where what the server stands on is not installed."""
    if not _has_sdk():
        raise LimpetError(NO_SDK, "", HOW)


def check_servers(project: str) -> Iterator[Check]:
    """Yield for each configuration with our server whether the program that it names is there."""
    for server in find_servers(project):
        command = str(server.entry.get("command")) if isinstance(server.entry, dict) else ""
        readers = ", ".join(client.title for client in server.clients)
        if shutil.which(command) is None:
            how = "put it on PATH" if is_shared(server.entry) else INIT
            yield Check(FAIL, f"{server.path} starts the MCP server by {command}, which is missing", how)
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
    path, entry = canonical(where), entry_for(client, scope == SHARED)
    present = _read_entry(client, path)
    if present is not None and not is_ours(present):
        return plan + Plan(notes=(f"{path} has another server with the name {NAME}. It was kept.",))
    if scope == LOCAL and is_shared(present):
        return plan
    edit = partial(add_entry, client.key, entry=entry, where=path)
    try:
        return _plan_edit(path, home, scope, plan, edit, partial(take_entry, client.key))
    except LimpetError as error:
        by_hand = f"To have the MCP server there, add by hand: {render(client.key, entry)}"
        return plan + Plan(notes=(f"{error.where}: {error.what}. {by_hand}",))


def _plan_edit(path: str, home: str, scope: str, plan: Plan, edit: Callable[[str], str], take: Take) -> Plan:
    """Return the plan with an edit of a file, as it is or as it is planned."""
    pending = _pending(plan, path)
    before, text = (pending.after, (pending.after or b"").decode()) if pending else read_text_strictly(path)
    recorded, edited = _planned(plan, path) or known_entries(home, scope).get(path), edit(text)
    if edited == text:
        return plan
    records: tuple[Change, ...] = ()
    if entry := _entry_for_file(path, scope, before, edited, recorded, take, bool(pending)):
        records = (change_record(home, scope, {path: entry}),)
    change = Change(path, WHAT, before, edited.encode(), PRIVATE if scope == LOCAL else PUBLIC)
    if pending:
        change = pending.replace(what=f"{pending.what}, {WHAT}", after=edited.encode())
    kept = tuple(each for each in plan.changes if each is not pending)
    return combine([Plan((*kept, *records, change), plan.notes)])


def _plan_file_removal(client: ServerClient, home: str, scope: str, take: Take) -> Plan:
    """Return the changes to a file that holds nothing else of ours."""
    where = place(client, scope, os.path.dirname(home))
    try:
        return plan_file_removal(home, scope, where, take, WHAT)
    except LimpetError as error:
        return Plan(notes=(f"{error.where}: {error.what}. If the MCP server is there, remove it by hand.",))


def entry_for(client: ServerClient, shared: bool) -> dict[str, Any]:
    """Return how the server is started: from PATH in a committed file, else by this interpreter, which leaves the
    working folder off its path, where a project may keep modules of any name, and is told of the user's folders where
    variables name them, which clients such as Codex keep from a server."""
    project = ("--project", client.folder) if client.folder else ()
    if shared:
        return {"command": NAME, "args": ["mcp", *project]}
    folders = ("--folders", state_folder(), cache_folder()) if any(map(os.environ.get, MOVED)) else ()
    return {"command": sys.executable, "args": ["-P", "-m", NAME, "mcp", *project, *folders]}


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


def _pending(plan: Plan, path: str) -> Change | None:
    return next((change for change in reversed(plan.changes) if change.path == path), None)


def _configurations(project: str) -> dict[str, tuple[str, tuple[ServerClient, ...]]]:
    """Return path -> (scope, the clients that read it), of the project's files and the user's."""
    found: dict[str, tuple[str, tuple[ServerClient, ...]]] = {}
    for scope in (LOCAL, USER):
        for client in CLIENTS.values():
            if where := place(client, scope, project):
                path = canonical(where)
                found[path] = (scope, (*(found[path][1] if path in found else ()), client))
    return found


def _is_named(clients: tuple[ServerClient, ...], names: Collection[str]) -> bool:
    return not names or any(client.name in names for client in clients)


def _has_sdk() -> bool:
    return find_spec("mcp") is not None


def _read_entry(client: ServerClient, path: str) -> object:
    try:
        return find_entry(client.key, read_text_strictly(path)[1], path)
    except LimpetError:
        return None
