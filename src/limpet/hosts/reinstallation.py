"""Installs anew wherever this user installed before: in each project, and in the user's own settings, that a record
names. For what no launcher can mend: events that the hooks of another version do not answer."""

from __future__ import annotations

import os

from limpet.ground.errors import LimpetError
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER
from limpet.hosts.file_changes import Plan
from limpet.hosts.installation import Job, carry_out, plan_launcher
from limpet.hosts.records.changes import combine
from limpet.hosts.records.record import all_records, read_record, recorded_root, user_record
from limpet.hosts.registry import host_of
from limpet.hosts.servers.plans import plan_servers

GONE = "The folder is missing. Its record was kept."
USERS = "your own settings"


class Known(Value):
    """A place where Limpet was installed.

    ``place``: a project's root, or words for the user's own settings.
    ``job``: what is to be done there.
    ``problem``: why nothing can be done, "" for nothing.
    """

    place: str
    job: Job
    problem: str = ""


def plan_everywhere() -> tuple[Known, ...]:
    """Return what is to be done in each known place, for the hosts and scopes that its record names.

    The launcher comes first, with the user's own settings. Raise LimpetError for a throw-away interpreter.
    """
    launcher = plan_launcher()
    records = all_records()
    projects = [_plan_project(path) for path in records if recorded_root(path)]
    return (_plan(USERS, os.path.expanduser("~"), user_record(), launcher), *projects)


def carry_out_everywhere(known: tuple[Known, ...]) -> tuple[Known, ...]:
    """Do it, place by place; return them with what went wrong."""
    return tuple(map(_carry_out, known))


def _plan_project(path: str) -> Known:
    root = recorded_root(path)
    if not os.path.isdir(root):
        return Known(root, Job(root, ()), GONE)
    return _plan(root, root, path, Plan())


def _plan(place: str, root: str, record: str, before: Plan) -> Known:
    home = os.path.join(root, FOLDER)
    named = {(str(entry.get("host")), str(entry.get("scope"))) for entry in read_record(record).values()}
    known = [(host_of(name), scope) for name, scope in sorted(named)]
    try:
        plan = combine(
            [before, *(host.plan_install(home, scope) for host, scope in known if host and scope in host.SCOPES)]
        )
        for scope in sorted({scope for _, scope in known}):
            plan = plan_servers(home, scope, (), plan)
    except LimpetError as error:
        return Known(place, Job(root, before.pending(), before.notes), str(error))
    return Known(place, Job(root, plan.pending(), plan.notes))


def _carry_out(known: Known) -> Known:
    try:
        carry_out(known.job)
    except LimpetError as error:
        return known.replace(problem=str(error))
    return known
