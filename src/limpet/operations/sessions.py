"""The conversations of a project as a person lists them, each with a title. Separate from ``conversations``, which
reads their states alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.safety.redaction import redact
from limpet.ground.text.escaping import clip
from limpet.ground.workspace import Workspace
from limpet.operations.conversations import read_states
from limpet.operations.memory.conversations.privacy import is_kept_out
from limpet.transcripts.registry import transcript_of
from limpet.transcripts.tail import size_of
from limpet.work.private import read_private
from limpet.work.session import TRIAL

# Bytes of a transcript that is read for the title of a conversation that was not captured yet.
LONGEST_READ = 20_000_000
# Letters of an id that lists show, and more where fewer do not tell two apart.
SHORT = 8


def list_conversations(workspace: Workspace) -> list[dict[str, Any]]:
    """Return the conversations, the one heard of last first, without the doctor's trials.

    ``id``, ``short``: the id, and enough of its beginning to name it.
    ``host``: the client's name.
    ``title``: what the person first asked for, "" where that is not known or the conversation is private.
    ``last_activity``: ISO 8601. ``prompts``, ``compactions``: how many. ``bracket``: at the last prompt.
    ``state``: ``open``, ``ended`` or ``private`` (``paused`` tells whether it is now).
    """
    states = [state for state in read_states(workspace) if not state["id"].startswith(TRIAL)]
    states.sort(key=lambda state: str(state.get("last_activity") or ""), reverse=True)
    ids = [state["id"] for state in states]
    return [_described(workspace, state, ids) for state in states]


def short_id(name: str, ids: Iterable[str]) -> str:
    """Return enough of an id's beginning to name it among these: some clients' begin with the time."""
    known = set(ids)
    lengths = (length for length in range(SHORT, len(name)) if sum(one.startswith(name[:length]) for one in known) == 1)
    return name[: next(lengths, len(name))]


def title_of(workspace: Workspace, state: Mapping[str, Any]) -> str:
    """Return the title that the conversation was given, else what its transcript begins with; "" for a private one."""
    session, path, host = str(state["id"]), str(state.get("transcript") or ""), str(state.get("host") or "")
    kept = state.get("title")
    if isinstance(kept, str) and kept:
        return kept
    reader = transcript_of(host)
    if reader is None or is_kept_out(session, host, path):
        return ""
    # Only here: they take most of the time of a list of conversations that have their titles.
    from limpet.memory.capture.digest import find_subject
    from limpet.operations.memory.conversations.capture import LONGEST_TITLE, captured_title

    if found := captured_title(workspace, session):
        return found
    if not 0 < size_of(path) <= LONGEST_READ:
        return ""
    subject = find_subject(reader.read_messages(path, root=workspace.root)[0])
    return clip(redact(subject, known=read_secrets(workspace.root)), LONGEST_TITLE)


def _described(workspace: Workspace, state: Mapping[str, Any], ids: list[str]) -> dict[str, Any]:
    private = read_private(state["id"])
    ended = "ended" if state.get("ended") else "open"
    return {
        "id": state["id"],
        "short": short_id(state["id"], ids),
        "host": str(state.get("host") or ""),
        "title": title_of(workspace, state),
        "last_activity": state.get("last_activity"),
        "prompts": _count(state.get("prompt_count")),
        "compactions": _count(state.get("compactions")),
        "bracket": state.get("bracket"),
        "state": "private" if private else ended,
        "paused": private is not None and private.paused,
    }


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0
