"""Turns the caller of an operation into the actor that the audit log and the documents record."""

from __future__ import annotations

from holdfast.ground.config.settings import load_settings
from holdfast.ground.event_log.append import Actor
from holdfast.ground.workspace import Workspace
from holdfast.operations.caller import Caller
from holdfast.work.documents.limits import read_limits
from holdfast.work.documents.store import Author


def actor_of(workspace: Workspace, caller: Caller) -> Actor:
    """Return the caller as an actor, with the configured retention of the audit log."""
    retention = load_settings(workspace)[0]["retention"]
    return Actor(writer=caller.writer, now=caller.now, retention=retention, session=caller.conversation)


def author_of(workspace: Workspace, caller: Caller) -> Author:
    """Return the caller as an author, with the configured limits of the documents' state too."""
    limits = read_limits(load_settings(workspace)[0])
    return Author(**actor_of(workspace, caller).__dict__, limits=limits)
