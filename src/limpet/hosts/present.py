"""Which clients a project is set up for: those that it or this process shows, before others of this machine."""

from __future__ import annotations

import os
import shutil

from limpet.ground.clock import seconds_of
from limpet.ground.storage.files import stamp
from limpet.ground.workspace import find_workspace
from limpet.hosts.base import Host
from limpet.hosts.registry import all_hosts
from limpet.hosts.surroundings import find_surroundings, machine_folders
from limpet.operations.conversations import last_heard


def hosts_here(root: str) -> tuple[Host, ...]:
    """Those with hooks of ours, in whose shell this process runs, or that the project shows and the machine has; where
    there is none, the first that the machine has, else those that the project shows."""
    known, around = all_hosts(), find_surroundings(os.environ).host
    shown = [host for host in known if host.is_used(root)]
    meant = [host for host in shown if is_on_machine(host)]
    chosen = [host for host in known if host in meant or around == host.NAME or host.registered(root)]
    others = sorted(filter(is_on_machine, known), key=was_used, reverse=True)
    return tuple(chosen or others[:1] or shown or known[:1])


def hosts_served(root: str) -> tuple[Host, ...]:
    """Return the hosts with hooks of ours in force in the project at ``root``; where none has, those meant here."""
    return tuple(host for host in all_hosts() if host.in_force(root)) or hosts_here(root)


def other_hosts(root: str) -> tuple[Host, ...]:
    """Return those of the machine that no hook of ours serves in the project."""
    return tuple(host for host in all_hosts() if is_on_machine(host) and not host.in_force(root))


def why_silent(host: Host, project: str) -> tuple[str, str]:
    """As ``find_hindrance``; ("", "") where there are no hooks, or one ran since they were written."""
    workspace, hooks = find_workspace(project), host.in_force(project)
    heard = seconds_of(last_heard(workspace).get(host.NAME)) if workspace else 0
    written = [found[0] / 1e9 for each in hooks if (found := stamp(each.path))]
    return ("", "") if not hooks or heard > max(written, default=0) else host.find_hindrance(project)


def is_on_machine(host: Host) -> bool:
    program = host.HEADLESS.program if host.HEADLESS else ""
    return bool(program and shutil.which(program)) or was_used(host)


def was_used(host: Host) -> bool:
    return any(map(os.path.isdir, machine_folders(host.NAME)))
