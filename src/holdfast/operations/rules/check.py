"""Finds mistakes in files of rules and agents themselves; ``engine.explain`` finds those that only a block shows."""

from __future__ import annotations

from pathlib import Path

from holdfast.ground.safety.dotenv import read_secrets
from holdfast.ground.workspace import Workspace
from holdfast.roles.agent_paths import AGENTS_FOLDER, own_files
from holdfast.roles.agents import find_own_mistakes
from holdfast.roles.mistake import CORRECT, Mistake
from holdfast.roles.roster import resolve
from holdfast.rules.check.finding import ERROR, WARNING, Finding
from holdfast.rules.check.project import check_rules
from holdfast.rules.plan.sources import files_out, read_files, shipped_constitution


def check_files(workspace: Workspace) -> list[Finding]:
    """Return the findings in the order of file and line."""
    secrets = read_secrets(Path(workspace.root))
    files, outside, shipped = read_files(workspace), files_out(workspace.root), shipped_constitution()
    own = own_files(workspace.path(AGENTS_FOLDER))
    findings = check_rules(
        files, shipped, lambda name: name in own or resolve(name) is not None, secrets=secrets, outside=outside
    )
    agents = map(_finding, find_own_mistakes(workspace.path(AGENTS_FOLDER)))
    return sorted((*agents, *findings), key=lambda finding: (finding.file, finding.line))


def check_file(workspace: Workspace, path: str) -> tuple[Finding, ...]:
    """Return the findings in one file, given by its path from the project's root."""
    return tuple(finding for finding in check_files(workspace) if finding.file == path)


def _finding(mistake: Mistake) -> Finding:
    file, _, line = mistake.where.partition(":")
    severity = ERROR if mistake.instead else WARNING
    return Finding(severity, file, int(line or 0), mistake.text, mistake.hint or CORRECT)
