"""Small records in the user's state folder that count only with the mark of the user's key: one JSON object a file."""

from __future__ import annotations

import os
import sys

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.digest import blake2b
from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.storage.files import read_bytes
from limpet.ground.storage.user_folders import state_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

BYTES = 32
_OTHERS = 0o077


def signed_record(data: Mapping[str, Any], purpose: str, key: bytes) -> bytes:
    """``purpose`` says what it is for, so that no other record can stand in."""
    text = dumps(data).encode("utf-8", "surrogatepass")
    return sign(_marked(purpose, text), key).encode() + b"\n" + text


def read_signed(path: str, purpose: str) -> dict[str, Any] | None:
    """None where there is no record that this user's Limpet wrote for that purpose."""
    mark, _, text = (read_bytes(path, STATE_BYTES) or b"").partition(b"\n")
    if not mark or not is_signed(_marked(purpose, text), mark.decode("ascii", "replace")):
        return None
    return read_object(text) or None


def key_path() -> str:
    return os.path.join(state_folder(), "key")


def read_key() -> bytes | None:
    path = key_path()
    key = read_bytes(path, BYTES)
    return key if key and len(key) == BYTES and _is_private(path) else None


def sign(raw: bytes, key: bytes) -> str:
    """32 hexadecimal digits."""
    return blake2b(raw, key=key, digest_size=16).hexdigest()


def is_signed(raw: bytes, mark: str) -> bool:
    key = read_key()
    return key is not None and sign(raw, key) == mark


def issue_token(purpose: str, until: float) -> str:
    """``until`` in seconds since 1970; "" where the user has no key."""
    key, end = read_key(), f"{until:.0f}"
    return f"{end}.{sign(f'{purpose} {end}'.encode(), key)}" if key else ""


def is_token(token: str, purpose: str, now: float) -> bool:
    end, _, mark = token.partition(".")
    return is_signed(f"{purpose} {end}".encode("utf-8", "replace"), mark) and now < int(end)


def _marked(purpose: str, text: bytes) -> bytes:
    return purpose.encode("utf-8", "surrogateescape") + b"\n" + text


def _is_private(path: str) -> bool:
    if sys.platform == "win32":
        return True
    about = os.stat(path)
    return not about.st_mode & _OTHERS and about.st_uid == os.geteuid()
