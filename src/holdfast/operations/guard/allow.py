"""A person's word against one decision of the guard: the same act is let through once, within an hour."""

from __future__ import annotations

import os

from holdfast.ground.config.mirror import read_mirror
from holdfast.ground.errors import HoldfastError
from holdfast.ground.event_log.append import Actor
from holdfast.ground.event_log.record import record
from holdfast.ground.storage.durable import write_durably
from holdfast.ground.storage.user_folders import state_folder
from holdfast.ground.trust.allowance import (
    ALLOWED,
    Allowance,
    allowance_path,
    allowance_purpose,
    is_decision,
)
from holdfast.ground.trust.approvals import HOUR
from holdfast.ground.trust.giving import ELSEWHERE, REFUSED, make_key, refuse_untrusted
from holdfast.ground.trust.signed import signed_record
from holdfast.ground.workspace import Workspace
from holdfast.operations.approval import Obtain
from holdfast.operations.guard.log import Decision, find_decision

LOG = "Run: holdfast guard log --denied"


def allow_once(workspace: Workspace, obtain: Obtain, name: str, reason: str, now: float, writer: str) -> Decision:
    """Let the act of this decision through once, within an hour, on a person's word; return the decision.

    Raises HoldfastError without a reason, for an unknown decision, one that the guard did not make or that allowed the
    act anyway, in a project that is not trusted, and where the user's state folder cannot be written.
    """
    refuse_untrusted(workspace)
    if not reason.strip():
        raise HoldfastError("A reason is needed", "--reason", "It is kept in the guard's log.")
    found = find_decision(workspace, name)
    if found is None:
        raise HoldfastError("Unknown decision", name, LOG)
    act = str(found.data.get("digest") or "")
    if not is_decision(found.id, act, found.act, str(found.data.get("mark") or "")):
        raise HoldfastError("The guard did not write this record", name, "Do not allow it: somebody edited the log.")
    if found.answer == "allow":
        raise HoldfastError("This act was allowed", name, LOG)
    act_in_words = found.act or f"{found.tool} {found.target}".strip()
    obtain(f"Let {found.agent or 'the agent'} do once: {act_in_words} ({reason.strip()})")
    _write(workspace.home, Allowance(act=act, record=found.id, reason=reason.strip(), until=now + HOUR))
    actor = Actor(writer=writer, now=now, retention=read_mirror(workspace).settings["retention"], why=reason.strip())
    record(workspace, actor, ALLOWED, {"id": found.id, "rule": found.rule, "act": found.act, "tool": found.tool})
    return found


def _write(home: str, allowance: Allowance) -> None:
    path = allowance_path(home, allowance.act)
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        write_durably(path, signed_record(allowance.__dict__, allowance_purpose(home), make_key()))
    except OSError as error:
        raise HoldfastError(REFUSED.format(error.strerror), state_folder(), ELSEWHERE) from error
