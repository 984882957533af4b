"""The clients that start MCP servers, those that run no hooks of ours among them: where each reads which to start.

Observed: Claude Code 2.1.329, Codex 0.169.0, Copilot CLI 1.0.102, Gemini CLI 0.61.0. Cursor, VS Code and Antigravity
are as their documentation says.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from limpet.ground.values import Value
from limpet.hosts.codex.host import codex_home
from limpet.hosts.copilot import copilot_home
from limpet.hosts.gemini.host import SERVERS, gemini_home
from limpet.hosts.scope import USER


class ServerClient(Value):
    """A client that starts MCP servers.

    ``name``, ``title``: its name in commands, a host's where it is one, and for people.
    ``file``: the configuration of a project, from its root.
    ``user_file``: returns the user's own, "" for one that no program should write; ``by_hand`` is the way there.
    ``key``: the member that holds the servers; "" where the file is TOML.
    ``folder``: what the client puts in for the folder that is open, "" where it starts servers there.
    ``consent``: what a person does in it before it starts a project's server, "" for no more than for hooks.
    ``signs``: files and folders of a project that show that the client is used in it; () for a host, which tells.
    """

    name: str
    title: str
    file: str
    user_file: Callable[[], str] = str
    by_hand: str = ""
    key: str = SERVERS
    folder: str = ""
    consent: str = ""
    signs: tuple[str, ...] = ()


CLIENTS = {
    client.name: client
    for client in (
        # Its own file holds the state of every project, and it writes it all the time.
        ServerClient(
            "claude-code",
            "Claude Code",
            ".mcp.json",
            by_hand="claude mcp add -s user limpet -- limpet mcp",
            consent='start `claude` here once and choose "Use this MCP server". It leaves out one that nobody chose.',
        ),
        ServerClient("codex-cli", "Codex", ".codex/config.toml", lambda: _join(codex_home(), "config.toml"), key=""),
        ServerClient("copilot-cli", "Copilot CLI", ".mcp.json", lambda: _join(copilot_home(), "mcp-config.json")),
        ServerClient(
            "gemini-cli", "Gemini CLI", ".gemini/settings.json", lambda: _join(gemini_home(), "settings.json")
        ),
        ServerClient(
            "cursor",
            "Cursor",
            ".cursor/mcp.json",
            lambda: _join("~", ".cursor", "mcp.json"),
            folder="${workspaceFolder}",
            signs=(".cursor", ".cursorrules"),
        ),
        ServerClient(
            "vscode",
            "VS Code",
            ".vscode/mcp.json",
            by_hand="MCP: Add Server, with the command: limpet mcp",
            key="servers",
            folder="${workspaceFolder}",
            signs=(".vscode",),
        ),
        ServerClient(
            "antigravity",
            "Antigravity",
            ".agents/mcp_config.json",
            lambda: _join("~", ".gemini", "config", "mcp_config.json"),
            signs=(".agents/rules", ".agents/workflows", ".agents/mcp_config.json", ".agent"),
        ),
    )
}
# Those that have memory and rules by the server alone.
WITHOUT_HOOKS = tuple(name for name, client in CLIENTS.items() if client.signs)


def place(client: ServerClient, scope: str, project: str) -> str:
    """Return the configuration of a scope as the client names it, "" where it has none that a program should write."""
    return client.user_file() if scope == USER else os.path.join(project, *client.file.split("/"))


def used_in(project: str) -> tuple[str, ...]:
    """Return the names of the clients without hooks that have signs in the project."""
    return tuple(name for name in WITHOUT_HOOKS if any(map(os.path.exists, _signs(CLIENTS[name], project))))


def _signs(client: ServerClient, project: str) -> list[str]:
    return [os.path.join(project, *sign.split("/")) for sign in client.signs]


def _join(*parts: str) -> str:
    return os.path.expanduser(os.path.join(*parts))
