"""Installs Holdfast into a project and uninstalls it: planned as a value, then carried out."""

from __future__ import annotations

import os
import shutil

from holdfast.ground.errors import HoldfastError
from holdfast.ground.git import is_ignored
from holdfast.ground.storage.scaffold import missing_files
from holdfast.ground.values import Value
from holdfast.ground.workspace import FOLDER
from holdfast.hosts.file_changes import Change, Plan, apply_changes
from holdfast.hosts.instruction_block import plan_block_removal
from holdfast.hosts.record import recorded_scopes
from holdfast.hosts.record_changes import combine
from holdfast.hosts.registry import all_hosts
from holdfast.hosts.scope import LOCAL, SHARED, USER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.hosts.base import Host


class Job(Value):
    """An installation or uninstallation to be done.

    ``root``: the project's root.
    ``changes``: files in the order in which they are changed.
    ``notes``: lines for the person.
    ``purged``: the folder to delete, "" for none.
    """

    root: str
    changes: tuple[Change, ...]
    notes: tuple[str, ...] = ()
    purged: str = ""

    @property
    def is_empty(self) -> bool:
        """Return whether there is nothing to do."""
        return not (self.changes or self.purged)


def plan_installation(root: str, scope: str, asked: str = "") -> Job:
    """Return the job that installs Holdfast in the project at ``root`` and its hooks in the settings of a scope.

    ``asked``: the name of a host, "" for those used here. Raise HoldfastError for a throw-away interpreter and for
    settings that cannot be read.
    """
    home = os.path.join(root, FOLDER)
    hosts = [host for host in all_hosts() if asked == host.NAME] if asked else hosts_here(root)
    scaffold = Plan(tuple(Change(path, "new", None, text) for path, text in missing_files(root).items()))
    plans = [_plan_host(host, home, scope) for host in hosts]
    unsure = [] if asked else [host for host in hosts if not host.is_used(root)]
    doubts = [f"no sign of {host.TITLE} here; its hooks wait for it" for host in unsure]
    private = [path for host in hosts for path in host.private_files(root)] if scope == LOCAL else []
    unsafe = [shown_path(path, root) for path in private if is_ignored(root, path) is False]
    advice = [f"git does not ignore {path}, which will name paths of this machine: do not commit it" for path in unsafe]
    plan = combine([scaffold, *plans, Plan(notes=(*doubts, *advice))])
    return Job(root, plan.pending(), plan.notes)


def plan_uninstallation(root: str, shared: bool, user: bool, purge: bool) -> Job:
    """Return the job that removes every host's hooks from the project at ``root``.

    ``shared``: also hooks in files that git keeps, if this project did not record them.
    ``user``: also the user's own.
    ``purge``: also the project's ``.holdfast``.
    """
    home = os.path.join(root, FOLDER)
    plans, left = [plan_block_removal(root)], []
    for host in all_hosts():
        asked = {LOCAL: True, SHARED: shared or SHARED in recorded_scopes(home, host.NAME), USER: user}
        scopes = tuple(scope for scope in host.SCOPES if asked[scope])
        plans.append(host.plan_removal(home, scopes))
        left += [found.path for found in host.registered(root) if found.scope not in scopes]
    notes = tuple(f"our hooks stay in {path}: --user or --shared takes them out" for path in left)
    plan = combine([*plans, Plan(notes=notes)])
    return Job(root, plan.pending(), plan.notes, home if purge and os.path.isdir(home) else "")


def carry_out(job: Job) -> None:
    """Do the job. Raise HoldfastError, with nothing changed, where a file is no longer what the plan saw."""
    apply_changes(job.changes)
    if os.path.islink(job.purged):
        os.unlink(job.purged)
    elif job.purged:
        shutil.rmtree(job.purged)


def hosts_here(root: str) -> tuple[Host, ...]:
    """Return the hosts that are used in the project at ``root`` or have hooks of ours; the first where none shows."""
    known = all_hosts()
    return tuple(host for host in known if host.is_used(root) or host.registered(root)) or known[:1]


def shown_path(path: str, root: str) -> str:
    """Return the path from ``root`` where it lies below, else as it is."""
    return os.path.relpath(path, root) if path.startswith(root + os.sep) else path


def _plan_host(host: Host, home: str, scope: str) -> Plan:
    if scope not in host.SCOPES:
        raise HoldfastError(f"{host.TITLE} has no settings for --{scope}", hint="run `holdfast init` without it")
    return host.plan_install(home, scope)
