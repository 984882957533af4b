"""The event that is registered only where a project's rules need it, or what is said is looked through after each turn:
nobody else pays for it."""

from __future__ import annotations

from holdfast.ground.config.settings import load_settings
from holdfast.ground.workspace import Workspace, workspace_at
from holdfast.hosts.claude_code.events import ON_DEMAND
from holdfast.hosts.claude_code.settings import find_hooks, read_settings, settings_in_force, settings_path
from holdfast.hosts.scope import USER
from holdfast.operations.rules.needs import checked_domains


def needed_events(project: str, scope: str = "") -> tuple[str, ...]:
    """Return the events that the project needs; in the user's own settings also those that are there for other
    projects."""
    workspace = workspace_at(project)
    if checked_domains(workspace) or _captures_turns(workspace):
        return tuple(ON_DEMAND)
    there = {hook.event for hook in find_hooks(read_settings(settings_path(USER, project)))} if scope == USER else set()
    return tuple(event for event in ON_DEMAND if event in there)


def missing_events(project: str) -> tuple[str, ...]:
    """Return the events that the project needs and that no settings in force there have a hook of ours for."""
    settings = map(read_settings, settings_in_force(project))
    there = {hook.event for found in settings for hook in find_hooks(found)}
    return tuple(event for event in needed_events(project) if event not in there)


def _captures_turns(workspace: Workspace) -> bool:
    memory = load_settings(workspace)[0]["memory"]
    return bool(memory["capture"] and memory["candidates"]["told"])
