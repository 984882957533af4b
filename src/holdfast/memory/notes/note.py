"""A note, and its form as a JSON object."""

from __future__ import annotations

from holdfast.ground.digest import digest
from holdfast.ground.text.escaping import clip
from holdfast.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# Characters that are kept of a message.
LONGEST = 2000


class Note(Value):
    """A message that a person typed, without secrets.

    ``id``: the same for the same words of the same message, in a copy of the conversation too.
    ``at``: when it was typed, in seconds since 1970.
    ``session``: the conversation's id.
    ``text``: at most ``LONGEST`` characters.
    """

    id: str
    at: float
    session: str
    text: str


def make_note(key: str, at: float, session: str, text: str) -> Note:
    """Return the note of a message; ``key`` tells the message from all others."""
    return Note(id=f"note-{digest(f'{key} {text}', 5)}", at=at, session=session, text=clip(text.strip(), LONGEST))


def write_record(note: Note) -> dict[str, object]:
    """Return the note as it is in a file."""
    return {"id": note.id, "at": note.at, "session": note.session, "text": note.text}


def read_record(record: Mapping[str, object]) -> Note | None:
    """Return the note of a record, None where it is none."""
    id, at, session, text = (record.get(name) for name in ("id", "at", "session", "text"))
    if not isinstance(id, str) or not isinstance(text, str) or not id or not text:
        return None
    when = float(at) if isinstance(at, (int, float)) else 0.0
    return Note(id=id, at=when, session=session if isinstance(session, str) else "", text=clip(text, LONGEST))
