"""The event that is registered only where a project's rules need it: nobody else pays for it."""

from __future__ import annotations

from holdfast.ground.workspace import workspace_at
from holdfast.hosts.claude_code.events import ON_DEMAND
from holdfast.hosts.claude_code.settings import find_hooks, read_settings, settings_in_force, settings_path
from holdfast.hosts.scope import USER
from holdfast.operations.rules.needs import checked_domains


def needed_events(project: str, scope: str = "") -> tuple[str, ...]:
    """Return the events that the project's rules need; in the user's own settings also those that are there for the
    rules of other projects."""
    if checked_domains(workspace_at(project)):
        return tuple(ON_DEMAND)
    there = {hook.event for hook in find_hooks(read_settings(settings_path(USER, project)))} if scope == USER else set()
    return tuple(event for event in ON_DEMAND if event in there)


def missing_events(project: str) -> tuple[str, ...]:
    """Return the events that the project's rules need and that no settings in force there have a hook of ours for."""
    settings = map(read_settings, settings_in_force(project))
    there = {hook.event for found in settings for hook in find_hooks(found)}
    return tuple(event for event in needed_events(project) if event not in there)
