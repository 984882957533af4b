"""What a person allowed an agent to do once: a signed file for each act in the user's state folder, which goes when the
act is let through. The hook reads and removes; only a command writes (``operations.guard.allow``)."""

from __future__ import annotations

import os

from limpet.ground.digest import digest
from limpet.ground.trust.signed import is_signed, read_key, read_signed, sign
from limpet.ground.values import Value

FOLDER, ASKED = "allowed", "asked"
# Kinds of the events in which a decision of the guard stands, and a person's word against it.
DECIDED, ALLOWED = "guard.decided", "guard.allowed"


class Allowance(Value):
    """``act``: its digest.
    ``record``: the id of the decision that it overrides.
    ``until``: in seconds since 1970.
    """

    act: str
    record: str
    reason: str
    until: float


def allowance_path(state: str, act: str) -> str:
    """``state``: a worktree's folder of that name (``Workspace``)."""
    return os.path.join(state, FOLDER, act)


def allowance_purpose(state: str) -> str:
    """This project and worktree, so that no other's counts."""
    return "\n".join((FOLDER, *state.split(os.sep)[-3:]))


def is_first_asked(state: str, session: str, what: str) -> bool:
    """Remembers that it was asked; asked again where that cannot be kept."""
    path = os.path.join(state, ASKED, digest(f"{session}\n{what}", 16))
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    except OSError:
        return True
    return True


def decision_mark(name: str, act: str, shown: str) -> str:
    """ "" without the user's key: the text that a person is shown is that of the act with this digest."""
    key = read_key()
    return sign(_decision(name, act, shown), key) if key else ""


def is_decision(name: str, act: str, shown: str, mark: str) -> bool:
    return is_signed(_decision(name, act, shown), mark)


def use_allowance(state: str, act: str, now: float) -> Allowance | None:
    """It is removed: it counts once. One that cannot be removed does not count; whoever of two removes it is the one
    whose act is allowed."""
    path = allowance_path(state, act)
    found = read_signed(path, allowance_purpose(state))
    if found is None:
        return None
    try:
        os.unlink(path)
        allowance = Allowance(**found)
    except (OSError, TypeError):
        return None
    return allowance if allowance.act == act and now < allowance.until else None


def _decision(name: str, act: str, shown: str) -> bytes:
    return "\n".join((DECIDED, name, act, shown)).encode("utf-8", "surrogatepass")
