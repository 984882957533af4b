"""Offers a rule to the person in the conversation in which its sentence was said again: the hook shows what is left
here, with a word, and carries out what they agree to (``engine.person``)."""

from __future__ import annotations

import os
from contextlib import suppress

from limpet.ground.digest import digest
from limpet.ground.errors import LimpetError
from limpet.ground.safety.dotenv import without_secrets
from limpet.ground.storage.files import read_text
from limpet.ground.storage.user_folders import project_state
from limpet.ground.trust.approvals import HOUR, OFFERED, Approval, forget_ended, write_approval
from limpet.ground.trust.giving import make_key
from limpet.ground.workspace import Workspace
from limpet.memory.model.layout import WHOLE_STORE
from limpet.operations.approval import LONGEST
from limpet.operations.caller import Caller
from limpet.operations.learning.decisions import RULE
from limpet.operations.learning.proposals import list_proposals
from limpet.operations.project import open_as

SAYS = 'Said {} times: make it a rule of {}? "{}"'


def offer_rule(workspace: Workspace, conversation: str, now: float) -> None:
    """Offer the best rule whose sentence was said last in this conversation, each once; one that is too long for a line
    or that would have a command run is left to ``limpet review``. Raises LimpetError."""
    shown = (read_text(os.path.join(project_state(workspace.shared), OFFERED)) or "").split()
    for one in list_proposals(open_as(workspace, Caller(reader=WHOLE_STORE, now=now)), as_is=True):
        says = SAYS.format(one.evidence, one.domain, one.sentence)
        is_here = one.kind == RULE and one.conversations[:1] == (conversation,) and one.id not in shown
        if not is_here or one.check or len(says) > LONGEST or without_secrets(workspace, says) != says:
            continue
        act = digest(f"{workspace.home}\n{says}", 16)
        orders = f"{one.id} {one.domain} {one.sentence}"
        with suppress(OSError):
            forget_ended(now)
            make_key()
            write_approval(conversation, Approval(act, says, (), now + HOUR, orders=orders))
        return


def count_rules(workspace: Workspace, now: float) -> int:
    """Return how many rules are proposed; 0 where that cannot be read."""
    try:
        found = list_proposals(open_as(workspace, Caller(reader=WHOLE_STORE, now=now)), as_is=True)
    except LimpetError:
        return 0
    return sum(one.kind == RULE for one in found)
