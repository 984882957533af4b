"""The file by which a store is known as ours: its format, whether it is encrypted, and which history it has. Pure."""

from __future__ import annotations

import json
import re

from limpet.ground.errors import LimpetError
from limpet.sharing.sealing import seal, unseal

MARK = "limpet-sync"
FORMAT = 1
PLAIN, SEALED = "plain", "sealed"
OTHER = "The repository holds something else"
UNCHANGED = "Nothing was changed."


def write_mark(epoch: int, key: bytes | None) -> bytes:
    """``epoch``: the number of the history, from 1; beginning anew raises it."""
    kind = PLAIN if key is None else SEALED
    return f"{MARK} {FORMAT} {kind}\n".encode() + seal(key, MARK, json.dumps({"epoch": epoch}).encode())


def read_mark(raw: bytes, key: bytes | None) -> int:
    """Return the epoch. Raise LimpetError for a store of something else, of another key or of a later version."""
    head, _, sealed = raw.partition(b"\n")
    mark, version, kind = [*head.decode("ascii", "replace").split(), "", "", ""][:3]
    if mark != MARK or not re.fullmatch(r"[0-9]{1,9}", version):
        raise LimpetError(OTHER, hint="Use a repository of its own.")
    if int(version) > FORMAT:
        raise LimpetError("A later version of Limpet wrote this store", hint=f"Update Limpet. {UNCHANGED}")
    if (kind == PLAIN) != (key is None):
        which = "not encrypted" if kind == PLAIN else "encrypted"
        raise LimpetError(f"The store is {which}, which is not what you agreed to", hint=UNCHANGED)
    opened = unseal(key, MARK, sealed)
    if opened is None:
        hint = f"{UNCHANGED} On the machine that began it, run: limpet sync --key"
        raise LimpetError("The store does not open with this machine's key", hint=hint)
    try:
        return int(json.loads(opened)["epoch"])
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        raise LimpetError("The store's own record cannot be read", hint=UNCHANGED) from None
