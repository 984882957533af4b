"""What a client's own plugin manager installs: hooks, skill and MCP server, from the same sources as ``init``."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from typing import Any

import limpet
from limpet.ground.errors import LimpetError
from limpet.ground.storage.durable import delete_file, make_shared_folders, write_durably
from limpet.ground.storage.files import read_bytes, read_text
from limpet.hosts.claude_code.install import registrations as claude_code_hooks
from limpet.hosts.codex.host import CLIENT as CODEX
from limpet.hosts.commands.launcher import single_quoted
from limpet.hosts.commands.lines import plugin_command
from limpet.hosts.cursor.host import CLIENT as CURSOR
from limpet.hosts.file_changes import PUBLIC
from limpet.hosts.gemini.host import CLIENT as GEMINI
from limpet.hosts.gemini.host import COMMAND
from limpet.hosts.hook_files import Registration, add_hooks
from limpet.hosts.origin import install_line_for_others
from limpet.hosts.skills import render_skill

# Relative path -> bytes.
Files = dict[str, bytes]

# The digest and the path of each file of ours, as ``sha256sum`` writes them.
LIST = ".limpet-package"
NAME = "limpet"
PLUGIN = {
    "name": NAME,
    "version": limpet.__version__,
    "description": "Keeps the agent to your rules, your memories and its place in the work",
}
OWNER = {"name": "The Limpet founders"}
DETAILS = {"author": OWNER, "license": "MIT", "keywords": ["rules", "memory", "context", "guard", "workflow"]}
SERVERS = {"mcpServers": {NAME: {"command": NAME, "args": ["mcp"]}}}
MISSING = "Limpet is not installed, so its plugin does nothing. To install it: {}"
# How a package in the folder ``{}`` is installed.
INSTALL = {
    "claude-code": ("claude plugin marketplace add {}", "claude plugin install limpet@limpet"),
    "codex-cli": ("codex plugin marketplace add {}", "codex plugin add limpet@limpet"),
    "copilot-cli": ("copilot plugin marketplace add {}", "copilot plugin install limpet@limpet"),
    "gemini-cli": ("gemini extensions install {}",),
    "cursor": ("mkdir -p ~/.cursor/plugins/local", "cp -R {} ~/.cursor/plugins/local/limpet"),
    "vscode": ("in VS Code: Chat: Install Plugin From Source, with the repository that holds {}",),
    "antigravity": ("agy plugin install {}",),
}
PARTS = os.path.join(limpet.__path__[0], "framework", "packages")


def write_package(files: Files, folder: str) -> None:
    """Raise LimpetError, before anything is written, where the folder holds a file that is not ours, or was changed."""
    folder = os.path.abspath(folder)
    known = {}
    for line in (read_text(os.path.join(folder, LIST)) or "").splitlines():
        digest, _, path = line.partition("  ")
        known[path] = digest
    present = sorted(_walk(folder))
    for path in present:
        raw = read_bytes(os.path.join(folder, path)) if not os.path.islink(os.path.join(folder, path)) else None
        if raw is None or (path != LIST and raw != files.get(path) and _digest(raw) != known.get(path)):
            hint = "Name a new or an empty folder, or one that holds an unchanged package"
            raise LimpetError(f"The folder holds {path}, which is no file of a package of ours", folder, hint)
    for path, raw in files.items():
        make_shared_folders(os.path.dirname(os.path.join(folder, path)))
        write_durably(os.path.join(folder, path), raw, PUBLIC, follow=False)
    for path in present:
        if path not in files and path != LIST:
            delete_file(os.path.join(folder, path))
            with suppress(OSError):  # something else is in it
                os.removedirs(os.path.dirname(os.path.join(folder, path)))
    listed = "".join(f"{_digest(raw)}  {path}\n" for path, raw in files.items())
    write_durably(os.path.join(folder, LIST), listed, PUBLIC, follow=False)


def _walk(folder: str) -> Iterator[str]:
    for place, folders, names in os.walk(folder):
        if place == folder and ".git" in folders:  # a marketplace is published from a repository
            folders.remove(".git")
        links = (name for name in folders if os.path.islink(os.path.join(place, name)))
        for name in (*names, *links):
            yield os.path.relpath(os.path.join(place, name), folder).replace(os.sep, "/")


def _digest(raw: bytes) -> str:
    return sha256(raw).hexdigest()


def render_package(host: str) -> Files:
    return dict(sorted(PACKAGES[host]().items()))


def _claude_code() -> Files:
    """The plugin is its own marketplace. Copilot CLI takes both as they are; it shows the person no message of ours,
    so that the model gets it."""
    listed = {"name": NAME, "source": "./", "description": PLUGIN["description"]}
    missing = missing_message()
    return {
        ".claude-plugin/plugin.json": _json({**PLUGIN, **DETAILS, "icon": "./.claude-plugin/icon.png"}),
        ".claude-plugin/marketplace.json": _json(_marketplace(listed)),
        ".claude-plugin/icon.png": read_icon(),
        f"skills/{NAME}/SKILL.md": render_skill(),
        **_texts("claude-code"),
        "hooks/hooks.json": _hooks(claude_code_hooks(True), {"systemMessage": missing, "additionalContext": missing}),
        ".mcp.json": _json(SERVERS),
    }


def _codex() -> Files:
    folder = f"plugins/{NAME}"
    shown = {"displayName": "Limpet", "shortDescription": PLUGIN["description"], "logo": "./assets/icon.png"}
    parts = {"skills": "./skills/", "hooks": "./hooks/hooks.json", "mcpServers": "./.mcp.json"}
    source = {"source": "local", "path": f"./{folder}"}
    policy = {"installation": "AVAILABLE", "authentication": "ON_INSTALL"}
    listed = {"name": NAME, "source": source, "policy": policy, "category": "Coding"}
    plugin = {
        ".codex-plugin/plugin.json": _json({**PLUGIN, **DETAILS, **parts, "interface": shown}),
        "assets/icon.png": read_icon(),
        f"skills/{NAME}/SKILL.md": render_skill(),
        **_texts("codex-cli"),
        "hooks/hooks.json": _hooks(CODEX.registrations(True), {"systemMessage": missing_message()}),
        ".mcp.json": _json(SERVERS),
    }
    return {
        ".agents/plugins/marketplace.json": _json(_marketplace(listed)),
        **{f"{folder}/{path}": raw for path, raw in plugin.items()},
    }


def _gemini() -> Files:
    """The client warns of a skill that a project has too, so this one has none."""
    return {
        "gemini-extension.json": _json({**PLUGIN, **SERVERS}),
        **_texts("gemini-cli"),
        "hooks/hooks.json": _hooks(GEMINI.registrations(True), {"systemMessage": missing_message()}, GEMINI.UNIT),
        f"commands/{NAME}.toml": COMMAND,
    }


def _cursor() -> Files:
    listed = {"name": NAME, "source": "./", "description": PLUGIN["description"]}
    hooks = json.loads(_hooks(CURSOR.registrations(True), {"additional_context": missing_message()}))
    return {
        ".cursor-plugin/plugin.json": _json({**PLUGIN, **DETAILS}),
        ".cursor-plugin/marketplace.json": _json(_marketplace(listed)),
        f"skills/{NAME}/SKILL.md": render_skill(),
        **_texts("cursor"),
        "hooks/hooks.json": _json({**CURSOR.HEAD, **hooks}),
        "mcp.json": _json(SERVERS),
    }


def _antigravity() -> Files:
    """The client loads no hooks of a plugin, and reads two members of the manifest."""
    return {
        "plugin.json": _json({name: PLUGIN[name] for name in ("name", "version", "description")}),
        f"skills/{NAME}/SKILL.md": render_skill(),
        **_texts("antigravity"),
        "mcp_config.json": _json(SERVERS),
    }


# Copilot CLI and VS Code install the plugin for Claude Code.
PACKAGES: dict[str, Callable[[], Files]] = {
    "claude-code": _claude_code,
    "codex-cli": _codex,
    "copilot-cli": _claude_code,
    "gemini-cli": _gemini,
    "cursor": _cursor,
    "vscode": _claude_code,
    "antigravity": _antigravity,
}


def _texts(host: str) -> Files:
    page = read_text(os.path.join(PARTS, f"{host}.md")) or ""
    page = page.replace("{install}", install_line_for_others("mcp", "uv tool install"))
    return {"README.md": page.encode(), "LICENSE": read_bytes(os.path.join(PARTS, "LICENSE")) or b""}


def read_icon() -> bytes:
    return read_bytes(os.path.join(PARTS, "icon.png")) or b""


def missing_message() -> str:
    return MISSING.format(install_line_for_others("mcp", "uv tool install"))


def _marketplace(plugin: Mapping[str, object]) -> dict[str, object]:
    return {"name": NAME, "owner": OWNER, "description": PLUGIN["description"], "plugins": [plugin]}


def _hooks(registrations: tuple[Registration, ...], told: dict[str, str], unit: int = 1) -> bytes:
    """Add one that tells of a missing Limpet when a session starts. ``unit``: of the host's timeouts, in a second."""
    ours = (each.replace(command=plugin_command(each.host, each.event)) for each in registrations)
    settings: dict[str, Any] = {}
    add_hooks(settings, tuple(ours), "")
    line = f"command -v {NAME} >/dev/null 2>&1 || printf '%s\\n' {single_quoted(json.dumps(told))}"
    handler = {"type": "command", "command": line, "timeout": 5 * unit}
    is_flat = any(each.flat for each in registrations)
    group = handler if is_flat else {"matcher": "startup", "hooks": [handler]}
    settings["hooks"].setdefault("sessionStart" if is_flat else "SessionStart", []).append(group)
    return _json(settings)


def _json(data: object) -> bytes:
    return (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode()
