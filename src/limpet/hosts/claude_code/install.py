"""Puts hooks, status line and deny rules into Claude Code's settings and takes them out. Separate from ``settings``,
which the status line imports, and from ``host``, which offers it under the names of the Protocol."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

from limpet.ground.formats.json_edit import (
    append_item,
    drop_empty,
    look_up,
    parse_json_object,
    parse_json_text,
    render_like,
)
from limpet.ground.git import is_tracked
from limpet.hosts.claude_code import HOST
from limpet.hosts.claude_code.events import PROJECT, TIMEOUTS
from limpet.hosts.claude_code.settings import (
    RULES,
    SCOPES,
    read_status_line,
    rules_in,
    settings_path,
    settings_place,
    wrapped_status_line,
)
from limpet.hosts.claude_code.tools import MATCHERS, READING
from limpet.hosts.commands.lines import (
    POWERSHELL_NAME,
    STATUS_LINE,
    read_command,
    speaks_powershell,
    status_line_command,
)
from limpet.hosts.file_changes import PRIVATE, PUBLIC, ChangePlan, FileChange, read_text_strictly, refuse_link_out
from limpet.hosts.git_files import may_ask_git, refuse_tracked
from limpet.hosts.hook_files import (
    Registration,
    add_hooks,
    find_hooks,
    forbidden_file,
    make_registrations,
    remove_hooks,
    with_reading_apart,
)
from limpet.hosts.hook_install import make_entry as make_file_entry
from limpet.hosts.hook_install import plan_file_removal, without_ours
from limpet.hosts.records import LOCAL, SHARED, USER, Entry, Record, canonical, change_record, combine, known_entries
from limpet.hosts.server_edits import NAME as SERVER

# Where the client keeps which of a project's MCP servers the person lets it start.
ANSWERED = ("enabledMcpjsonServers", "disabledMcpjsonServers")
# Why a status line of the project's settings is not run, and what to do.
KEPT_OUT = {
    "is in git": "to see both, move it to .claude/settings.local.json, which is not in git, and run `limpet init`",
    "belongs to a project that you have not trusted": "run `limpet trust`, then `limpet init`",
}


def make_fields(session: str, project: str) -> dict[str, dict[str, object]]:
    return {
        "SessionStart": {"source": "startup"},
        "UserPromptSubmit": {"prompt": "limpet doctor", "prompt_id": session},
        "PreCompact": {"trigger": "manual", "custom_instructions": None},
        "PostCompact": {"trigger": "manual", "compact_summary": ""},
        "PreToolUse": {**{"tool_name": "Read", "tool_input": {"file_path": forbidden_file()}, "tool_use_id": session}},
        "SubagentStart": {"agent_id": session, "agent_type": "general-purpose"},
        "PostToolUseFailure": {"tool_name": "Bash", "tool_input": {}, "tool_use_id": session, "error": "a trial"},
        "ConfigChange": {"source": "project_settings", "file_path": os.path.join(project, ".claude", "settings.json")},
        "Stop": {"stop_hook_active": False},
        "SessionEnd": {"reason": "other"},
        STATUS_LINE: {"workspace": {"current_dir": project, "project_dir": project}, "model": {"id": "doctor"}},
    }


def add_status_line(settings: dict[str, Any], command: str, like: dict[str, object]) -> None:
    """Other members of a status line stay; a new one takes those of ``like``."""
    present = read_status_line(settings)
    settings["statusLine"] = {**({**like, "type": "command"} if present is None else present), "command": command}


def add_rules(settings: dict[str, Any], kind: str, rules: tuple[str, ...], where: str) -> None:
    """Raise LimpetError where no list of rules can be."""
    known = rules_in(settings, kind)
    for rule in [rule for rule in rules if rule not in known]:
        append_item(settings, RULES[kind], rule, where)


def remove_rules(settings: dict[str, Any], kind: str, rules: tuple[str, ...], original: object) -> None:
    """``original``: as in ``remove_hooks``."""
    _remove_items(settings, RULES[kind], rules, original)


def remove_ours(
    settings: dict[str, Any], original: object, replaced: dict[str, object] | None, entry: Entry | None
) -> None:
    """Take out our hooks and the rules that are recorded in ``entry`` and what the person answered about our MCP
    server, and give back the status line that ours replaced, or none. ``original``: as in ``remove_hooks``."""
    for kind in RULES:
        remove_rules(settings, kind, recorded_rules(entry, kind), original)
    remove_hooks(settings, find_hooks(settings, HOST), original)
    for key in ANSWERED:
        _remove_items(settings, (key,), (SERVER,), original)
    line = read_status_line(settings)
    if line is None or read_command(line["command"]) is None:
        return
    if replaced is None:
        del settings["statusLine"]
    else:
        line["command"] = replaced["command"]


def _remove_items(settings: dict[str, Any], path: tuple[str, ...], items: tuple[str, ...], original: object) -> None:
    present, before = look_up(settings, path), look_up(original, path)
    kept = before if isinstance(before, list) else []
    if isinstance(present, list):
        present[:] = [item for item in present if item not in items or item in kept]
    if items:
        drop_empty(settings, path, original)


def registrations(shared: bool) -> tuple[Registration, ...]:
    shell = POWERSHELL_NAME if not shared and speaks_powershell() else ""
    made = make_registrations(HOST, TIMEOUTS, MATCHERS, shared, shell)
    return made if shared or sys.platform == "win32" else with_reading_apart(made, "PreToolUse", READING, PROJECT)


def plan_install(home: str, scope: str) -> ChangePlan:
    """Raise LimpetError for settings that cannot be read, and for a link that leads out of the project."""
    project = os.path.dirname(home)
    if scope != USER:
        refuse_link_out(settings_place(scope, project), project)
    path = settings_path(scope, project)
    record = known_entries(home, USER) | known_entries(home, scope)
    if scope == LOCAL:
        refuse_tracked(path, project)
    before, text = read_text_strictly(path)
    settings = parse_json_object(text, path)
    wrapped, notes = _edit(settings, path, scope, project, record)
    edited = render_like(settings, text)
    if edited == text and (scope == SHARED or path in record):
        return ChangePlan(notes=notes)
    entry = make_entry(path, scope, before, text, edited, record.get(path))
    if wrapped and wrapped[0] != settings_path(USER, project):
        entry["runs"] = wrapped[1]
    events = {hook.event for hook in find_hooks(settings, HOST)}
    what = f"{len(events)} hooks{_told_of_line(text, settings, wrapped is not None)}"
    return ChangePlan(
        (
            change_record(home, scope, {path: entry}),
            FileChange(path, what, before, edited.encode(), PRIVATE if scope == LOCAL else PUBLIC),
        ),
        notes,
    )


def plan_removal(home: str, scopes: tuple[str, ...]) -> ChangePlan:
    project, plans = os.path.dirname(home), []
    for scope in scopes:
        place = settings_place(scope, project)
        entry = known_entries(home, scope).get(canonical(place))
        what = f"Limpet's hooks and status line{', deny rules' if recorded_rules(entry) else ''}"
        plans.append(plan_file_removal(home, scope, place, _take(entry, place), what))
    return combine(plans)


def _edit(
    settings: dict[str, Any], path: str, scope: str, project: str, record: Record
) -> tuple[tuple[str, dict[str, object]] | None, tuple[str, ...]]:
    add_hooks(settings, registrations(scope == SHARED), path)
    if scope == SHARED:
        return None, ()
    present = read_status_line(settings)
    if settings.get("statusLine") and present is None:
        return None, (f"The status line in {path} has no command. It stays, and Limpet has none.",)
    wrapped = wrapped_status_line(project, record, SCOPES[SCOPES.index(scope) :])
    agreed = read_status_line({"statusLine": record.get(path, {}).get("runs")})
    if wrapped and wrapped[1] != agreed and why_kept_out(wrapped[0], project):  # doctor says so
        return (wrapped[0], agreed) if agreed else None, ()
    if wrapped is None:
        ours = read_command(present["command"]) if present and path not in record else None
        add_status_line(settings, status_line_command(HOST, ours.own if ours else ""), {})
        return None, ()
    add_status_line(settings, status_line_command(HOST, str(wrapped[1]["command"])), wrapped[1])
    return wrapped, ()


def _told_of_line(before: str, settings: object, is_wrapped: bool) -> str:
    line = read_status_line(settings)
    if line is None or read_command(line["command"]) is None:
        return ""
    if is_wrapped:
        return ", status line: yours, with Limpet's part appended"
    is_new = read_status_line(parse_json_text(before)) is None
    return f", status line: {'new' if is_new else 'Limpet alone'}"


def why_kept_out(path: str, project: str) -> str:
    """A checkout brought the line or may change it, or nobody trusts the project, so that git is not asked."""
    in_git, untrusted = KEPT_OUT
    if path == settings_path(USER, project):
        return ""
    if not may_ask_git(project):
        return untrusted
    return in_git if is_tracked(project, path) else ""


def recorded_rules(entry: Entry | None, kind: str = "deny_rules") -> tuple[str, ...]:
    rules = (entry or {}).get(kind)
    return tuple(map(str, rules)) if isinstance(rules, list) else ()


def make_entry(path: str, scope: str, before: bytes | None, text: str, edited: str, previous: Entry | None) -> Entry:
    original = without_ours(before, previous, _take(previous, path))
    line = read_status_line(parse_json_text(edited, path))
    has_ours = line is not None and read_command(line["command"]) is not None
    return {
        **make_file_entry(HOST, path, scope, edited, original, previous),
        "status_line": _replaced(text, previous, path) if has_ours else None,
        **{kind: recorded_rules(previous, kind) for kind in RULES},
    }


def _take(entry: Entry | None, where: str) -> Callable[[str, str], str]:
    def take(text: str, original: str) -> str:
        settings = parse_json_object(text, where)
        remove_ours(settings, parse_json_text(original), _replaced(text, entry, where), entry)
        return render_like(settings, text)

    return take


def _replaced(text: str, entry: Entry | None, where: str) -> dict[str, object] | None:
    line = read_status_line(parse_json_text(text, where))
    if line and read_command(line["command"]):
        return read_status_line({"statusLine": (entry or {}).get("status_line")})
    return line
