"""Installs Limpet into a project and uninstalls it: planned as a value, then carried out."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Collection

from limpet.ground.errors import LimpetError
from limpet.ground.formats.markdown import take_block
from limpet.ground.git import is_tracked
from limpet.ground.own_name import shells_path
from limpet.ground.storage.archives import make_archive
from limpet.ground.storage.files import read_bytes
from limpet.ground.storage.project_caches import remove_caches
from limpet.ground.storage.scaffold import ATTRIBUTES, IGNORED, INBOX, UNITED, missing_files
from limpet.ground.storage.user_folders import QUIET, data_folder, data_record, quiet_path, state_folder
from limpet.ground.trust.giving import forget_project
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, workspace_at
from limpet.hosts.base import PROMPT, Host
from limpet.hosts.commands.launcher import (
    EXECUTABLE,
    here,
    launcher_files,
    launcher_path,
    refuse_throwaway_installation,
)
from limpet.hosts.file_changes import PRIVATE, ChangePlan, FileChange, apply_changes, parents
from limpet.hosts.git_exclude import plan_exclusion, plan_exclusion_removal
from limpet.hosts.git_hook import plan_pre_push_removal
from limpet.hosts.origin import install_line
from limpet.hosts.present import hosts_here
from limpet.hosts.records import (
    LOCAL,
    SHARED,
    USER,
    RecordChange,
    all_records,
    canonical,
    combine,
    known_entries,
    move_record,
    read_record,
    recorded_root,
    recorded_scopes,
    user_record,
)
from limpet.hosts.registry import all_hosts, host_of, look
from limpet.hosts.rules_file import rules_files
from limpet.hosts.servers import (
    CLIENTS,
    NO_SDK,
    OWNER,
    find_servers,
    has_sdk,
    plan_server_removal,
    plan_servers,
    private_server_files,
)
from limpet.work.lock import marked_files

# What a new ``.limpet`` starts with -> what it is for.
_PURPOSE = {IGNORED: "notes that agents leave", UNITED: "merges what two branches add"}


class Job(Value):
    """``changes``: in the order in which they are made.
    ``purged``: the ``.limpet`` to delete, and with it what is private of the project; "" for none.
    ``clients``: whom it is for, () where that is not told."""

    root: str
    changes: tuple[FileChange, ...]
    notes: tuple[str, ...] = ()
    purged: str = ""
    clients: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.changes or self.purged)


def plan_installation(root: str, scope: str, asked: Collection[str] = (), server: bool | None = None) -> Job:
    """``asked``: the names of clients, none for the hosts used here.
    ``server``: whether their configuration gets the MCP server or, False, loses it; None leaves it as it is, but for
    clients whom no hook reaches at the prompt.
    Raise LimpetError for a throw-away interpreter, for settings that cannot be read, and for links that lead out of
    the project."""
    home = os.path.join(root, FOLDER)
    hosts = _hosts(root, asked)
    scaffold = ChangePlan(
        tuple(FileChange(path, _PURPOSE[raw], None, raw) for path, raw in missing_files(root).items())
    )
    plans: list[ChangePlan] = []
    faults: list[LimpetError] = []
    titles = []
    for host in hosts:
        if scope not in host.SCOPES:
            raise LimpetError(f"{host.TITLE} has no settings for --{scope}", hint=f"run limpet init without --{scope}")
        try:
            plans.append(host.plan_install(home, scope))
            titles.append(host.TITLE)
        except LimpetError as error:
            faults.append(error)
            plans.append(ChangePlan(notes=(f"{host.TITLE} is left out. {error}",)))
    if hosts and not titles:
        raise faults[0]
    served = _served(hosts, server, scope)
    for host in hosts if server is None and not served else ():
        if PROMPT not in host.CAN:
            note = f"{NO_SDK}, by which {host.TITLE} looks up memories. Run: {install_line('mcp')}"
            plans.append(ChangePlan(notes=(note,)))
    launcher = ChangePlan() if scope == SHARED else plan_launcher()
    plan = combine([scaffold, launcher, move_record(home), *plans])
    if server is False:
        plan = plan_server_removal(home, (scope,), plan, asked)
    else:
        plan = _with_servers(home, scope, served, plan, server)
    if scope == LOCAL:
        plan = combine([plan, plan_exclusion(home, files_of_machine(root, plan))])
    return Job(root, plan.pending(), plan.notes, clients=tuple(titles))


def files_of_machine(root: str, plan: ChangePlan | None = None) -> tuple[str, ...]:
    """Return those of the project that hold paths of this machine, or will by the ``plan``."""
    named, held = [*private_server_files(root, CLIENTS)], [change.path for change in plan.changes] if plan else []
    held += [server.path for server in find_servers(root) if server.scope == LOCAL]
    for host in all_hosts():
        named += host.private_files(root)
        named += rules_files(host.NAME, root)[:1] if host.NAME == "cursor" else ()
        held += [found.path for found in host.registered(root) if found.scope == LOCAL]
    return tuple(path for path in dict.fromkeys(named) if path in held)


def _with_servers(home: str, scope: str, names: tuple[str, ...], plan: ChangePlan, wanted: bool | None) -> ChangePlan:
    """What nobody asked for keeps nothing else from being written. Raise LimpetError for what somebody did."""
    try:
        return plan_servers(home, scope, names, plan)
    except LimpetError as error:
        if wanted:
            raise
        return plan_servers(home, scope, (), plan) + ChangePlan(notes=(f"The MCP server is left out. {error}",))


def _served(hosts: Collection[Host], server: bool | None, scope: str) -> tuple[str, ...]:
    """Unasked those whom no hook reaches at the prompt, if the server can run."""
    if server is None and (scope == SHARED or has_sdk()):
        return tuple(host.NAME for host in hosts if PROMPT not in host.CAN)
    return tuple(host.NAME for host in hosts) if server else ()


def plan_uninstallation(root: str, shared: bool, user: bool, purge: bool) -> Job:
    """``shared``: also hooks in files that git keeps, if this project did not record them."""
    home = os.path.join(root, FOLDER)
    plans, left = [plan_block_removal(root), plan_pre_push_removal(root)], []

    def scopes_of(owner: str) -> tuple[str, ...]:
        asked = {LOCAL: True, SHARED: shared or SHARED in recorded_scopes(home, owner), USER: user}
        return tuple(scope for scope, is_asked in asked.items() if is_asked)

    for host in all_hosts():
        scopes = tuple(scope for scope in host.SCOPES if scope in scopes_of(host.NAME))
        plans.append(_plan_host_removal(host, home, scopes))
        left += [found.path for found in host.registered(root) if found.scope not in scopes]
    plans.append(plan_exclusion_removal(home))
    notes = tuple(f"Hooks stay in {path}. To remove them too, add --user or --shared." for path in left)
    plan = combine([move_record(home), *plans, _plan_scaffold_removal(root), ChangePlan(notes=notes)])
    plan = plan_server_removal(home, scopes_of(OWNER), plan)
    plan += _plan_quiet_removal(quiet_path(os.path.realpath(root)))
    plan += _plan_launcher_removal(plan)
    # The records go last: what an uninstallation that is broken off has not given back, the next one knows by them.
    changes = tuple(sorted(plan.pending(), key=lambda change: isinstance(change, RecordChange)))
    is_there = os.path.isdir(home) or os.path.isdir(workspace_at(root).data)
    return Job(root, changes, plan.notes, home if purge and is_there else "")


def plan_launcher() -> ChangePlan:
    """Raise LimpetError for an installation that will not stay."""
    refuse_throwaway_installation(beside=launcher_path())
    what = "runs Limpet from the hooks of every project"
    files = launcher_files(here()).items()
    changes = [FileChange(path, what, read_bytes(path), raw, mode=EXECUTABLE) for path, raw in files]
    if os.environ.get("LIMPET_DATA") or os.environ.get("XDG_DATA_HOME"):
        record, where = data_record(), f"{data_folder()}\n".encode("utf-8", "surrogateescape")
        changes.append(FileChange(record, "where your data lies", read_bytes(record), where, mode=PRIVATE))
    return ChangePlan(tuple(changes))


def carry_out_plan(job: Job, now: float = 0.0) -> str:
    """Return the archive of the folder that it deletes, "" where it deletes none or only a link; ``now``, in seconds
    since 1970, is in its name. Raise LimpetError, with nothing changed, where a file is no longer what the plan saw,
    or the archive cannot be written."""
    workspace = workspace_at(job.root)
    archive = make_archive(job.purged, workspace.data, now) if job.purged and not os.path.islink(job.purged) else ""
    apply_changes(job.changes)
    if not job.purged:
        look(workspace)
    else:
        remove_caches(job.purged)
        remove_caches(workspace.shared)
        forget_project(workspace)
    if os.path.islink(job.purged):
        os.unlink(job.purged)
    elif os.path.isdir(job.purged):
        shutil.rmtree(job.purged)
    return archive


def _plan_host_removal(host: Host, home: str, scopes: tuple[str, ...]) -> ChangePlan:
    """A file that cannot be read stays; it is named where it may hold something of ours."""
    try:
        return host.plan_removal(home, scopes)
    except LimpetError as error:
        if scopes[1:]:
            return combine(_plan_host_removal(host, home, (scope,)) for scope in scopes)
        path = re.sub(r"(:\d+){0,2}$", "", error.where)
        is_ours = canonical(path) in known_entries(home, scopes[0]) or b"limpet" in (read_bytes(path) or b"")
        return ChangePlan(notes=(f"{error.where}: {error.what}. Remove Limpet's hooks there by hand",) * is_ours)


def shown_path(path: str, root: str) -> str:
    return os.path.relpath(path, root) if path.startswith(root + os.sep) else path


def _plan_launcher_removal(plan: ChangePlan) -> ChangePlan:
    gone = {change.path for change in plan.changes if change.after is None}
    records = set(all_records())
    if not records or records - gone:
        return ChangePlan()
    changes: list[FileChange] = []
    what = "no longer used by any project"
    for folder, _, names in os.walk(os.path.join(state_folder(), QUIET)):
        paths = (os.path.join(folder, name) for name in names)
        changes += _plan_quiet_removal(*(path for path in paths if path not in gone)).changes
    for path in (*launcher_files(here()), shells_path()):
        folders = dict.fromkeys((os.path.dirname(path), state_folder()))
        changes.append(FileChange(path, what, read_bytes(path), None, folders=tuple(folders)))
    return ChangePlan(tuple(changes))


def _plan_quiet_removal(*paths: str) -> ChangePlan:
    """Of what lets reading calls pass."""
    changes = []
    for path in paths:
        folders = [each for each in parents(path) if each.startswith(state_folder())]
        changes.append(FileChange(path, "for reading calls", read_bytes(path), None, folders=tuple(folders)))
    return ChangePlan(tuple(changes))


def _plan_scaffold_removal(root: str) -> ChangePlan:
    """And of a ``.limpet`` in which nothing else is. What git has already is the team's."""
    home = os.path.join(root, FOLDER)
    inbox = os.path.join(home, INBOX)
    files = {os.path.join(inbox, ".gitignore"): IGNORED, os.path.join(home, ATTRIBUTES): UNITED}
    ours = {path: raw for path, raw in files.items() if read_bytes(path) == raw and not is_tracked(root, path)}
    return ChangePlan(
        tuple(FileChange(path, _PURPOSE[raw], raw, None, folders=(inbox, home)) for path, raw in ours.items())
    )


def plan_block_removal(root: str) -> ChangePlan:
    """A file that was made for the session lock's block goes too. Raises LimpetError for markers that do not pair."""
    before = {path: read_bytes(path) for path in marked_files(root)}
    what = "remove the block of the session lock"
    return ChangePlan(tuple(FileChange(path, what, raw, take_block(raw, path)) for path, raw in before.items()))


def _hosts(root: str, asked: Collection[str]) -> tuple[Host, ...]:
    return tuple(host for host in all_hosts() if host.NAME in asked) if asked else hosts_here(root)


class Known(Value):
    """A place where Limpet was installed: a project's root, or words for the user's own settings. ``problem``: why
    nothing can be done there, "" for nothing."""

    place: str
    job: Job
    problem: str = ""


def plan_everywhere() -> tuple[Known, ...]:
    """The launcher comes first, with the user's own settings. Raise LimpetError for a throw-away interpreter."""
    found = [_plan("your own settings", os.path.expanduser("~"), user_record(), plan_launcher())]
    for path in all_records():
        root = recorded_root(path)
        if root and os.path.isdir(root):
            found.append(_plan(root, root, path, ChangePlan()))
        elif root:
            found.append(Known(root, Job(root, ()), "The folder is missing. Its record was kept."))
    return tuple(found)


def carry_out_everywhere(known: tuple[Known, ...]) -> tuple[Known, ...]:
    """Return them with what went wrong."""
    done = []
    for one in known:
        try:
            carry_out_plan(one.job)
            done.append(one)
        except LimpetError as error:
            done.append(one.replace(problem=str(error)))
    return tuple(done)


def _plan(place: str, root: str, record: str, before: ChangePlan) -> Known:
    home = os.path.join(root, FOLDER)
    named = {(str(entry.get("host")), str(entry.get("scope"))) for entry in read_record(record).values()}
    try:
        plans = [before]
        for name, scope in sorted(named):
            host = host_of(name)
            if host and scope in host.SCOPES:
                plans.append(host.plan_install(home, scope))
        plan = combine(plans)
        for scope in sorted({scope for _, scope in named}):
            plan = plan_servers(home, scope, (), plan)
    except LimpetError as error:
        return Known(place, Job(root, before.pending(), before.notes), str(error))
    return Known(place, Job(root, plan.pending(), plan.notes))
