"""What a person allowed an agent to do once: a signed file for each act in the user's state folder, which goes when the
act is let through. The hook reads and removes; only a command writes (``operations.guard.allow``)."""

from __future__ import annotations

import os

from holdfast.ground.config.defaults import STATE_BYTES
from holdfast.ground.formats.json_text import dumps, loads
from holdfast.ground.storage.files import read_bytes
from holdfast.ground.storage.user_folders import project_key, project_state
from holdfast.ground.trust.key import is_signed, read_key, sign
from holdfast.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FOLDER = "allowed"
# Kinds of the events in which a decision of the guard stands, and a person's word against it.
DECIDED, ALLOWED = "guard.decided", "guard.allowed"


class Allowance(Value):
    """A person's word on one act.

    ``act``: its digest.
    ``record``: the id of the decision that it overrides.
    ``reason``: the person's.
    ``until``: when it ends, in seconds since 1970.
    """

    act: str
    record: str
    reason: str
    until: float


def allowance_path(home: str, act: str) -> str:
    """Return the path of the allowance for an act in the project whose ``.holdfast`` is ``home``."""
    return os.path.join(project_state(home), FOLDER, act)


def allowance_text(allowance: Allowance) -> bytes:
    """Return the allowance as it stands in its file, behind the mark."""
    return dumps(allowance.__dict__).encode("utf-8", "surrogatepass")


def signed_text(home: str, text: bytes) -> bytes:
    """Return the bytes that the mark is of: with the project's key, so that no other project's counts."""
    return b"\n".join((FOLDER.encode(), project_key(os.path.dirname(home)).encode("utf-8", "surrogateescape"), text))


def decision_mark(name: str, act: str, shown: str) -> str:
    """Return the mark of a decision's record under the user's key, "" without one: the text that a person is shown is
    that of the act with this digest."""
    key = read_key()
    return sign(_decision(name, act, shown), key) if key else ""


def is_decision(name: str, act: str, shown: str, mark: str) -> bool:
    """Return whether the guard made this record."""
    return is_signed(_decision(name, act, shown), mark)


def use_allowance(home: str, act: str, now: float) -> Allowance | None:
    """Return what a person allowed of this act, None where nobody did, and remove it: it counts once.

    One that cannot be removed does not count. Whoever of two removes it is the one whose act is allowed.
    """
    path = allowance_path(home, act)
    found = _read(home, path)
    if found is None:
        return None
    try:
        os.unlink(path)
    except OSError:
        return None
    return found if found.act == act and now < found.until else None


def _decision(name: str, act: str, shown: str) -> bytes:
    return "\n".join((DECIDED, name, act, shown)).encode("utf-8", "surrogatepass")


def _read(home: str, path: str) -> Allowance | None:
    mark, _, text = (read_bytes(path, STATE_BYTES) or b"").partition(b"\n")
    if not mark or not is_signed(signed_text(home, text), mark.decode("ascii", "replace")):
        return None
    try:
        found: Any = loads(text.decode("utf-8", "replace"))
        return Allowance(str(found["act"]), str(found["record"]), str(found["reason"]), float(found["until"]))
    except (ValueError, LookupError, TypeError):
        return None
