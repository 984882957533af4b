"""``holdfast memory pin|unpin|move|archive|forget|undo``: changes where a memory is kept and for how long."""

from __future__ import annotations

import click

from holdfast.cli.completion import complete_owner
from holdfast.cli.groups import Choice
from holdfast.cli.memory.options import (
    caller_options,
    identify,
    identify_store,
    key_argument,
    tell,
    user_option,
    why_option,
)
from holdfast.cli.output import emit
from holdfast.cli.table import counted
from holdfast.ground.workspace import Workspace
from holdfast.memory.model.entry import STORAGES
from holdfast.operations.memory import keep as operations
from holdfast.operations.memory.keep import PutAway
from holdfast.operations.memory.remember import Kept
from holdfast.operations.memory.view import describe_entry


@click.command()
@key_argument
@why_option
@caller_options
def pin(key: str, as_person: bool, as_json: bool, why: str) -> None:
    """Keep a memory from fading. Not for agents.

    \b
    Examples:
      holdfast memory pin k7q2m9xa
    """
    workspace, caller = identify(as_person)
    _tell(workspace, operations.pin(workspace, caller, key, True, why), "Pinned", as_json)


@click.command()
@key_argument
@why_option
@caller_options
def unpin(key: str, as_person: bool, as_json: bool, why: str) -> None:
    """Let a pinned memory fade again. Not for agents.

    \b
    Examples:
      holdfast memory unpin k7q2m9xa
    """
    workspace, caller = identify(as_person)
    _tell(workspace, operations.pin(workspace, caller, key, False, why), "Unpinned", as_json)


@click.command()
@key_argument
@click.option("--owner", metavar="ID", shell_complete=complete_owner, help="New owner: shared, or an agent.")
@click.option("--storage", type=Choice(STORAGES), help="New storage class.")
@why_option
@caller_options
def move(key: str, owner: str | None, storage: str | None, as_person: bool, as_json: bool, why: str) -> None:
    """Move a memory to another owner or storage class.

    \b
    Examples:
      holdfast memory move k7q2m9xa --storage durable --why "it holds for the whole project"
      holdfast memory move k7q2m9xa --owner shared
    """
    if not owner and not storage:
        raise click.UsageError("give --owner, --storage, or both")
    workspace, caller = identify(as_person)
    kept = operations.move(workspace, caller, key, owner or "", storage or "", why)
    place = kept.stored.place
    _tell(workspace, kept, "Moved", as_json, f" to {place.owner}, {place.storage}")


@click.command()
@key_argument
@why_option
@caller_options
def archive(key: str, as_person: bool, as_json: bool, why: str) -> None:
    """Archive a memory.

    Only --archived finds it. `undo` restores it.

    \b
    Examples:
      holdfast memory archive k7q2m9xa --why "we left that provider"
    """
    away = operations.archive(*identify(as_person), key, why)
    _tell_put(away, "archived", f'Archived "{away.title}". Undo: holdfast memory undo {away.short}', as_json)


@click.command()
@key_argument
@why_option
@user_option
@caller_options
def forget(key: str, personal: bool, as_person: bool, as_json: bool, why: str) -> None:
    """Forget a memory. It is deleted after 30 days; until then `undo` restores it.

    \b
    Examples:
      holdfast memory forget k7q2m9xa --why "it was wrong"
    """
    away = operations.forget(*identify_store(as_person, personal), key, why)
    within = f" within {counted(away.days, 'day')}" if away.days else ""
    line = f'Forgot "{away.title}". Undo{within}: holdfast memory undo {away.short}{" --user" if personal else ""}'
    _tell_put(away, "forgotten", line, as_json)


@click.command()
@key_argument
@why_option
@user_option
@caller_options
def undo(key: str, personal: bool, as_person: bool, as_json: bool, why: str) -> None:
    """Restore a forgotten or archived memory.

    `list --forgotten` shows them. Not for agents.

    \b
    Examples:
      holdfast memory undo k7q2m9xa
    """
    away = operations.undo(*identify_store(as_person, personal), key, why)
    _tell_put(away, "back", f'Restored "{away.title}".', as_json)


def _tell(workspace: Workspace, kept: Kept, done: str, as_json: bool, where: str = "") -> None:
    tell(kept.unindexed)
    emit(describe_entry(workspace, kept.stored), [f'{done} "{kept.stored.entry.title}"{where}.'], as_json)


def _tell_put(away: PutAway, done: str, line: str, as_json: bool) -> None:
    tell(away.unindexed)
    emit({"id": away.id, "title": away.title, "done": done, "path": away.path}, [line], as_json)
