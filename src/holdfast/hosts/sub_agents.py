"""The subagents that coding agents have in a project, so that agents can be made of them."""

from __future__ import annotations

import os

from holdfast.ground.workspace import FOLDER
from holdfast.hosts.registry import all_hosts
from holdfast.roles.agent_paths import AGENTS_FOLDER, own_files


def sub_agent_files(project: str) -> tuple[str, ...]:
    """Return the files, from the project's root, of those that are no agents of the project already."""
    own = own_files(os.path.join(project, FOLDER, AGENTS_FOLDER))
    folders = [host.SUB_AGENTS for host in all_hosts() if host.SUB_AGENTS]
    found = [(name, path) for folder in folders for name, path in own_files(os.path.join(project, folder)).items()]
    return tuple(os.path.relpath(path, project).replace(os.sep, "/") for name, path in found if name not in own)
