"""The continuations on disk: ``continuation/<session>.md`` is a conversation's own, ``latest.md`` a copy of the
newest."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import Any

from limpet.ground.clock import seconds_of
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.digest import safe_name
from limpet.ground.errors import LimpetError
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.safety.redaction import redact
from limpet.ground.storage.durable import write_durably
from limpet.ground.storage.files import names_in, read_text
from limpet.ground.storage.text_file import sole_writer
from limpet.ground.workspace import FOLDER, Workspace
from limpet.work.continuation import Continuation, carry_over, parse_continuation, render_continuation

PLACE = "continuation"
LATEST = "latest.md"
# Seconds by which a process that writes a continuation may be slower than another one.
OVERTAKING = 3600.0
_IDS = ("at", "session", "host")


def continuation_name(session: str) -> str:
    """The command that prints it: an agent may not read where it lies."""
    return f"limpet resume --full {safe_name(session)}" if session else "limpet resume --full"


def read_continuation(workspace: Workspace, session: str = "") -> Continuation | None:
    """Without ``session`` the newest of all; None where there is none."""
    text = read_text(workspace.kept(PLACE, _file(session)), STATE_BYTES)
    if text is not None:
        return parse_continuation(text)
    if session:
        return None
    folder = workspace.kept(PLACE)
    texts = (read_text(os.path.join(folder, name), STATE_BYTES) for name in names_in(folder) if name.endswith(".md"))
    return max((parse_continuation(text) for text in texts if text), key=lambda found: found.at, default=None)


def write_continuation(workspace: Workspace, now: Continuation) -> Continuation:
    """Write the conversation's file, and the copy where none is newer; return what the file holds then. Its earlier
    content is carried over. One that is a little later stays as it is, because a slower process may come second; one
    that is much later was written by a clock that ran ahead. Secrets are redacted. Raise LimpetError, with nothing
    written."""
    name = continuation_name(now.session)
    with sole_writer(workspace.kept("locks", "continuation.lock"), name):
        before = read_continuation(workspace, now.session)
        if before and _is_overtaken(now, before):
            return before
        text = render_continuation(carry_over(before, _without_secrets(now, read_secrets(workspace.root))))
        newest = read_continuation(workspace)
        _write(workspace, _file(now.session), text)
        if newest is None or not _is_overtaken(now, newest):
            _write(workspace, LATEST, text)
    return parse_continuation(text)


def _is_overtaken(now: Continuation, other: Continuation) -> bool:
    return 0 < seconds_of(other.at) - seconds_of(now.at) <= OVERTAKING


def _file(session: str) -> str:
    return f"{safe_name(session)}.md" if session else LATEST


def _without_secrets(now: Continuation, secrets: Collection[str]) -> Continuation:
    """To be done before anything is shortened: half a secret is not recognised."""
    clean: dict[str, Any] = {}
    for name, value in now.__dict__.items():
        if isinstance(value, tuple):
            clean[name] = tuple(redact(each, known=secrets) for each in value)
        else:  # an id may look as random as a secret, and must stay what it is
            clean[name] = value if name in _IDS else redact(value, known=secrets)
    return Continuation(**clean)


def _write(workspace: Workspace, name: str, text: str) -> None:
    try:
        write_durably(workspace.kept(PLACE, name), text, follow=False)
    except OSError as error:
        raise LimpetError(f"Cannot write the file ({error.strerror})", f"{FOLDER}/{PLACE}/{name}") from None
