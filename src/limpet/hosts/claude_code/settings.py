"""Reads Claude Code's settings files and finds our members in them. Kept light: the status line imports it."""

from __future__ import annotations

import os

from limpet.ground.workspace import main_root
from limpet.hosts.commands.lines import read_command
from limpet.hosts.hook_files import read_settings
from limpet.hosts.records import LOCAL, SHARED, USER, Record, canonical

SCOPES: tuple[str, ...] = (LOCAL, SHARED, USER)
# Where the rules are that no other rule and no mode undoes, and those by which it does not ask, by the names under
# which ours are recorded.
RULES = {"deny_rules": ("permissions", "deny"), "allow_rules": ("permissions", "allow")}

# Our plugin of our own marketplace.
PLUGIN = "limpet@limpet"


def settings_path(scope: str, project: str) -> str:
    """Return the settings file of a scope; where two set the same thing the scope named first in ``SCOPES`` wins."""
    return canonical(settings_place(scope, project))


def settings_place(scope: str, project: str) -> str:
    """Return the path as Claude Code names it, with the links that may lie on the way."""
    if scope == USER:
        return os.path.join(user_settings_folder(), "settings.json")
    return os.path.join(project, ".claude", "settings.local.json" if scope == LOCAL else "settings.json")


def settings_in_force(folder: str) -> dict[str, str]:
    """Return path -> scope of the files that a session started in ``folder`` obeys, the strongest first: those of that
    very folder, and the local ones of the repository's main worktree besides, from any folder and worktree of it."""
    main = main_root(folder)
    local = [settings_path(LOCAL, folder), *([settings_path(LOCAL, main)] if main else [])]
    others = {settings_path(SHARED, folder): SHARED, settings_path(USER, folder): USER}
    return {**dict.fromkeys(local, LOCAL), **others}


def find_plugin(folder: str) -> str:
    """Return the settings file by which our plugin is on in a session started in ``folder``, "" where it is not."""
    for path in settings_in_force(folder):
        plugins = read_settings(path).get("enabledPlugins")
        if isinstance(plugins, dict) and PLUGIN in plugins:
            return path if plugins[PLUGIN] else ""
    return ""


def user_settings_folder() -> str:
    return os.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")


def rules_in(settings: object, kind: str = "deny_rules") -> list[object]:
    for key in RULES[kind]:
        settings = settings.get(key) if isinstance(settings, dict) else None
    return settings if isinstance(settings, list) else []


def read_status_line(settings: object) -> dict[str, object] | None:
    line = settings.get("statusLine") if isinstance(settings, dict) else None
    return line if isinstance(line, dict) and isinstance(line.get("command"), str) else None


def wrapped_status_line(
    project: str, record: Record, scopes: tuple[str, ...] = SCOPES
) -> tuple[str, dict[str, object]] | None:
    """Return the file and the status line that would be in force without ours: for ``init``, at which the user sees
    what is taken over. ``record``: what is recorded of the project and the user."""
    for scope in scopes:
        path = settings_path(scope, project)
        line = _without_ours(scope, path, record.get(path, {}))
        if line:
            return path, line
    return None


def agreed_status_line(project: str, record: Record) -> dict[str, object] | None:
    """What the user had in the project is taken from the record, as it was agreed to: a checkout may change those files
    at any time. The user's own settings are read each time, so that later changes by the user count."""
    for scope in SCOPES:
        path = settings_path(scope, project)
        entry = record.get(path, {})
        if scope == USER:
            return _without_ours(scope, path, entry)
        line = read_status_line({"statusLine": entry.get("runs") or entry.get("status_line")})
        if line:
            return line
    return None


def _without_ours(scope: str, path: str, entry: dict[str, object]) -> dict[str, object] | None:
    line = read_status_line(read_settings(path))
    ours = read_command(line["command"]) if line else None
    if ours is None:
        return line
    replaced = read_status_line({"statusLine": entry.get("status_line")})
    if replaced or scope != USER or not ours.own:
        return replaced
    return {"type": "command", "command": ours.own}  # the record is lost; nothing but the user's own stands there
