"""The subagents that coding agents have in a project, so that agents can be made of them."""

from __future__ import annotations

import os

from limpet.hosts.registry import all_hosts
from limpet.roles.agent_paths import own_files


def sub_agent_files(project: str) -> dict[str, str]:
    """Return the file of each, from the project's root -> its name there."""
    folders = [host.SUB_AGENTS for host in all_hosts() if host.SUB_AGENTS]
    found = (pair for folder in folders for pair in own_files(os.path.join(project, folder)).items())
    return {os.path.relpath(path, project).replace(os.sep, "/"): name for name, path in found}
