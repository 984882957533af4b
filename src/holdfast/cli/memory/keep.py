"""``holdfast memory pin|unpin|move|archive|forget|undo``: where a memory is kept and how long, its words left as they
are."""

from __future__ import annotations

import click

from holdfast.cli.completion import complete_owner
from holdfast.cli.memory.options import agent_id, caller_options, catch_up, key_argument, open_library, why_option
from holdfast.cli.memory.view import describe_entry, full_path
from holdfast.cli.output import emit
from holdfast.memory.library import Library
from holdfast.memory.model.entry import STORAGES
from holdfast.memory.model.stored import Stored


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
    library = open_library(as_person)
    _tell(library, library.pin(key, True, why), "pinned", as_json)


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
    library = open_library(as_person)
    _tell(library, library.pin(key, False, why), "unpinned", as_json)


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
    library = open_library(as_person)
    _tell(library, library.move(key, agent_id(owner) if owner else "", storage or "", why), "moved", as_json)


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
    library = open_library(as_person)
    _tell_path(library, key, library.archive(key, why), "archived", as_json)


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
    library = open_library(as_person)
    _tell_path(library, key, library.forget(key, why), "forgotten", as_json)


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
    library = open_library(as_person)
    _tell_path(library, key, library.undo(key, why), "back", as_json)


def _tell(library: Library, stored: Stored, done: str, as_json: bool) -> None:
    place = f"{stored.place.owner}, {stored.place.storage}"
    line = f"{done} {stored.entry.id} ({place}): {stored.entry.title}"
    catch_up(library)
    emit(describe_entry(stored, library.shared), [line], as_json)


def _tell_path(library: Library, key: str, path: str, done: str, as_json: bool) -> None:
    where = full_path(library.shared, path)
    catch_up(library)
    emit({"id": key, "done": done, "path": where}, [f"{done}: {key} ({where})"], as_json)
