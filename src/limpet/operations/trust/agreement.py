"""Records that the user trusts a project as it was shown to them."""

from __future__ import annotations

import os

from limpet.ground.errors import LimpetError
from limpet.ground.git import root_commit
from limpet.ground.trust.consent import Consent, find_consent
from limpet.ground.trust.giving import forget_moved, former_place, give_trust
from limpet.ground.workspace import Workspace
from limpet.operations.mirror import refresh
from limpet.operations.trust.known_rules import keep_rules
from limpet.operations.trust.survey import Offer, fingerprint
from limpet.work.checks.environment import keep_environment

CHANGED = "The project changed while you were asked, so nothing was recorded"


def trust_project(workspace: Workspace, offer: Offer, now: float) -> Consent:
    """Record the user's trust in the project and in the values of acting settings that they were shown.

    Raises LimpetError where the project is not as it was shown, and where the user's state folder cannot be written.
    """
    if fingerprint(workspace) != offer.mark:
        raise LimpetError(CHANGED, workspace.root, "To look again, run: limpet trust")
    former = None if find_consent(workspace) else former_place(workspace)
    consent = give_trust(workspace, offer.agreed, now, root_commit(workspace.root))
    if any(key.startswith("work.checks.") for key in offer.agreed):
        keep_environment(workspace, os.environ, now)
    if former:
        forget_moved(former)
    keep_rules(workspace)
    refresh(workspace)
    return consent
