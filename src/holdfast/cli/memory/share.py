"""``holdfast memory share|unshare``: gives a memory to the team by way of git, and takes it back."""

from __future__ import annotations

import click

from holdfast.cli.memory.options import caller_options, identify, key_argument, tell, why_option
from holdfast.cli.output import emit
from holdfast.operations.memory import share as operations
from holdfast.operations.memory.share import Shared
from holdfast.operations.memory.view import describe_entry


@click.command()
@key_argument
@why_option
@caller_options
def share(key: str, as_person: bool, as_json: bool, why: str) -> None:
    """Share a memory with your team by git.

    Its file moves to .holdfast/memories/team/, which is committed. Not for agents. Private memories and digests are
    refused. Secrets are removed first.

    \b
    Examples:
      holdfast memory share k7q2m9xa
      holdfast memory share k7q2m9xa --why "the whole team asks this"
    """
    workspace, caller = identify(as_person)
    done = operations.share(workspace, caller, key, why)
    line = f'Shared "{done.stored.entry.title}" as {done.stored.entry.shared_by}. Commit it: git add {done.file}'
    _tell(done)
    emit(describe_entry(workspace, done.stored), [line], as_json)


@click.command()
@key_argument
@why_option
@caller_options
def unshare(key: str, as_person: bool, as_json: bool, why: str) -> None:
    """Stop sharing a memory with your team.

    It stays in this project, on this machine. Not for agents.

    \b
    Examples:
      holdfast memory unshare k7q2m9xa
    """
    workspace, caller = identify(as_person)
    done = operations.unshare(workspace, caller, key, why)
    _tell(done)
    line = f'"{done.stored.entry.title}" is no longer shared. If it was committed, commit its removal.'
    emit(describe_entry(workspace, done.stored), [line], as_json)


def _tell(done: Shared) -> None:
    for notice in (*done.notices, done.unindexed):
        tell(notice)
