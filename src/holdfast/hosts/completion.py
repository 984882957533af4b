"""Completes an installation whose project came to need more: rules that files call, or that are checked."""

from __future__ import annotations

import os

from holdfast.ground.errors import HoldfastError
from holdfast.ground.workspace import Workspace
from holdfast.hosts.installation import Job, carry_out
from holdfast.hosts.registry import host_of
from holdfast.hosts.scope import LOCAL


def complete_hooks(workspace: Workspace, name: str) -> tuple[str, ...]:
    """Add the hooks that the project's rules need to the user's local settings of the host; return their events.

    Only where our hooks are in those settings: what git keeps, and the user's own settings, change by ``init``.
    """
    host = host_of(name)
    if host is None or LOCAL not in {found.scope for found in host.registered(workspace.root)}:
        return ()
    missing = host.missing_events(workspace.root)
    if not missing:
        return ()
    try:
        plan = host.plan_install(workspace.home, LOCAL)
        carry_out(Job(os.path.dirname(workspace.home), plan.pending(), plan.notes))
    except HoldfastError:  # another session did it, or the file is the user's to mend: doctor tells
        return ()
    return missing
