"""The registry of hosts: one line each. The prompt hook imports it, so it imports the hosts' modules on demand."""

from __future__ import annotations

import os

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.storage.files import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.hosts.base import Asking, Events, Host, StatusLine, Tools

# Name -> the host's folder, with the modules ``events`` (light, for the hook), ``host`` and perhaps
# ``status_line`` and ``asking`` (see ``base``). The first one is set up where there is no sign of any.
HOSTS = {
    "claude-code": "limpet.hosts.claude_code",
    "codex-cli": "limpet.hosts.codex",
    "copilot-cli": "limpet.hosts.copilot",
    "gemini-cli": "limpet.hosts.gemini",
}
# What people call them -> their names.
ALIASES = {"claude": "claude-code", "codex": "codex-cli", "copilot": "copilot-cli", "gemini": "gemini-cli"}


def events_of(name: str) -> Events | None:
    """Return the ``events`` module of this host, None for an unknown one."""
    folder = HOSTS.get(name)
    events: Events | None = __import__(f"{folder}.events", fromlist=["read_event"]) if folder else None
    return events


def status_line_of(name: str) -> StatusLine | None:
    """Return the ``status_line`` module, None for an unknown host. Raise ImportError for a host without one."""
    folder = HOSTS.get(name)
    line: StatusLine | None = __import__(f"{folder}.status_line", fromlist=["main"]) if folder else None
    return line


def tools_of(name: str) -> Tools | None:
    """Return the ``tools`` module, None for an unknown host. Raise ImportError for a host without one."""
    folder = HOSTS.get(name)
    tools: Tools | None = __import__(f"{folder}.tools", fromlist=["read_call"]) if folder else None
    return tools


def host_of(name: str) -> Host | None:
    """Return the ``host`` module, None for an unknown one."""
    folder = HOSTS.get(name)
    host: Host | None = __import__(f"{folder}.host", fromlist=["NAME"]) if folder else None
    return host


def asking_of(name: str) -> Asking | None:
    """Return the ``asking`` module, None for an unknown host and for one without it."""
    folder = HOSTS.get(name)
    try:
        asking: Asking | None = __import__(f"{folder}.asking", fromlist=["words"]) if folder else None
    except ModuleNotFoundError as error:
        if error.name != f"{folder}.asking":
            raise
        return None
    return asking


def all_hosts() -> tuple[Host, ...]:
    return tuple(host for name in HOSTS if (host := host_of(name)))


CLAUDE, COPILOT = "claude-code", "copilot-cli"


def find_sender(host: str, payload: dict[str, Any]) -> str:
    """Return the host that sent the payload to a hook line of ``host``, "" where its own hooks hear the event as well.

    Copilot CLI runs Claude Code's lines beside its own, and nothing in a payload tells which of them it was.
    """
    if host != CLAUDE or "timestamp" not in payload:
        return host
    from limpet.hosts.copilot import hook_places, is_ours

    if not is_ours(payload):
        return host
    root = os.environ.get("COPILOT_PROJECT_DIR") or str(payload.get("cwd") or os.getcwd())
    has_own = any(f" {COPILOT} " in (read_text(path, STATE_BYTES) or "") for path in hook_places(root))
    return "" if has_own else COPILOT
