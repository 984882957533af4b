"""``holdfast memory pin|unpin|move|archive|forget|undo``: changes where a memory is kept and for how long."""

from __future__ import annotations

import click

from holdfast.cli.completion import complete_owner
from holdfast.cli.memory.options import caller_options, identify, key_argument, tell, why_option
from holdfast.cli.output import emit
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
    """Keep the memory ID from fading. A person's to do.

    \b
    Examples:
      holdfast memory pin k7q2m9xa
    """
    workspace, caller = identify(as_person)
    _tell(workspace, operations.pin(workspace, caller, key, True, why), "pinned", as_json)


@click.command()
@key_argument
@why_option
@caller_options
def unpin(key: str, as_person: bool, as_json: bool, why: str) -> None:
    """Let the memory ID fade again when nobody uses it. A person's to do.

    \b
    Examples:
      holdfast memory unpin k7q2m9xa
    """
    workspace, caller = identify(as_person)
    _tell(workspace, operations.pin(workspace, caller, key, False, why), "unpinned", as_json)


@click.command()
@key_argument
@click.option("--owner", metavar="ID", shell_complete=complete_owner, help="shared, or the agent it shall belong to.")
@click.option("--storage", type=click.Choice(STORAGES), help="How long it is kept.")
@why_option
@caller_options
def move(key: str, owner: str | None, storage: str | None, as_person: bool, as_json: bool, why: str) -> None:
    """Give the memory ID to another owner, or keep it for another time.

    \b
    Examples:
      holdfast memory move k7q2m9xa --storage durable --why "it holds for the whole project"
      holdfast memory move k7q2m9xa --owner shared
    """
    if not owner and not storage:
        raise click.UsageError("give --owner, --storage, or both")
    workspace, caller = identify(as_person)
    _tell(workspace, operations.move(workspace, caller, key, owner or "", storage or "", why), "moved", as_json)


@click.command()
@key_argument
@why_option
@caller_options
def archive(key: str, as_person: bool, as_json: bool, why: str) -> None:
    """Put the memory ID out of sight: it is found with --archived only, and `undo` brings it back.

    \b
    Examples:
      holdfast memory archive k7q2m9xa --why "we left that provider"
    """
    _tell_path(operations.archive(*identify(as_person), key, why), key, "archived", as_json)


@click.command()
@key_argument
@why_option
@caller_options
def forget(key: str, as_person: bool, as_json: bool, why: str) -> None:
    """Forget the memory ID: it is deleted in 30 days, until then `undo` brings it back.

    \b
    Examples:
      holdfast memory forget k7q2m9xa --why "it was wrong"
    """
    _tell_path(operations.forget(*identify(as_person), key, why), key, "forgotten", as_json)


@click.command()
@key_argument
@why_option
@caller_options
def undo(key: str, as_person: bool, as_json: bool, why: str) -> None:
    """Bring the memory ID back that was forgotten or archived; `list --forgotten` shows them. A person's to do.

    \b
    Examples:
      holdfast memory undo k7q2m9xa
    """
    _tell_path(operations.undo(*identify(as_person), key, why), key, "back", as_json)


def _tell(workspace: Workspace, kept: Kept, done: str, as_json: bool) -> None:
    entry, place = kept.stored.entry, kept.stored.place
    tell(kept.unindexed)
    line = f"{done} {entry.id} ({place.owner}, {place.storage}): {entry.title}"
    emit(describe_entry(workspace, kept.stored), [line], as_json)


def _tell_path(away: PutAway, key: str, done: str, as_json: bool) -> None:
    tell(away.unindexed)
    emit({"id": key, "done": done, "path": away.path}, [f"{done}: {key} ({away.path})"], as_json)
