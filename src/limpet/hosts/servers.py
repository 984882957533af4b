"""Our MCP server in the clients' own configuration: where each reads it, put in and taken out."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Collection, Iterator
from functools import partial
from importlib.util import find_spec
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.formats.json_edit import COMMENTS, COMMENTS_AND_COMMAS
from limpet.ground.storage.confinement import leads_out
from limpet.ground.storage.user_folders import cache_folder, state_folder
from limpet.ground.values import Value
from limpet.hosts.checks import FAIL, INIT, OK, Check
from limpet.hosts.codex.host import codex_home
from limpet.hosts.file_changes import (
    PRIVATE,
    PUBLIC,
    ChangePlan,
    FileChange,
    read_text_strictly,
    refuse_link_out,
)
from limpet.hosts.gemini.host import SERVERS, gemini_home
from limpet.hosts.git_files import refuse_tracked
from limpet.hosts.hook_install import Take, make_entry, original_bytes, plan_file_removal, without_ours
from limpet.hosts.origin import install_line
from limpet.hosts.records import (
    LOCAL,
    SHARED,
    USER,
    Entry,
    RecordChange,
    canonical,
    change_record,
    combine,
    fingerprint,
    known_entries,
)
from limpet.hosts.server_edits import (
    NAME,
    add_entry,
    find_server_entry,
    is_our_server,
    is_shared,
    render_server,
    take_entry,
)
from limpet.transcripts.copilot import copilot_home

OWNER = "mcp"
"""Whom the record names for a file that holds nothing of ours but the server."""
WHAT = "the MCP server"
NO_SDK = "The MCP server needs the extra mcp"


class Server(Value):
    scope: str
    path: str
    entry: object
    clients: tuple[ServerClient, ...]


def find_servers(project: str) -> tuple[Server, ...]:
    """What cannot be read has none, nor what a link out of the project leads to."""
    found = []
    for path, (scope, clients) in _configurations(project).items():
        entry = _read_entry(clients[0], path)
        if is_our_server(entry) and (scope == USER or not leads_out(server_place(clients[0], scope, project), project)):
            found.append(Server(SHARED if scope == LOCAL and is_shared(entry) else scope, path, entry, clients))
    return tuple(found)


def plan_servers(home: str, scope: str, names: Collection[str], before: ChangePlan) -> ChangePlan:
    """``before``: the plan for hooks, which may change the same files; entries that are there are brought up to date.
    Raise LimpetError for a link that leads out of the project."""
    there: set[str] = set()
    for server in find_servers(os.path.dirname(home)):
        there |= {client.name for client in server.clients} if server.scope == scope else set()
    plan = before
    for client in CLIENTS.values():
        if client.name in names or client.name in there:
            plan = _plan_server(client, home, scope, plan)
    return plan.replace(notes=tuple(dict.fromkeys(plan.notes)))


def plan_server_removal(
    home: str, scopes: tuple[str, ...], before: ChangePlan, names: Collection[str] = ()
) -> ChangePlan:
    """``before``: the plan for hooks, which may change the same files. ``names``: of clients, none for all."""
    project = os.path.dirname(home)
    standing, plan = {server.path: server for server in find_servers(project)}, before
    for path, (scope, clients) in _configurations(project).items():
        entry = known_entries(home, scope).get(path)
        is_alone = entry is None or entry.get("host") == OWNER
        is_meant = not names or any(client.name in names for client in clients)
        if not is_meant or not (path in standing or (entry and is_alone)):
            continue
        of = str(entry.get("scope")) if entry else standing[path].scope
        take = partial(take_entry, clients[0].key)
        if of not in scopes:
            plan += ChangePlan(notes=(f"The MCP server stays in {path}. To remove it too, add --{of}.",))
        elif not is_alone or _pending(plan, path):
            original = (original_bytes(entry) or b"").decode()
            plan = _plan_edit(path, home, of, plan, partial(take, original=original), take)
        else:
            where = server_place(clients[0], of, project)
            try:
                plan += plan_file_removal(home, of, where, take, WHAT)
            except LimpetError as error:
                note = f"{error.where}: {error.what}. If the MCP server is there, remove it by hand."
                plan += ChangePlan(notes=(note,))
    return combine([plan])


def private_server_files(project: str, names: Collection[str]) -> tuple[str, ...]:
    named = [canonical(server_place(client, LOCAL, project)) for name, client in CLIENTS.items() if name in names]
    return tuple(dict.fromkeys((*named, *(server.path for server in find_servers(project) if server.scope == LOCAL))))


def require_sdk() -> None:
    if not has_sdk():
        raise LimpetError(NO_SDK, "", f"Run: {install_line('mcp')}")


def check_servers(project: str) -> Iterator[Check]:
    for server in find_servers(project):
        command = str(server.entry.get("command")) if isinstance(server.entry, dict) else ""
        readers = ", ".join(client.title for client in server.clients)
        if shutil.which(command) is None:
            how = "put it on PATH" if is_shared(server.entry) else INIT
            yield Check(FAIL, f"{server.path} starts the MCP server by {command}, which is missing", how)
        else:
            yield Check(OK, f"{readers}: MCP server in {server.path}")
    if find_servers(project) and not has_sdk():
        yield Check(FAIL, NO_SDK, f"run `{install_line('mcp')}`")


def _plan_server(client: ServerClient, home: str, scope: str, plan: ChangePlan) -> ChangePlan:
    project = os.path.dirname(home)
    where = server_place(client, scope, project)
    if not where:
        note = f"{client.title} is told of servers for all projects by hand: {client.by_hand}"
        return plan + ChangePlan(notes=(note,))
    if scope != USER:
        refuse_link_out(where, project)
    path, entry = canonical(where), entry_for(client, scope == SHARED)
    present = _read_entry(client, path)
    if present is not None and not is_our_server(present):
        return plan + ChangePlan(notes=(f"{path} has another server with the name {NAME}. It was kept.",))
    if (scope == LOCAL and is_shared(present)) or present == entry:
        return plan
    if scope == LOCAL and present != entry:
        try:
            refuse_tracked(path, project)
        except LimpetError as error:
            how = client.by_hand or "limpet init --mcp --user"
            note = f"{path}: {error.what}. For you alone: {how}. For everybody here: limpet init --mcp --shared"
            return plan + ChangePlan(notes=(note,))
    edit = partial(add_entry, client.key, entry=entry, where=path)
    try:
        return _plan_edit(path, home, scope, plan, edit, partial(take_entry, client.key))
    except LimpetError as error:
        by_hand = f"To have the MCP server there, add by hand: {render_server(client.key, entry)}"
        return plan + ChangePlan(notes=(f"{error.where}: {error.what}. {by_hand}",))


def _plan_edit(
    path: str, home: str, scope: str, plan: ChangePlan, edit: Callable[[str], str], take: Take
) -> ChangePlan:
    pending = _pending(plan, path)
    before, text = (pending.after, (pending.after or b"").decode()) if pending else read_text_strictly(path)
    edited = edit(text)
    if edited == text:
        return plan
    planned = (change.entries.get(path) for change in plan.changes if isinstance(change, RecordChange))
    recorded = next(filter(None, planned), None) or known_entries(home, scope).get(path)
    records: tuple[FileChange, ...] = ()
    if entry := _entry_for_file(path, scope, before, edited, recorded, take, bool(pending)):
        records = (change_record(home, scope, {path: entry}),)
    change = FileChange(path, WHAT, before, edited.encode(), PRIVATE if scope == LOCAL else PUBLIC)
    if pending:
        change = pending.replace(what=f"{pending.what}, {WHAT}", after=edited.encode())
    kept = tuple(each for each in plan.changes if each is not pending)
    return combine([ChangePlan((*kept, *records, change), plan.notes)])


def entry_for(client: ServerClient, shared: bool) -> dict[str, Any]:
    """``-P`` leaves the working folder off the path, where a project may keep modules of any name; the user's folders
    are named where variables move them, which clients such as Codex keep from a server."""
    project = ("--project", client.folder) if client.folder else ()
    if shared:
        return {"command": NAME, "args": ["mcp", *project]}
    moving = ("LIMPET_STATE", "XDG_STATE_HOME", "LIMPET_CACHE", "XDG_CACHE_HOME")
    folders = ("--folders", state_folder(), cache_folder()) if any(map(os.environ.get, moving)) else ()
    return {"command": sys.executable, "args": ["-P", "-m", NAME, "mcp", *project, *folders]}


def _entry_for_file(
    path: str, scope: str, before: bytes | None, edited: str, recorded: Entry | None, take: Take, is_planned: bool
) -> Entry | None:
    """Return None where the recorded entry holds on: of a file with hooks that was changed since, so that removal has
    to take us out piece by piece. ``before``: the bytes on disk, or those that are planned for it (``is_planned``)."""
    owner = str((recorded or {}).get("host", OWNER))
    if owner == OWNER:
        original = without_ours(before, recorded, take)
    elif is_planned or fingerprint(before) == (recorded or {}).get("after"):
        original = original_bytes(recorded)
    else:
        return None
    return {**(recorded or {}), **make_entry(owner, path, scope, edited, original, recorded)}


def _pending(plan: ChangePlan, path: str) -> FileChange | None:
    return next((change for change in reversed(plan.changes) if change.path == path), None)


def _configurations(project: str) -> dict[str, tuple[str, tuple[ServerClient, ...]]]:
    found: dict[str, tuple[str, tuple[ServerClient, ...]]] = {}
    for scope in (LOCAL, USER):
        for client in CLIENTS.values():
            if where := server_place(client, scope, project):
                path = canonical(where)
                found[path] = (scope, (*(found[path][1] if path in found else ()), client))
    return found


def has_sdk() -> bool:
    return find_spec("mcp") is not None


def _read_entry(client: ServerClient, path: str) -> object:
    try:
        return find_server_entry(client.key, read_text_strictly(path)[1], path, client.skips)
    except LimpetError:
        return None


class ServerClient(Value):
    """``user_file``: returns the user's own configuration, "" where ``by_hand`` is the way there, for people only.
    ``key``: the member that holds the servers; "" where the file is TOML.
    ``folder``: what the client puts in for the folder that is open, "" where it starts servers there.
    ``consent``: what a person does in it before it starts a project's server, "" for no more than for hooks.
    ``skips``: what it passes over in its file."""

    name: str
    title: str
    file: str
    user_file: Callable[[], str] = str
    by_hand: str = ""
    key: str = SERVERS
    folder: str = ""
    consent: str = ""
    skips: re.Pattern[str] | None = None


CLIENTS = {
    client.name: client
    for client in (
        # Its own file holds the state of every project, and it writes it all the time.
        ServerClient(
            "claude-code",
            "Claude Code",
            ".mcp.json",
            by_hand="claude mcp add -s user limpet -- limpet mcp",
            consent='start `claude` here once and choose "Use this MCP server". It leaves out one that nobody chose.',
        ),
        ServerClient("codex-cli", "Codex", ".codex/config.toml", lambda: _join(codex_home(), "config.toml"), key=""),
        ServerClient("copilot-cli", "Copilot CLI", ".mcp.json", lambda: _join(copilot_home(), "mcp-config.json")),
        ServerClient(
            "gemini-cli",
            "Gemini CLI",
            ".gemini/settings.json",
            lambda: _join(gemini_home(), "settings.json"),
            skips=COMMENTS,
        ),
        ServerClient(
            "cursor",
            "Cursor",
            ".cursor/mcp.json",
            lambda: _join("~", ".cursor", "mcp.json"),
            folder="${workspaceFolder}",
        ),
        ServerClient(
            "vscode",
            "VS Code",
            ".vscode/mcp.json",
            by_hand="MCP: Add Server, with the command: limpet mcp",
            key="servers",
            folder="${workspaceFolder}",
            skips=COMMENTS_AND_COMMAS,
        ),
        ServerClient(
            "antigravity",
            "Antigravity",
            ".agents/mcp_config.json",
            lambda: _join("~", ".gemini", "config", "mcp_config.json"),
        ),
    )
}


def server_place(client: ServerClient, scope: str, project: str) -> str:
    """Return "" where the client has no configuration of that scope that a program should write."""
    return client.user_file() if scope == USER else os.path.join(project, *client.file.split("/"))


def _join(*parts: str) -> str:
    return os.path.expanduser(os.path.join(*parts))
