"""Which of our hooks Codex would leave out, because the user has not reviewed their definition (observed on 0.169.0).

It keeps a hash of each handler in the user's settings, under the file, the event and the handler's place. We read it,
and never write it: that would be consent in the user's name.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tomllib
from collections.abc import Iterable, Iterator

from limpet.ground.storage.files import read_text
from limpet.hosts.codex import HOST
from limpet.hosts.commands.lines import read_command
from limpet.hosts.hook_files.hooks import read_settings

DEFAULT_LIMIT, DEFAULT_TIMEOUT = 2500, 600


def find_untrusted(codex_home: str, paths: Iterable[str]) -> int:
    """Return how many of our hooks in these files have no hash of the user's that fits."""
    known = _trusted(os.path.join(codex_home, "config.toml"))
    return sum(known.get(key) != digest for path in paths for key, digest in _ours(path))


def _ours(path: str) -> Iterator[tuple[str, str]]:
    """Yield (key, hash) of each of our handlers in a file."""
    events = read_settings(path).get("hooks")
    for event, groups in events.items() if isinstance(events, dict) else ():
        for place, group in enumerate(groups if isinstance(groups, list) else ()):
            handlers = group.get("hooks") if isinstance(group, dict) else None
            for index, handler in enumerate(handlers if isinstance(handlers, list) else ()):
                line = read_command(handler.get("command")) if isinstance(handler, dict) else None
                if line and line.host == HOST:
                    name = re.sub(r"(?<!^)(?=[A-Z])", "_", event).lower()
                    yield f"{path}:{name}:{place}:{index}", _digest(name, group.get("matcher"), handler)


def _digest(event: str, matcher: object, handler: dict[str, object]) -> str:
    timeout, limit = handler.get("timeout", DEFAULT_TIMEOUT), handler.get("additionalContextLimit", DEFAULT_LIMIT)
    known = {"type": "command", "command": handler["command"], "timeout": timeout, "async": False}
    known |= {} if limit == DEFAULT_LIMIT else {"additionalContextLimit": limit}
    identity: dict[str, object] = {"event_name": event, "hooks": [known]}
    identity |= {} if matcher is None else {"matcher": matcher}
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def _trusted(path: str) -> dict[str, str]:
    """Return key -> hash in the user's settings."""
    try:
        settings = tomllib.loads(read_text(path) or "")
    except tomllib.TOMLDecodeError:
        return {}
    hooks = settings.get("hooks")
    states = hooks.get("state") if isinstance(hooks, dict) else None
    found = states.items() if isinstance(states, dict) else ()
    return {key: str(state.get("trusted_hash")) for key, state in found if isinstance(state, dict)}
