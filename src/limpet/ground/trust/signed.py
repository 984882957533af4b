"""Small records in the user's state folder that count only with the mark of the user's key: one JSON object a file."""

from __future__ import annotations

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.formats.json_text import dumps, loads
from limpet.ground.storage.files import read_bytes
from limpet.ground.trust.key import is_signed, sign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def signed_record(data: Mapping[str, Any], purpose: str, key: bytes) -> bytes:
    """Return the bytes of a record's file. ``purpose`` says what it is for, so that no other record can stand in."""
    text = dumps(data).encode("utf-8", "surrogatepass")
    return sign(_marked(purpose, text), key).encode() + b"\n" + text


def read_signed(path: str, purpose: str) -> dict[str, Any] | None:
    """Return the record, None where there is none that this user's Limpet wrote for that purpose."""
    mark, _, text = (read_bytes(path, STATE_BYTES) or b"").partition(b"\n")
    if not mark or not is_signed(_marked(purpose, text), mark.decode("ascii", "replace")):
        return None
    try:
        found = loads(text.decode("utf-8", "replace"))
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _marked(purpose: str, text: bytes) -> bytes:
    return purpose.encode("utf-8", "surrogateescape") + b"\n" + text
