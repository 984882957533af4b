"""``holdfast init`` and ``holdfast uninstall``: show what will be written, ask, write."""

from __future__ import annotations

import compileall
import os
import shutil
import subprocess
import sys
from contextlib import suppress

import click

from holdfast.cli.output import emit, json_option
from holdfast.ground.errors import HoldfastError
from holdfast.ground.git import is_ignored, repository_or_project
from holdfast.ground.process import own_command
from holdfast.ground.storage.scaffold import missing_files
from holdfast.ground.values import Value
from holdfast.ground.workspace import FOLDER
from holdfast.hosts.claude_code import install as claude_code_install
from holdfast.hosts.claude_code.settings import HOST, LOCAL, SHARED, USER, settings_path
from holdfast.hosts.claude_code.skill import plan_skill, plan_skill_removal
from holdfast.hosts.command import PACKAGE_ROOT
from holdfast.hosts.install import Change, Plan, apply_changes, show_difference
from holdfast.hosts.instruction_block import plan_block_removal

yes_option = click.option("--yes", is_flag=True, help="Do not ask.")
dry_run_option = click.option("--dry-run", is_flag=True, help="Show what would be written, write nothing.")
here_option = click.option("--here", is_flag=True, help="Take the current folder, not the repository around it.")

# Seconds that making the bundle may take.
PATIENCE = 30


class Job(Value):
    """What a command is about to do in ``root``; ``purged`` is the folder to delete, if any."""

    root: str
    changes: tuple[Change, ...]
    notes: tuple[str, ...] = ()
    purged: str = ""


@click.command()
@click.option("--host", type=click.Choice([HOST]), help="The coding agent; found out where it is not given.")
@click.option("--shared", is_flag=True, help="Into the file that git keeps, with a command that any machine bears.")
@click.option("--user", is_flag=True, help="Into your own settings, for all projects.")
@here_option
@dry_run_option
@yes_option
@json_option
def init(host: str | None, shared: bool, user: bool, here: bool, dry_run: bool, yes: bool, as_json: bool) -> None:
    """Put Holdfast into this project and its hooks into the coding agent.

    \b
    Examples:
      holdfast init
      holdfast init --dry-run
      holdfast init --yes --shared
    """
    if shared and user:
        raise HoldfastError("--shared and --user exclude each other", mend="run `holdfast init` once for each")
    root = _find_root(here)
    scope = SHARED if shared else USER if user else LOCAL
    home = os.path.join(root, FOLDER)
    host_files = claude_code_install.plan_install(home, scope) + plan_skill(home, scope)
    plan = Plan(_scaffold(root)) + host_files + Plan(notes=(*_doubt(host, root), *_advice(root, scope)))
    job = Job(root, plan.pending(), plan.notes)
    if _carry_out(job, dry_run, yes, as_json) or not (job.changes or dry_run):
        compile_package()


@click.command()
@click.option("--shared", is_flag=True, help="Also out of the file that git keeps, whoever put it there.")
@click.option("--user", is_flag=True, help="Also out of your own settings, which serve all projects.")
@click.option("--purge", is_flag=True, help="Also delete .holdfast/ with its rules, memories and stories.")
@here_option
@dry_run_option
@yes_option
@json_option
def uninstall(shared: bool, user: bool, purge: bool, here: bool, dry_run: bool, yes: bool, as_json: bool) -> None:
    """Take the hooks out again; settings that nobody changed since get their old bytes back.

    \b
    Examples:
      holdfast uninstall
      holdfast uninstall --dry-run
      holdfast uninstall --yes --purge
    """
    root = _find_root(here)
    home = os.path.join(root, FOLDER)
    recorded = claude_code_install.recorded_scopes(home)
    asked = {LOCAL: True, SHARED: shared or SHARED in recorded, USER: user}
    scopes = tuple(scope for scope, wanted in asked.items() if wanted)
    left = claude_code_install.remaining(home, scopes)
    notes = tuple(f"our hooks stay in {path}: --user or --shared takes them out" for path in left)
    # The skill first: its folder must be gone before the settings' own can be.
    beside = plan_block_removal(root) + plan_skill_removal(home, scopes)
    plan = beside + claude_code_install.plan_removal(home, scopes) + Plan(notes=notes)
    purged = home if purge and os.path.isdir(home) else ""
    if _carry_out(Job(root, plan.pending(), plan.notes, purged), dry_run, yes, as_json) and purged:
        _delete(purged)


def compile_package() -> None:
    """Write the package's bytecode where it is missing and may be written, and the hook's bundle: without them each
    prompt waits longer."""
    compileall.compile_dir(os.path.join(PACKAGE_ROOT, "holdfast"), quiet=2)
    with suppress(OSError, subprocess.TimeoutExpired):
        subprocess.run(own_command("holdfast.ground.prompt_path.bundling"), timeout=PATIENCE, capture_output=True)


def _find_root(here: bool) -> str:
    cwd = os.getcwd()
    return cwd if here else repository_or_project(cwd) or cwd


def _doubt(host: str | None, root: str) -> tuple[str, ...]:
    if host or claude_code_install.is_used(root):
        return ()
    return ("no sign of Claude Code here; its hooks wait for it",)


def _scaffold(root: str) -> tuple[Change, ...]:
    return tuple(Change(path, "new", None, text) for path, text in missing_files(root).items())


def _advice(root: str, scope: str) -> tuple[str, ...]:
    path = settings_path(LOCAL, root)
    if scope != LOCAL or is_ignored(root, path) is not False:
        return ()
    return (f"git does not ignore {_shown(path, root)}, which will name paths of this machine: do not commit it",)


def _carry_out(job: Job, dry_run: bool, yes: bool, as_json: bool) -> bool:
    """Show the job, ask for a yes, do it. False where nothing was to be done or nothing may be."""
    if not as_json:
        emit(None, _lines(job, dry_run), False)
    agreed = bool(job.changes or job.purged) and not dry_run and (yes or _ask())
    if agreed:
        apply_changes(job.changes)
    if as_json:
        emit(_data(job, agreed), (), True)
    elif agreed:
        click.echo("done")
    return agreed


def _ask() -> bool:
    if not sys.stdin.isatty():
        raise HoldfastError("no terminal to ask at; nothing was written", mend="look with --dry-run, agree with --yes")
    return click.confirm("Write this?", err=True)


def _lines(job: Job, dry_run: bool) -> list[str]:
    lines = [f"in {job.root}"]
    for change in job.changes:
        lines.append(f"  {_verb(change)} {_shown(change.path, job.root)}: {change.what}")
        if dry_run and change.before is not None:
            lines += [f"      {line}" for line in show_difference(change)]
    lines += [f"  delete {_shown(job.purged, job.root)} with everything in it"] if job.purged else []
    lines += [f"  note: {note}" for note in job.notes]
    return lines if job.changes or job.purged else [*lines, "  nothing to do"]


def _data(job: Job, applied: bool) -> dict[str, object]:
    items = [{"path": change.path, "do": _verb(change), "what": change.what} for change in job.changes]
    items += [{"path": job.purged, "do": "delete", "what": "everything in it"}] if job.purged else []
    return {"root": job.root, "applied": applied, "changes": items, "notes": list(job.notes)}


def _verb(change: Change) -> str:
    return "create" if change.before is None else "delete" if change.after is None else "change"


def _shown(path: str, root: str) -> str:
    return os.path.relpath(path, root) if path.startswith(root + os.sep) else path


def _delete(folder: str) -> None:
    if os.path.islink(folder):
        os.unlink(folder)
    else:
        shutil.rmtree(folder)
