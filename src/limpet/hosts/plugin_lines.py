"""Whether a line of a plugin stands back: where the settings that ``init`` writes have one for the same event, a prompt
would bring two answers, and a call that a person allowed once would be judged twice (decision 12). Imported for lines
of plugins alone, so that no other event pays for it."""

from __future__ import annotations

import os

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.storage.files import read_text
from limpet.ground.workspace import main_root

# Host -> its folder in a project, the variable that names its folder of the user's, and that folder without it.
FOLDERS = {
    "claude-code": (".claude", "CLAUDE_CONFIG_DIR", "~/.claude"),
    "codex-cli": (".codex", "CODEX_HOME", "~/.codex"),
    "copilot-cli": (".github/copilot", "COPILOT_HOME", "~/.copilot"),
    "gemini-cli": (".gemini", "", "~/.gemini"),
}
FILES = ("settings.local.json", "settings.json", "hooks.json")


def stands_back(host: str, event: str, folder: str) -> bool:
    """Return whether settings that a conversation in ``folder`` obeys have a line of ours for the event."""
    project, variable, user = FOLDERS[host]
    roots = {folder, main_root(folder) or folder}
    folders = [os.path.join(root, project) for root in roots]
    folders.append(os.environ.get(variable) or os.path.expanduser(user))
    if moved := os.environ.get("GEMINI_CLI_HOME"):  # names the home folder in place of its own
        folders.append(os.path.join(moved, ".gemini"))
    found = [(place, host) for place in folders]
    if host == "copilot-cli":  # it runs those of Claude Code in a project too
        found += [(os.path.join(root, ".claude"), "claude-code") for root in roots]
    return any(
        f" {named} {event} " in (read_text(os.path.join(place, name), STATE_BYTES) or "")
        for place, named in found
        for name in FILES
    )
