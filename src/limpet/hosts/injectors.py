"""Other tools that add text to prompts here, or left their files: what happens with them, and the way over. In this
room because it asks every host for the hooks of others."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

from limpet.ground.storage.files import read_shipped
from limpet.ground.trust.consent import find_consent
from limpet.ground.trust.in_place import SIGNS
from limpet.ground.workspace import Workspace
from limpet.hosts.registry import all_hosts
from limpet.migration.journal import is_imported_kind
from limpet.operations.trust_record import agree_to

Hook = tuple[str, str]

_SCRIPT = re.compile(r"[\w.-]+\.(?:py|js|mjs|cjs|ts|sh|rb|ps1)\b")


def find_injectors(workspace: Workspace) -> Iterator[tuple[str, str]]:
    """Yield (what happens now, how to change that); hooks of no tool that we know are named by their scripts."""
    hooks = _hooks(workspace)
    for name, tool in _tools().items():
        own = [hook for hook in hooks if _is_of(tool, hook)]
        hooks = [hook for hook in hooks if hook not in own]
        folder = _folder_of(tool, workspace.root)
        if own:
            yield _beside(workspace, name, folder, own[0])
        elif folder and not is_imported_kind(workspace, tool["import"]):
            yield _left(workspace, name, folder, tool["import"])
    if hooks:
        names = dict.fromkeys((_SCRIPT.findall(command) or [command])[-1] for _, command in hooks)
        what = f"Other hooks on prompts or starts: {', '.join(names)}; what they print reaches the model too"
        yield what, f"they are in {', '.join(dict.fromkeys(path for path, _ in hooks))}"


def leave_to_hooks(workspace: Workspace, now: float) -> None:
    """Folders that their own tools bring still are not read in place, so that the model gets their rules once."""
    hooks = _hooks(workspace)
    for tool in _tools().values():
        folder = _folder_of(tool, workspace.root)
        if folder and any(_is_of(tool, hook) for hook in hooks):
            agree_to(workspace, folder, False, now)


def _tools() -> dict[str, dict[str, Any]]:
    tools: dict[str, dict[str, Any]] = read_shipped("injectors")["tools"]
    return tools


def _hooks(workspace: Workspace) -> list[Hook]:
    found: list[Hook] = []
    for host in all_hosts():
        found += host.other_hooks(workspace.root)
    return found


def _is_of(tool: dict[str, Any], hook: Hook) -> bool:
    return any(mark in hook[1].lower() for mark in tool["hooks"])


def _folder_of(tool: dict[str, Any], project: str) -> str:
    found = [sign for sign in tool["signs"] if os.path.isfile(os.path.join(project, sign))]
    return found[0].partition("/")[0] if found else ""


def _beside(workspace: Workspace, name: str, folder: str, hook: Hook) -> tuple[str, str]:
    path, command = hook
    consent = find_consent(workspace)
    remove = f"remove its hook line from {path}: {command}"
    if folder and not (consent and consent.covers(folder, True)):
        return f"{name} brings {folder}/ by its own hook, and Limpet does not", f"{remove}; then: limpet trust"
    return f"{name} adds to prompts here too: its text and Limpet's both reach the model", f"to have one, {remove}"


def _left(workspace: Workspace, name: str, folder: str, kind: str) -> tuple[str, str]:
    move, consent = f"limpet import --from {kind}", find_consent(workspace)
    if consent and consent.covers(folder, True):
        return f"Limpet reads {folder}/ of {name} where it lies", f"to move it: {move}"
    read = "to have it read there: limpet trust; " if folder in SIGNS else ""
    return f"{folder}/ is of {name}, and nothing reads it here", f"{read}to move it: {move}"
