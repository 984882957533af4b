"""What each host can do on this machine, by what, and why not: ``limpet hosts``. From where that is known stands in
``framework/hosts.json``."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping

from limpet.ground.storage.files import read_shipped
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.hosts.base import CAPABILITIES, Host
from limpet.hosts.registry import all_hosts
from limpet.operations.conversations import last_heard
from limpet.roles.foreign_files import find_agent_files

TABLE = "hosts"
_MORE_PLACES = (".claude/commands", ".claude/plugins", "plugins")


class HostState(Value):
    """``program`` and ``heard`` (ISO 8601) are "" where it was not found and never sent an event. ``hindrance`` says
    why our hooks do not run, and ``can`` for each capability why it is missing; "" for nothing.
    ``channels``: what brings each of the others. ``tried``: the version that was run, "" for none; ``sources``, each
    with page, version and date; ``untried``: what no run has shown."""

    name: str
    title: str
    program: str
    hooks: tuple[str, ...]
    heard: str
    hindrance: str
    can: Mapping[str, str]
    channels: Mapping[str, str]
    tried: str
    sources: tuple[Mapping[str, str], ...]
    untried: tuple[str, ...]


def find_states(root: str, workspace: Workspace | None, environment: Mapping[str, str]) -> tuple[HostState, ...]:
    heard = last_heard(workspace) if workspace else {}
    return tuple(_state(host, root, heard.get(host.NAME, ""), environment) for host in all_hosts())


def _state(host: Host, root: str, heard: str, environment: Mapping[str, str]) -> HostState:
    headless = host.HEADLESS
    named = (environment.get(headless.variable) or headless.program) if headless else ""
    program = shutil.which(named, path=environment.get("PATH")) or "" if named else ""
    hooks = tuple(found.path for found in host.in_force(root))
    if headless and headless.is_client and not program:
        hindrance = f"{os.path.basename(named)} is not on PATH"
    elif not hooks:
        hindrance = f"its settings have no hooks of ours here; run `limpet init --host {host.NAME}`"
    else:
        hindrance = "; ".join(filter(None, host.find_hindrance(root)))
    can = {name: "" if name in host.CAN else host.WHY_NOT[name] for name in CAPABILITIES}
    facts = read_shipped(TABLE)["hosts"][host.NAME]
    return HostState(
        name=host.NAME,
        title=host.TITLE,
        program=program,
        hooks=hooks,
        heard=heard,
        hindrance=hindrance,
        can=can,
        channels=facts["channels"],
        tried=facts["tried"],
        sources=tuple(facts["sources"]),
        untried=tuple(facts["untried"]),
    )


def sub_agent_files(project: str) -> dict[str, str]:
    """Return file, from the project's root -> name; also of plugins and of commands that are agents."""
    found = {}
    for place in (*(host.SUB_AGENTS for host in all_hosts()), *_MORE_PLACES):
        for path, name in find_agent_files(place, project).items() if place else ():
            found[path.replace(os.sep, "/")] = name
    return found
