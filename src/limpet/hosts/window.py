"""The context window's size by a client's own settings, where neither the client nor its transcript tells it. The
prompt hook imports it."""

from __future__ import annotations

import os

from limpet.context.usage import LARGE_WINDOW, MARK, plain_model
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.formats.json_text import read_object
from limpet.ground.storage.files import read_text
from limpet.ground.workspace import main_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# What an alias such as ``sonnet`` stands for in Claude Code.
ALIASES = [f"ANTHROPIC_DEFAULT_{name}_MODEL" for name in ("OPUS", "SONNET", "HAIKU")]
# Of the window that is set, Codex uses so much.
SHARE = 0.95


def set_window(host: str, folder: str, model: str, environment: Mapping[str, str]) -> int:
    """Return the tokens that a client started in ``folder`` gives to the model, 0 where its settings say nothing."""
    if host == "codex-cli":
        home = environment.get("CODEX_HOME") or os.path.join(os.path.expanduser("~"), ".codex")
        return next(filter(None, map(_of_codex, (os.path.join(folder, ".codex"), home))), 0)
    names = _of_claude(folder, environment) if host == "claude-code" else ()
    marked = [plain_model(name) for name in names if name.lower().endswith(MARK)]
    return LARGE_WINDOW if any(name in plain_model(model) for name in marked) else 0


def typed_model(environment: Mapping[str, str]) -> str:
    """Return what Claude Code was started with as ``--model``, "" for nothing. Looking up a process is for a start."""
    from limpet.ground.processes import read_process

    client = environment.get("CLAUDE_PID", "")
    process = read_process(int(client)) if client.isdecimal() else None
    words = "=".join(process.words if process else ()).split("=")
    return next((after for word, after in zip(words, words[1:], strict=False) if word == "--model"), "")


def _of_claude(folder: str, environment: Mapping[str, str]) -> Iterator[str]:
    """The model that is chosen, by what counts most of all that chooses one, and what each alias stands for."""
    user = environment.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")
    local, shared = (os.path.join(".claude", name) for name in ("settings.local.json", "settings.json"))
    places = (folder, local), (main_root(folder) or folder, local), (folder, shared), (user, "settings.json")
    files = [read_object(read_text(os.path.join(*place), STATE_BYTES)) for place in places]
    variables = [environment, *(found for each in files if isinstance(found := each.get("env"), dict))]
    chosen = [*(each.get("ANTHROPIC_MODEL") for each in variables), *(each.get("model") for each in files)]
    for told in (chosen, *([each.get(alias) for each in variables] for alias in ALIASES)):
        yield from [name for name in told if name and isinstance(name, str)][:1]


def _of_codex(folder: str) -> int:
    """Keys of the file itself stand before its first table."""
    head = ("\n" + (read_text(os.path.join(folder, "config.toml"), STATE_BYTES) or "")).partition("\n[")[0]
    pairs = (line.partition("#")[0].partition("=") for line in head.splitlines())
    told = [value.strip().replace("_", "") for key, _, value in pairs if key.strip() == "model_context_window"]
    return int(int(told[0]) * SHARE) if told and told[0].isdecimal() else 0
