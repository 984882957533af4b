"""Codex CLI as a ``Host``, for installing, examining and spawning (contract observed on 0.169.0)."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from limpet.ground.storage.files import read_text
from limpet.ground.workspace import main_root
from limpet.hosts import base
from limpet.hosts.base import Headless
from limpet.hosts.codex import HOST
from limpet.hosts.codex.events import CAP, SPEAKING, TIMEOUTS
from limpet.hosts.codex.tools import MATCHERS
from limpet.hosts.commands.lines import read_command
from limpet.hosts.hook_files import checks, files
from limpet.hosts.hook_files import checks as plain
from limpet.hosts.hook_files.files import FORBIDDEN, HookFiles, Registration, make_registrations, read_settings
from limpet.hosts.records import canonical
from limpet.hosts.scope import LOCAL, SHARED, USER
from limpet.hosts.skills import AGENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.hosts.codex import asking, events, host, tools

    hot: base.Events = events
    judged: base.Tools = tools
    asked: base.Asking = asking
    cold: base.Host = host

NAME = HOST
TITLE = "Codex"
SCOPES: tuple[str, ...] = (LOCAL, SHARED, USER)
SKILLS = AGENTS.replace(typed="$limpet")
EVENTS: tuple[str, ...] = tuple(TIMEOUTS)
SUB_AGENTS = ""
CAN = frozenset({*base.CAPABILITIES} - {base.QUESTION, base.WINDOW})
WHY_NOT: Mapping[str, str] = {
    base.QUESTION: "a hook can only deny; the user lets a call pass with `limpet guard allow`",
    base.WINDOW: "it draws its own items only",
}
CONSENT = 'start `codex` here once and choose "Trust all and continue". It leaves out hooks that nobody reviewed.'
HEADLESS: Headless | None = Headless(
    program="codex",
    variable="LIMPET_CODEX",
    words=("exec", "--json", "--skip-git-repo-check", "{prompt}"),
    join="codex resume {session}",
    told=r'"thread_id": ?"([\w-]+)"',
)


def registrations(shared: bool) -> tuple[Registration, ...]:
    """Return our hooks, for a committed file (``shared``) or for this machine. Codex trusts a hook by the hash of its
    definition, so that line, timeout, matcher and limit stay as they are."""
    return make_registrations(
        HOST,
        TIMEOUTS,
        MATCHERS,
        shared,
        others=lambda event: {"additionalContextLimit": CAP} if event in SPEAKING else {},
    )


def place(scope: str, project: str) -> str:
    """Return the hooks file of a scope; a project has one, which is its own machine's or committed."""
    return os.path.join(codex_home() if scope == USER else os.path.join(project, ".codex"), "hooks.json")


def codex_home() -> str:
    """Return ``~/.codex``, or the folder that the user set in CODEX_HOME."""
    return os.environ.get("CODEX_HOME") or os.path.join(os.path.expanduser("~"), ".codex")


def files_in_force(folder: str) -> dict[str, str]:
    """Return path -> scope of the files that a session begun in ``folder`` obeys: in a linked worktree those of the
    main one."""
    root = main_root(folder) or folder
    return {canonical(place(LOCAL, root)): LOCAL, canonical(place(USER, root)): USER}


def make_fields(event: str, session: str, project: str) -> dict[str, object]:
    """Return what Codex would send with an event, for a trial of our lines."""
    fields: dict[str, dict[str, object]] = {
        "SessionStart": {"source": "startup"},
        "UserPromptSubmit": {"prompt": "limpet doctor", "turn_id": session},
        "PreToolUse": {"tool_name": "Bash", "tool_input": {"command": f"cat {FORBIDDEN}"}, "tool_use_id": session},
        "SubagentStart": {"agent_id": session, "agent_type": "default"},
        "PreCompact": {"trigger": "manual"},
        "PostCompact": {"trigger": "manual"},
        "Stop": {"stop_hook_active": False},
        "SessionEnd": {"reason": "other"},
    }
    return fields.get(event, {})


FILES = HookFiles(
    host=HOST,
    title=TITLE,
    scopes=SCOPES,
    place=place,
    in_force=files_in_force,
    registrations=registrations,
    inserting=("SessionStart", "UserPromptSubmit"),
    sent=make_fields,
)
plan_install, plan_removal = partial(plain.plan_install, FILES, SKILLS), partial(plain.plan_removal, FILES, SKILLS)
written_files, check = partial(plain.written_files, FILES, SKILLS), partial(plain.check, FILES, SKILLS)
find_deny_rules, plan_deny_rules = plain.find_deny_rules, plain.plan_deny_rules
registered, in_force = partial(files.registered, FILES), partial(files.in_force, FILES)
other_hooks, private_files = partial(files.other_hooks, FILES), partial(files.private_files, FILES)
check_registration, try_hooks = partial(checks.check_registration, FILES), partial(plain.try_hooks, FILES)


def is_used(project: str) -> bool:
    """Return whether there are signs of Codex: in the project, or in the user's folder."""
    return os.path.isdir(os.path.join(project, ".codex")) or os.path.isdir(codex_home())


def find_hindrance(project: str) -> tuple[str, str]:
    """Return which of our hooks the user has not reviewed."""
    count = find_untrusted(codex_home(), [found.path for found in in_force(project)])
    return (f"{count} hooks are not trusted and do not run", CONSENT) if count else ("", "")


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
    try:
        settings = tomllib.loads(read_text(path) or "")
    except tomllib.TOMLDecodeError:
        return {}
    hooks = settings.get("hooks")
    states = hooks.get("state") if isinstance(hooks, dict) else None
    found = states.items() if isinstance(states, dict) else ()
    return {key: str(state.get("trusted_hash")) for key, state in found if isinstance(state, dict)}
