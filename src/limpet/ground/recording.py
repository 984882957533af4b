"""Records the events of commands in the event log, without secrets. Separate from ``event_log``, which the prompt hook
imports: redaction must stay off its path."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from limpet.ground.event_log import Actor, append_event
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.safety.redaction import redact, redact_all
from limpet.ground.trust.consent import root_of
from limpet.ground.workspace import Workspace


def record(place: Workspace | str, actor: Actor, kind: str, data: Mapping[str, object], file: str = "") -> None:
    """Without secrets: those of a known form, and the values of the ``.env`` files. ``place`` is the workspace, or its
    ``shared`` folder, whose project's ``.env`` files count then. A disk that refuses and data that is no JSON lose the
    line, not the change that it records."""
    shared, root = (place, root_of(place)) if isinstance(place, str) else (place.shared, place.root)
    with suppress(OSError, ValueError, TypeError):
        known = read_secrets(root)
        public = actor.replace(why=redact(actor.why, known=known))
        append_event(shared, public, kind, redact_all(data, known), file)
