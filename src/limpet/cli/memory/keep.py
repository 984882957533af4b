"""``limpet memory pin|unpin|move|archive|forget|undo|share|unshare``: where a memory is kept, for how long, and whose
it is."""

from __future__ import annotations

import os

import click

from limpet.cli.completion import complete_owner
from limpet.cli.groups import Choice
from limpet.cli.memory.options import caller_options, change_options, key_argument, tell_kept, user_option, why_option
from limpet.cli.output import emit, tell
from limpet.cli.table import counted
from limpet.memory.model.entry import STORAGES
from limpet.operations.memory import change
from limpet.operations.memory.library import is_personal
from limpet.operations.memory.view import full_path
from limpet.operations.project import Project


@click.command()
@change_options
def pin(project: Project, key: str, as_json: bool, why: str) -> None:
    """Keep a memory from fading. Not for agents.

    \b
    Examples:
      limpet memory pin k7q2m9xa
    """
    kept = change.pin(project, key, True, why)
    tell_kept(project, kept, f'Pinned "{kept.stored.entry.title}".', as_json)


@click.command()
@change_options
def unpin(project: Project, key: str, as_json: bool, why: str) -> None:
    """Let a pinned memory fade again. Not for agents.

    \b
    Examples:
      limpet memory unpin k7q2m9xa
    """
    kept = change.pin(project, key, False, why)
    tell_kept(project, kept, f'Unpinned "{kept.stored.entry.title}".', as_json)


@click.command()
@key_argument
@click.option(
    "--owner", default="", metavar="ID", shell_complete=complete_owner, help="New owner: shared, or an agent."
)
@click.option("--storage", type=Choice(STORAGES), help="New storage class.")
@why_option
@caller_options
def move(project: Project, key: str, owner: str | None, storage: str | None, as_json: bool, why: str) -> None:
    """Move a memory to another owner or storage class.

    \b
    Examples:
      limpet memory move k7q2m9xa --storage durable --why "it holds for the whole project"
      limpet memory move k7q2m9xa --owner shared
    """
    if not owner and not storage:
        raise click.UsageError("give --owner, --storage, or both")
    kept = change.move(project, key, owner or "", storage or "", why)
    place = kept.stored.place
    tell_kept(project, kept, f'Moved "{kept.stored.entry.title}" to {place.owner}, {place.storage}.', as_json)


@click.command()
@change_options
def archive(project: Project, key: str, as_json: bool, why: str) -> None:
    """Archive a memory.

    Only --archived finds it. `undo` restores it.

    \b
    Examples:
      limpet memory archive k7q2m9xa --why "we left that provider"
    """
    away = change.archive(project, key, why)
    _tell_put(away, "archived", f'Archived "{away.title}". Undo: limpet memory undo {away.short}', as_json)


@click.command()
@key_argument
@why_option
@user_option
@caller_options
def forget(project: Project, key: str, as_json: bool, why: str) -> None:
    """Forget a memory. It is deleted after 30 days; until then `undo` restores it.

    \b
    Examples:
      limpet memory forget k7q2m9xa --why "it was wrong"
    """
    away = change.forget(project, key, why)
    within = f" within {counted(away.days, 'day')}" if away.days else ""
    where = " --user" if is_personal(project) else ""
    line = f'Forgot "{away.title}". Undo{within}: limpet memory undo {away.short}{where}'
    _tell_put(away, "forgotten", line, as_json)


@click.command()
@key_argument
@why_option
@user_option
@caller_options
def undo(project: Project, key: str, as_json: bool, why: str) -> None:
    """Restore a forgotten or archived memory.

    `list --forgotten` shows them. Not for agents.

    \b
    Examples:
      limpet memory undo k7q2m9xa
    """
    away = change.undo(project, key, why)
    _tell_put(away, "back", f'Restored "{away.title}".', as_json)


@click.command()
@change_options
def share(project: Project, key: str, as_json: bool, why: str) -> None:
    """Share a memory with your team by git.

    Its file moves to .limpet/memories/team/, which is committed. Not for agents. Private memories and digests are
    refused. Secrets are removed first.

    \b
    Examples:
      limpet memory share k7q2m9xa
      limpet memory share k7q2m9xa --why "the whole team asks this"
    """
    kept = change.share(project, key, why)
    entry, root = kept.stored.entry, os.path.dirname(project.workspace.shared)
    file = os.path.relpath(full_path(project.workspace, kept.stored.path), root).replace(os.sep, "/")
    line = f'Shared "{entry.title}" as {entry.shared_by}. Commit it: git add {file}'
    tell_kept(project, kept, line, as_json)


@click.command()
@change_options
def unshare(project: Project, key: str, as_json: bool, why: str) -> None:
    """Stop sharing a memory with your team.

    It stays in this project, on this machine. Not for agents.

    \b
    Examples:
      limpet memory unshare k7q2m9xa
    """
    kept = change.unshare(project, key, why)
    line = f'"{kept.stored.entry.title}" is no longer shared. If it was committed, commit its removal.'
    tell_kept(project, kept, line, as_json)


def _tell_put(away: change.PutAway, done: str, line: str, as_json: bool) -> None:
    tell(away.notice)
    emit({"id": away.id, "title": away.title, "done": done, "path": away.path}, [line], as_json)
