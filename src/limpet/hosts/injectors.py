"""Other tools that add text to the prompts of a project: ``init``, ``doctor`` and ``status`` name them, and change
nothing. Their facts are ``framework/injectors.json``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from limpet.ground.formats.json_text import read_shipped
from limpet.hosts.registry import all_hosts

_SCRIPT = re.compile(r"[\w.-]+\.(?:py|js|mjs|cjs|ts|sh|rb|ps1)\b")


def find_injectors(project: str) -> Iterator[tuple[str, str]]:
    """Yield (what happens now, how to have one) for each tool with a hook or rules here, and for hooks of none we know,
    which are named by their scripts."""
    hooks = [hook for host in all_hosts() for hook in host.other_hooks(project)]
    for name, tool in read_shipped("injectors")["tools"].items():
        own = [hook for hook in hooks if any(mark in hook[1].lower() for mark in tool["hooks"])]
        hooks = [hook for hook in hooks if hook not in own]
        found = [sign for sign in tool["signs"] if os.path.isfile(os.path.join(project, sign))]
        if own:
            path, command = own[0]
            what = f"{name} adds to prompts here too: its text and Limpet's both reach the model"
            yield what, f"to have one, remove its hook line from {path}: {command}"
        elif found:
            folder = os.path.dirname(found[0])
            yield f"{folder}/ holds rules of {name}, which no hook here brings", f"remove {folder}/ if you left {name}"
    if hooks:
        names = dict.fromkeys((_SCRIPT.findall(command) or [command])[-1] for _, command in hooks)
        what = f"Other hooks on prompts or starts: {', '.join(names)}; what they print reaches the model too"
        yield what, f"they are in {', '.join(dict.fromkeys(path for path, _ in hooks))}"
