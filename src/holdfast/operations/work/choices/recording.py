"""Writes one choice: a key of the project's session, or a conversation's own value for it. The mirror is left as it
is, because making it takes longer than all the rest."""

from __future__ import annotations

from typing import Any

from holdfast.ground.errors import HoldfastError
from holdfast.ground.workspace import Workspace
from holdfast.operations.work.choices.chosen import Chosen
from holdfast.work.in_force import CONVERSATION_KEYS
from holdfast.work.project import NAME, accept_changes, update_project
from holdfast.work.session import change_session


def write_choice(workspace: Workspace, key: str, value: Any, conversation: str | None = None) -> Chosen:
    """Set a key of the project's session, or the conversation's own value for it; None clears it.

    Raises HoldfastError for a bad value, and for an unknown conversation.
    """
    changes = accept_changes({key: value})
    if conversation is None:
        update_project(workspace, changes)
        return Chosen(changes=changes, place=NAME)
    from holdfast.operations.conversations import find_conversation

    session = find_conversation(workspace, conversation)
    place = f"session {session}"
    try:
        change_session(workspace, session, {CONVERSATION_KEYS[name]: each for name, each in changes.items()})
    except OSError as error:
        raise HoldfastError(str(error), place, "Nothing was changed. Try again.") from None
    return Chosen(changes=changes, place=place)
