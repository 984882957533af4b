"""``holdfast init`` and ``holdfast uninstall``: show what will be written, ask, write."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from functools import partial

import click

from holdfast.cli.output import emit, json_option
from holdfast.cli.trust import ask_for_trust
from holdfast.ground.config.settings import load_settings
from holdfast.ground.errors import HoldfastError
from holdfast.ground.git import repository_or_project
from holdfast.ground.trust.consent import find_consent
from holdfast.ground.workspace import Workspace, workspace_at
from holdfast.hosts.bytecode import compile_package
from holdfast.hosts.file_changes import Change, show_difference
from holdfast.hosts.installation import (
    RULES_OF_TODAY,
    Job,
    advise_on_git,
    carry_out,
    plan_installation,
    plan_uninstallation,
    shown_path,
)
from holdfast.hosts.records.adoption import adopt_record, matches_own_lines
from holdfast.hosts.registry import HOSTS
from holdfast.hosts.reinstallation import Known, carry_out_everywhere, plan_everywhere
from holdfast.hosts.scope import LOCAL, SHARED, USER
from holdfast.operations.mirror import refresh
from holdfast.operations.settings import change_setting
from holdfast.operations.trust import is_new, trust_new_project, trust_state
from holdfast.operations.work.checks import proposals

yes_option = click.option("--yes", is_flag=True, help="Do not ask.")
dry_run_option = click.option("--dry-run", is_flag=True, help="Show what would be written, write nothing.")
here_option = click.option("--here", is_flag=True, help="Take the current folder, not the repository around it.")


@click.command()
@click.option("--host", type=click.Choice(list(HOSTS)), help="The coding agent; found out where it is not given.")
@click.option("--shared", is_flag=True, help="Into the file that git keeps, with a command that any machine bears.")
@click.option("--user", is_flag=True, help="Into your own settings, for all projects.")
@click.option("--full", is_flag=True, help="Rules about agents, gates and stories hold from the start.")
@click.option("--lean", is_flag=True, help="They wait for work; show what of the shipped rules here would change.")
@click.option("--all", "everywhere", is_flag=True, help="Again in every place where you installed it before.")
@here_option
@dry_run_option
@yes_option
@json_option
def init(
    host: str | None,
    shared: bool,
    user: bool,
    full: bool,
    lean: bool,
    everywhere: bool,
    here: bool,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Put Holdfast into this project and its hooks into the coding agent.

    \b
    Examples:
      holdfast init
      holdfast init --dry-run
      holdfast init --yes --shared
      holdfast init --full
      holdfast init --all
    """
    if shared and user:
        raise HoldfastError("--shared and --user exclude each other", hint="run `holdfast init` once for each")
    if full and lean:
        raise HoldfastError(
            "--full and --lean exclude each other", hint="--lean is what `holdfast init` does by itself"
        )
    if everywhere and (host or shared or user or here or full or lean):
        what = "--all goes where you installed it before"
        raise HoldfastError(what, hint="leave --host, --shared, --user, --full, --lean and --here out")
    if everywhere:
        done = _install_everywhere(dry_run, yes, as_json)
    else:
        scope = SHARED if shared else USER if user else LOCAL
        done = _install_here(scope, host or "", here, dry_run, yes, as_json, lean)
        if done and (full or lean):
            _set_full(workspace_at(_find_root(here)), full)
    if done:
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
    workspace = workspace_at(_find_root(here))
    _take_over_record(workspace, dry_run)
    job = plan_uninstallation(workspace.root, shared, user, purge)
    _show_and_do(job, dry_run, yes, as_json)


def _ask_for_trust(workspace: Workspace, yes: bool, as_json: bool) -> None:
    """Ask a person about a ``.holdfast`` that was there already, or tell where nobody can be asked."""
    state = trust_state(workspace)
    if state.since:
        return
    if yes or as_json or not sys.stdin.isatty():
        click.echo("This project came with a .holdfast/ that you have not trusted: run `holdfast trust`.", err=True)
    else:
        ask_for_trust(workspace, state, yes=False, only_show=False, as_json=False)


def _find_root(here: bool) -> str:
    cwd = os.getcwd()
    return cwd if here else repository_or_project(cwd) or cwd


def _take_over_record(workspace: Workspace, dry_run: bool) -> None:
    """Take over the record that an earlier version kept in a project that the user trusts."""
    if not dry_run and find_consent(workspace) and matches_own_lines(workspace.home):
        adopt_record(workspace.home)


def _set_full(workspace: Workspace, full: bool) -> None:
    """Let the rules about the work hold always, or wait for it again."""
    if bool(load_settings(workspace)[0]["rules"]["full"]) != full:
        change_setting(workspace, "", "rules.full", str(full).lower(), time.time(), by_person=True)


def _install_here(scope: str, host: str, here: bool, dry_run: bool, yes: bool, as_json: bool, lean: bool) -> bool:
    """Install in the project around the current folder, and trust what was made. Return False where nothing may be
    done."""
    workspace = workspace_at(_find_root(here))
    made = is_new(workspace)
    _take_over_record(workspace, dry_run)
    job = plan_installation(workspace.root, scope, host, lean)
    first = partial(trust_new_project, workspace, time.time()) if made else None
    done = _show_and_do(job, dry_run, yes, as_json, first) or (job.is_empty and not dry_run)
    if done and not made:
        _ask_for_trust(workspace, yes, as_json)
    if done and made:
        refresh(workspace)
    if done and made and not as_json:
        emit(None, (f"note: {line}" for line in advise_on_git(workspace.root, scope, host)), False)
        emit(None, (f"note: `holdfast work finish` can run your tests: {line}" for line in proposals(workspace)), False)
    return done


def _install_everywhere(dry_run: bool, yes: bool, as_json: bool) -> bool:
    """Show what is to be done in every known place, ask for a yes, do it. Return False where nothing may be done."""
    known = plan_everywhere()
    is_empty = all(one.job.is_empty for one in known)
    if not as_json:
        emit(None, (line for one in known for line in _known_lines(one, dry_run)), False)
    agreed = not is_empty and not dry_run and (yes or _ask())
    done = carry_out_everywhere(known) if agreed else known
    if as_json:
        emit([_known_data(one, agreed) for one in done], (), True)
    elif agreed:
        failed = (one for one, planned in zip(done, known, strict=True) if one != planned)
        emit(None, (*(f"{one.place}: {one.problem}" for one in failed), "done"), False)
    return agreed or (is_empty and not dry_run)


def _known_lines(known: Known, dry_run: bool) -> list[str]:
    steps = [] if known.problem and known.job.is_empty else _steps(known.job, dry_run)
    return [f"in {known.place}", *steps, *([f"  {known.problem}"] if known.problem else [])]


def _known_data(known: Known, agreed: bool) -> dict[str, object]:
    applied = agreed and not known.problem
    return {**_data(known.job, applied), "root": known.place, "problem": known.problem}


def _show_and_do(job: Job, dry_run: bool, yes: bool, as_json: bool, first: Callable[[], object] | None = None) -> bool:
    """Show the job, ask for a yes, do ``first`` and then the job. Return False where nothing was to be done or nothing
    may be."""
    if not as_json:
        emit(None, [f"in {job.root}", *_steps(job, dry_run)], False)
    agreed = not job.is_empty and not dry_run and (yes or _ask())
    if agreed and first:
        first()
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


def _steps(job: Job, dry_run: bool) -> list[str]:
    lines = []
    for change in job.changes:
        lines.append(f"  {_verb(change)} {shown_path(change.path, job.root)}: {change.what}")
        if (dry_run or change.what == RULES_OF_TODAY) and change.before is not None:
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
