"""``holdfast doctor``: looks at all that must be right for rules to reach the agent, and says how to mend the rest."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import click

from holdfast.cli.output import emit, json_option
from holdfast.ground.config.settings import load_settings
from holdfast.ground.git import is_ignored, repository_or_project, worktrees
from holdfast.ground.workspace import FOLDER, Workspace, find_workspace
from holdfast.hosts.checks import FAIL, INIT, OK, WARN, Check, check_bytecode
from holdfast.hosts.claude_code.checks import check_settings, serves
from holdfast.hosts.claude_code.settings import LOCAL, settings_path
from holdfast.hosts.claude_code.skill import check_skill
from holdfast.hosts.claude_code.trial import try_hooks


@click.command()
@json_option
def doctor(as_json: bool) -> None:
    """Check hooks, settings and folders; run each hook once. Exit code 1 when something fails.

    \b
    Examples:
      holdfast doctor
      holdfast doctor --json
    """
    checks = list(_examine(os.getcwd()))
    emit([check.__dict__ for check in checks], map(_line, checks), as_json)
    if any(check.status == FAIL for check in checks):
        sys.exit(1)


def _examine(cwd: str) -> Iterator[Check]:
    workspace = find_workspace(cwd)
    project = workspace.root if workspace else repository_or_project(cwd) or cwd
    yield from _check_folder(workspace, project)
    yield from check_settings(project)
    yield from check_skill(os.path.join(project, FOLDER))
    if workspace:
        yield from try_hooks(workspace)
        yield from _check_config(workspace)
    yield check_bytecode()
    yield from _check_git(project)


def _check_folder(workspace: Workspace | None, project: str) -> Iterator[Check]:
    if workspace is None:
        yield Check(FAIL, f"no {FOLDER} in {project} or above: hooks stay silent here", INIT)
        return
    for folder in dict.fromkeys((workspace.home, workspace.shared)):
        if os.path.isdir(folder) and not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            yield Check(FAIL, f"{folder} may not be read and written", "give yourself the right to")
        else:
            yield Check(OK, f"{folder} may be read and written")
    if not os.path.isfile(workspace.path("rules", "manifest")):
        yield Check(WARN, "no rules/manifest: no rule is loaded", INIT)


def _check_config(workspace: Workspace) -> Iterator[Check]:
    problems = load_settings(workspace)[1]
    for problem in problems:
        yield Check(WARN, problem, "correct it there, or with `holdfast config set`")
    if not problems:
        yield Check(OK, "the configuration holds no mistake")


def _check_git(project: str) -> Iterator[Check]:
    if is_ignored(project, os.path.join(project, FOLDER, "cache", "x")) is False:
        yield Check(WARN, f"git would keep {FOLDER}/cache", f"restore {FOLDER}/.gitignore: {INIT}")
    local = settings_path(LOCAL, project)
    if os.path.exists(local) and is_ignored(project, local) is False:
        yield Check(WARN, f"git would keep {local}, which names paths of this machine", "add it to an ignore file")
    for folder in worktrees(project):
        if os.path.isdir(folder) and not os.path.samefile(folder, project) and not serves(folder):
            mend = "run `holdfast init` there, or `holdfast init --user` once"
            yield Check(WARN, f"no hooks in the worktree {folder}", mend)


def _line(check: Check) -> str:
    return f"{check.status:<4}  {check.what}" + (f"  -> {check.mend}" if check.mend else "")
