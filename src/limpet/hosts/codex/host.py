"""Codex CLI as a ``Host``, for installing, examining and spawning (contract observed on 0.169.0)."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tomllib
from collections.abc import Iterator
from typing import Any

from limpet.ground.formats.json_edit import look_up
from limpet.ground.storage.files import read_text
from limpet.ground.workspace import main_root
from limpet.hosts import base
from limpet.hosts.codex import HOST, events, tools
from limpet.hosts.codex.events import CAP, SPEAKING
from limpet.hosts.hook_files import Registration, find_hooks, forbidden_command, read_settings
from limpet.hosts.hook_host import HookHost
from limpet.hosts.records import USER, canonical
from limpet.hosts.skills import AGENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.hosts.codex import asking

    asked: base.Asking = asking


def codex_home() -> str:
    return os.environ.get("CODEX_HOME") or os.path.join(os.path.expanduser("~"), ".codex")


class Codex(HookHost):
    NAME, TITLE = HOST, "Codex"
    SKILLS = AGENTS.replace(typed="$limpet")
    CAN = frozenset({*base.CAPABILITIES} - {base.QUESTION, base.WINDOW})
    WHY_NOT = {
        base.QUESTION: "a hook can only deny; the user lets a call pass with `limpet guard allow`",
        base.WINDOW: "it draws its own items only",
    }
    CONSENT = 'start `codex` here once and choose "Trust all and continue". It leaves out hooks that nobody reviewed.'
    HEADLESS = base.Headless(
        program="codex",
        variable="LIMPET_CODEX",
        words=("exec", "--json", "--skip-git-repo-check", "{prompt}"),
        join="codex resume {session}",
        told=r'"thread_id": ?"([\w-]+)"',
    )
    SIGNS = (".codex", "AGENTS.md")
    INSERTING = ("SessionStart", "UserPromptSubmit")

    def registrations(self, shared: bool) -> tuple[Registration, ...]:
        """Codex trusts a hook by the hash of its definition, so that line, timeout, matcher and limit stay as they
        are."""
        limit = {"additionalContextLimit": CAP}
        known = super().registrations(shared)
        return tuple(each.replace(others=limit) if each.event in SPEAKING else each for each in known)

    def place(self, scope: str, project: str) -> str:
        """A project has one file, which is its own machine's or committed."""
        return os.path.join(codex_home() if scope == USER else os.path.join(project, ".codex"), "hooks.json")

    def root_of(self, folder: str) -> str:
        """In a linked worktree those of the main one hold."""
        return main_root(folder) or folder

    def make_fields(self, session: str, project: str) -> dict[str, dict[str, object]]:
        return {
            "SessionStart": {"source": "startup"},
            "UserPromptSubmit": {"prompt": "limpet doctor", "turn_id": session},
            "PreToolUse": {"tool_name": "Bash", "tool_input": forbidden_command(), "tool_use_id": session},
            "SubagentStart": {"agent_id": session, "agent_type": "default"},
            "PreCompact": {"trigger": "manual"},
            "PostCompact": {"trigger": "manual"},
            "Stop": {"stop_hook_active": False},
            "SessionEnd": {"reason": "other"},
        }

    def find_hindrance(self, project: str) -> tuple[str, str]:
        """Codex says nothing by itself of hooks that it does not trust."""
        path = os.path.join(codex_home(), "config.toml")
        try:
            config = tomllib.loads(read_text(path) or "")
        except tomllib.TOMLDecodeError:
            config = {}
        found = self.in_force(project)
        folders = {canonical(project), canonical(main_root(project) or project)}
        known = _table(config, "projects")
        trusted = {canonical(path) for path in known if _table(known, path).get("trust_level") == "trusted"}
        if found and all(each.scope != USER for each in found) and not folders & trusted:
            return "the folder is not trusted, so that no hook of the project runs", self.CONSENT
        untrusted = disabled = 0
        states = _table(_table(config, "hooks"), "state")
        for each in found:
            for key, digest in _our_handlers(each.path):
                state = _table(states, key)
                disabled += state.get("enabled") is False
                untrusted += state.get("trusted_hash") != digest
        if untrusted:
            return f"{untrusted} hooks are not trusted and do not run", self.CONSENT
        if disabled:
            return f"{disabled} hooks are switched off in {path}", "switch them on: /hooks in `codex`"
        return "", ""


CLIENT = Codex(events, tools)


def _our_handlers(path: str) -> Iterator[tuple[str, str]]:
    settings = read_settings(path)
    for hook in find_hooks(settings, HOST):
        event = re.sub(r"(?<!^)(?=[A-Z])", "_", hook.event).lower()
        handler = look_up(settings, ("hooks", hook.event, hook.group, "hooks", hook.index))
        yield f"{path}:{event}:{hook.group}:{hook.index}", _digest(event, hook.matcher, handler)


def _digest(event: str, matcher: object, handler: dict[str, object]) -> str:
    """A member that is absent counts as Codex's default of it."""
    known = {"type": "command", "command": handler["command"], "timeout": handler.get("timeout", 600), "async": False}
    limit = handler.get("additionalContextLimit", 2500)
    if limit != 2500:
        known["additionalContextLimit"] = limit
    identity: dict[str, object] = {"event_name": event, "hooks": [known]}
    if matcher is not None:
        identity["matcher"] = matcher
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def _table(data: dict[str, Any], name: str) -> dict[str, Any]:
    found = data.get(name)
    return found if isinstance(found, dict) else {}
