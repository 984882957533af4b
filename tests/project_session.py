"""Writes into the session of a project, as commands do."""

from limpet.work.project import accept_changes, change_project


def update_project(workspace, changes):
    """Write these values by their keys, None clears one; the new session."""
    wanted = accept_changes(changes)
    return change_project(workspace, lambda session: wanted)
