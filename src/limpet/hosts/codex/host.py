"""Codex CLI as a ``Host``, for installing, examining and spawning (contract observed on 0.169.0)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial

from limpet.ground.workspace import main_root
from limpet.hosts import base
from limpet.hosts.base import Headless
from limpet.hosts.codex import HOST
from limpet.hosts.codex.events import CAP, SPEAKING, TIMEOUTS
from limpet.hosts.codex.tools import MATCHERS
from limpet.hosts.codex.trust import find_untrusted
from limpet.hosts.hook_files import checks, files, plain
from limpet.hosts.hook_files.edits import Registration
from limpet.hosts.hook_files.files import FORBIDDEN, HookFiles, make_registrations
from limpet.hosts.records.record import canonical
from limpet.hosts.scope import LOCAL, SHARED, USER
from limpet.hosts.skills import AGENTS

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


TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.hosts.codex import asking, events, host, tools

    hot: base.Events = events
    judged: base.Tools = tools
    asked: base.Asking = asking
    cold: base.Host = host
