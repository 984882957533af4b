"""Hands a command to the hook where the sandbox of the agent that runs it may not write."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

import click

from limpet.cli.caller import surroundings
from limpet.cli.output import find_any_project
from limpet.ground.errors import LimpetError
from limpet.ground.storage.files import remove_file, write_atomic
from limpet.ground.trust.consent import find_consent
from limpet.operations.memory.conversations.conversation import refuse_keeping
from limpet.work.inbox import HANDED, leave_letter


def hand_over(words: Sequence[str]) -> bool:
    """Return whether that was done: not where the private folder can be written, nor in a project that is not trusted.
    Raises LimpetError where the inbox cannot be written either."""
    try:
        workspace = find_any_project()
    except LimpetError:
        return False
    probe = os.path.join(workspace.data, f"probe-{os.getpid()}")
    if not find_consent(workspace):
        return False
    refuse_keeping(surroundings())
    try:
        write_atomic(probe, "", follow=False)
    except OSError as error:
        refused = error
    else:
        remove_file(probe)
        return False
    try:
        leave_letter(workspace, words, time.time())
    except OSError:
        what = f"Cannot write the user's data folder ({refused.strerror})"
        raise LimpetError(what, workspace.data, "Run this command outside of the sandbox.") from None
    click.echo(HANDED)
    return True
