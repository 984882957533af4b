"""Turns the caller of an operation into the actor that the audit log records."""

from __future__ import annotations

from holdfast.ground.config.settings import load_settings
from holdfast.ground.event_log.append import Actor
from holdfast.ground.workspace import Workspace
from holdfast.operations.caller import Caller


def actor_of(workspace: Workspace, caller: Caller) -> Actor:
    """Return the caller as an actor, with the configured retention of the audit log."""
    retention = load_settings(workspace)[0]["retention"]
    return Actor(writer=caller.writer, now=caller.now, retention=retention, session=caller.conversation)
