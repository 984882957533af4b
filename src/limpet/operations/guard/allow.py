"""A person's word against one decision of the guard: the same act is let through once, within an hour."""

from __future__ import annotations

import os

from limpet.ground.config.mirror import read_mirror
from limpet.ground.errors import LimpetError
from limpet.ground.event_log.append import Actor
from limpet.ground.event_log.record import record
from limpet.ground.storage.durable import write_durably
from limpet.ground.storage.user_folders import state_folder
from limpet.ground.trust.allowance import (
    ALLOWED,
    Allowance,
    allowance_path,
    allowance_purpose,
    is_decision,
)
from limpet.ground.trust.approvals import HOUR
from limpet.ground.trust.giving import ELSEWHERE, REFUSED, make_key, refuse_untrusted
from limpet.ground.trust.signed import signed_record
from limpet.ground.workspace import Workspace
from limpet.operations.approval import Obtain
from limpet.operations.guard.log import Decision, find_decision

LOG = "Run: limpet guard log --denied"


def allow_once(workspace: Workspace, obtain: Obtain, name: str, reason: str, now: float, writer: str) -> Decision:
    """Let the act of this decision through once, within an hour, on a person's word; return the decision.

    Raises LimpetError without a reason, for an unknown decision, one that the guard did not make or that allowed the
    act anyway, in a project that is not trusted, and where the user's state folder cannot be written.
    """
    refuse_untrusted(workspace)
    if not reason.strip():
        raise LimpetError("A reason is needed", "--reason", "It is kept in the guard's log.")
    found = find_decision(workspace, name)
    if found is None:
        raise LimpetError("Unknown decision", name, LOG)
    act = str(found.data.get("digest") or "")
    if not is_decision(found.id, act, found.act, str(found.data.get("mark") or "")):
        raise LimpetError("The guard did not write this record", name, "Do not allow it: somebody edited the log.")
    if found.answer == "allow":
        raise LimpetError("This act was allowed", name, LOG)
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
        raise LimpetError(REFUSED.format(error.strerror), state_folder(), ELSEWHERE) from error
