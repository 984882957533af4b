"""Makes the files of a package, the same bytes on every machine: they name no path of one, and no time."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping

import limpet
from limpet.ground.storage.files import read_bytes
from limpet.hosts.claude_code.install import registrations as claude_code_hooks
from limpet.hosts.codex.host import registrations as codex_hooks
from limpet.hosts.commands.lines import plugin_command
from limpet.hosts.commands.quoting import single_quoted
from limpet.hosts.gemini.host import COMMAND, UNIT
from limpet.hosts.gemini.host import registrations as gemini_hooks
from limpet.hosts.hook_files.edits import Registration, add_hooks
from limpet.hosts.packages.icon import draw_icon
from limpet.hosts.skills import render_skill

Files = dict[str, bytes]

NAME = "limpet"
OWNER = {"name": "The Limpet founders"}
PLUGIN = {
    "name": NAME,
    "version": limpet.__version__,
    "description": "Keeps the agent to your rules, your memories and its place in the work",
}
DETAILS = {"author": OWNER, "license": "MIT", "keywords": ["rules", "memory", "context", "guard", "workflow"]}
SERVERS = {"mcpServers": {NAME: {"command": NAME, "args": ["mcp"]}}}
MISSING = (
    "Limpet is not installed, so its plugin does nothing. To install it: uv tool install 'limpet[mcp]' "
    "(or: pipx install 'limpet[mcp]'), then limpet init in your project."
)
START = "SessionStart"


def render_package(host: str) -> Files:
    """Return relative path -> bytes of the package for a host of ``PACKAGES``."""
    return dict(sorted(PACKAGES[host]().items()))


def _claude_code() -> Files:
    """Return a plugin, which is its own marketplace; Copilot CLI takes both as they are, and what it is told of a
    missing Limpet goes to the model, because it shows the person nothing."""
    listed = {"name": NAME, "source": "./", "description": PLUGIN["description"]}
    return {
        ".claude-plugin/plugin.json": _json({**PLUGIN, **DETAILS, "icon": "./.claude-plugin/icon.png"}),
        ".claude-plugin/marketplace.json": _json(_marketplace(listed)),
        ".claude-plugin/icon.png": draw_icon(),
        f"skills/{NAME}/SKILL.md": render_skill(),
        **_texts("claude-code"),
        "hooks/hooks.json": _hooks(claude_code_hooks(True), {"systemMessage": MISSING, "additionalContext": MISSING}),
        ".mcp.json": _json(SERVERS),
    }


def _codex() -> Files:
    """Return a marketplace with one plugin."""
    folder = f"plugins/{NAME}"
    shown = {"displayName": "Limpet", "shortDescription": PLUGIN["description"], "logo": "./assets/icon.png"}
    parts = {"skills": "./skills/", "hooks": "./hooks/hooks.json", "mcpServers": "./.mcp.json"}
    source = {"source": "local", "path": f"./{folder}"}
    policy = {"installation": "AVAILABLE", "authentication": "ON_INSTALL"}
    listed = {"name": NAME, "source": source, "policy": policy, "category": "Coding"}
    plugin = {
        ".codex-plugin/plugin.json": _json({**PLUGIN, **DETAILS, **parts, "interface": shown}),
        "assets/icon.png": draw_icon(),
        f"skills/{NAME}/SKILL.md": render_skill(),
        **_texts("codex-cli"),
        "hooks/hooks.json": _hooks(codex_hooks(True), {"systemMessage": MISSING}),
        ".mcp.json": _json(SERVERS),
    }
    return {
        ".agents/plugins/marketplace.json": _json(_marketplace(listed)),
        **{f"{folder}/{path}": raw for path, raw in plugin.items()},
    }


def _gemini() -> Files:
    """Return an extension. The client warns of a skill that a project has too, so this one has none."""
    return {
        "gemini-extension.json": _json({**PLUGIN, **SERVERS}),
        **_texts("gemini-cli"),
        "hooks/hooks.json": _hooks(gemini_hooks(True), {"systemMessage": MISSING}, UNIT),
        f"commands/{NAME}.toml": COMMAND,
    }


# Copilot CLI installs the plugin for Claude Code.
PACKAGES: dict[str, Callable[[], Files]] = {
    "claude-code": _claude_code,
    "codex-cli": _codex,
    "copilot-cli": _claude_code,
    "gemini-cli": _gemini,
}

# How a package in the folder ``{}`` is installed.
INSTALL = {
    "claude-code": ("claude plugin marketplace add {}", "claude plugin install limpet@limpet"),
    "codex-cli": ("codex plugin marketplace add {}", "codex plugin add limpet@limpet"),
    "copilot-cli": ("copilot plugin marketplace add {}", "copilot plugin install limpet@limpet"),
    "gemini-cli": ("gemini extensions install {}",),
}


def _texts(host: str) -> Files:
    folder = os.path.join(limpet.__path__[0], "framework", "packages")
    texts = {"README.md": f"{host}.md", "LICENSE": "LICENSE"}
    return {path: read_bytes(os.path.join(folder, name)) or b"" for path, name in texts.items()}


def _marketplace(plugin: Mapping[str, object]) -> dict[str, object]:
    return {"name": NAME, "owner": OWNER, "description": PLUGIN["description"], "plugins": [plugin]}


def _hooks(registrations: tuple[Registration, ...], told: dict[str, str], unit: int = 1) -> bytes:
    """Return the hooks of a committed file, whose lines say that they are a plugin's, and one more that tells of a
    missing Limpet when a session starts.

    ``told``: what it prints. ``unit``: what the host's timeouts count in a second.
    """
    ours = (each.replace(command=plugin_command(each.host, each.event)) for each in registrations)
    settings = json.loads(add_hooks("{}", tuple(ours), ""))
    line = f"command -v {NAME} >/dev/null 2>&1 || printf '%s\\n' {single_quoted(json.dumps(told))}"
    group = {"matcher": "startup", "hooks": [{"type": "command", "command": line, "timeout": 5 * unit}]}
    settings["hooks"].setdefault(START, []).append(group)
    return _json(settings)


def _json(data: object) -> bytes:
    return (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode()
