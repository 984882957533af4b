"""``holdfast init`` and ``holdfast uninstall``: show what will be written, ask, write."""

from __future__ import annotations

import os
import sys

import click

from holdfast.cli.output import emit, json_option
from holdfast.ground.errors import HoldfastError
from holdfast.ground.git import repository_or_project
from holdfast.hosts.bytecode import compile_package
from holdfast.hosts.file_changes import Change, show_difference
from holdfast.hosts.installation import Job, carry_out, plan_installation, plan_uninstallation, shown_path
from holdfast.hosts.registry import HOSTS
from holdfast.hosts.scope import LOCAL, SHARED, USER

yes_option = click.option("--yes", is_flag=True, help="Do not ask.")
dry_run_option = click.option("--dry-run", is_flag=True, help="Show what would be written, write nothing.")
here_option = click.option("--here", is_flag=True, help="Take the current folder, not the repository around it.")


@click.command()
@click.option("--host", type=click.Choice(list(HOSTS)), help="The coding agent; found out where it is not given.")
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
        raise HoldfastError("--shared and --user exclude each other", hint="run `holdfast init` once for each")
    scope = SHARED if shared else USER if user else LOCAL
    job = plan_installation(_find_root(here), scope, host or "")
    if _show_and_do(job, dry_run, yes, as_json) or (job.is_empty and not dry_run):
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
    job = plan_uninstallation(_find_root(here), shared, user, purge)
    _show_and_do(job, dry_run, yes, as_json)


def _find_root(here: bool) -> str:
    cwd = os.getcwd()
    return cwd if here else repository_or_project(cwd) or cwd


def _show_and_do(job: Job, dry_run: bool, yes: bool, as_json: bool) -> bool:
    """Show the job, ask for a yes, do it. Return False where nothing was to be done or nothing may be."""
    if not as_json:
        emit(None, _lines(job, dry_run), False)
    agreed = not job.is_empty and not dry_run and (yes or _ask())
    if agreed:
        carry_out(job)
    if as_json:
        emit(_data(job, agreed), (), True)
    elif agreed:
        click.echo("done")
    return agreed


def _ask() -> bool:
    if not sys.stdin.isatty():
        raise HoldfastError("no terminal to ask at; nothing was written", hint="look with --dry-run, agree with --yes")
    return click.confirm("Write this?", err=True)


def _lines(job: Job, dry_run: bool) -> list[str]:
    lines = [f"in {job.root}"]
    for change in job.changes:
        lines.append(f"  {_verb(change)} {shown_path(change.path, job.root)}: {change.what}")
        if dry_run and change.before is not None:
            lines += [f"      {line}" for line in show_difference(change)]
    lines += [f"  delete {shown_path(job.purged, job.root)} with everything in it"] if job.purged else []
    lines += [f"  note: {note}" for note in job.notes]
    return [*lines, "  nothing to do"] if job.is_empty else lines


def _data(job: Job, applied: bool) -> dict[str, object]:
    items = [{"path": change.path, "do": _verb(change), "what": change.what} for change in job.changes]
    items += [{"path": job.purged, "do": "delete", "what": "everything in it"}] if job.purged else []
    return {"root": job.root, "applied": applied, "changes": items, "notes": list(job.notes)}


def _verb(change: Change) -> str:
    return "create" if change.before is None else "delete" if change.after is None else "change"
