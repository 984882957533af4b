"""Finds mistakes in the rule files themselves; ``engine.explain`` finds those that only show in a block."""

from __future__ import annotations

from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.workspace import Workspace
from limpet.roles.agent_paths import AGENTS_FOLDER, own_files
from limpet.roles.roster import resolve
from limpet.rules.check.finding import Finding
from limpet.rules.check.project import check_rules
from limpet.rules.plan.sources import files_out, read_files, shipped_constitution, shipped_units


def check_files(workspace: Workspace) -> list[Finding]:
    """Return the findings in the order of file and line."""
    secrets = read_secrets(workspace.root)
    files, outside = read_files(workspace), files_out(workspace.root)
    shipped, packaged = shipped_constitution(), shipped_units(workspace.root)
    own = own_files(workspace.path(AGENTS_FOLDER))

    def is_agent(name: str) -> bool:
        return name in own or resolve(name) is not None

    return check_rules(files, shipped, is_agent, secrets=secrets, outside=outside, packaged=packaged)


def check_file(workspace: Workspace, path: str) -> tuple[Finding, ...]:
    """Return the findings in one file, given by its path from the project's root."""
    return tuple(finding for finding in check_files(workspace) if finding.file == path)
