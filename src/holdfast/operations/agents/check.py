"""Finds mistakes in the project's own agent files. Apart from those in rules, because it takes a YAML reader."""

from __future__ import annotations

from holdfast.ground.workspace import Workspace
from holdfast.roles.agent_paths import AGENTS_FOLDER
from holdfast.roles.agents import find_own_mistakes
from holdfast.roles.mistake import Mistake
from holdfast.rules.check.finding import ERROR, WARNING, Finding


def check_agents(workspace: Workspace) -> list[Finding]:
    """Return the findings, by file: an error is a file that cannot be used at all."""
    return [_finding(mistake) for mistake in find_own_mistakes(workspace.path(AGENTS_FOLDER))]


def _finding(mistake: Mistake) -> Finding:
    file, _, line = mistake.where.partition(":")
    severity = ERROR if mistake.instead else WARNING
    return Finding(severity, file, int(line or 0), mistake.text, mistake.hint or "correct it there")
