"""Gemini CLI as a ``Host``, for installing, examining and spawning (contract observed on 0.61.0)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import partial

from limpet.ground.formats.json_edit import COMMENTS
from limpet.ground.formats.json_text import read_object
from limpet.ground.storage.files import read_bytes, read_text
from limpet.ground.workspace import FOLDER
from limpet.hosts import base, hook_checks, hook_files
from limpet.hosts.checks import WARN, Check
from limpet.hosts.file_changes import ChangePlan, FileChange, parents
from limpet.hosts.gemini import HOST
from limpet.hosts.gemini.events import TIMEOUTS
from limpet.hosts.gemini.tools import MATCHERS
from limpet.hosts.hook_files import HookFiles, Registration, forbidden_command, make_registrations
from limpet.hosts.records import LOCAL, SHARED, USER, canonical
from limpet.hosts.server_edits import take_entry
from limpet.hosts.skills import AGENTS

NAME = HOST
TITLE = "Gemini CLI"
SCOPES: tuple[str, ...] = (LOCAL, SHARED, USER)
EVENTS = tuple(TIMEOUTS)
SUB_AGENTS = ".gemini/agents"
CAN = frozenset((base.PROMPT, base.DENIAL, base.QUESTION, base.USAGE, base.CAPTURE, base.HEADLESS, base.COMMAND))
WHY_NOT: Mapping[str, str] = {
    base.SUB_AGENT: "it has no event for them; their tool calls are judged as the main agent's",
    base.COMPACTION: "it tells of one with every turn; it is seen afterwards in the transcript",
    base.MODEL: "captures ask no model here",
    base.WINDOW: "it draws its own items only",
}
CONSENT = "trust the folder when it asks."
HEADLESS: base.Headless | None = base.Headless(
    program="gemini",
    variable="LIMPET_GEMINI",
    words=("--session-id", "{session}", "-p", "{prompt}"),
    join="gemini -r {session}",
)
# The member that holds MCP servers.
SERVERS = "mcpServers"
# A line of ours counts in milliseconds there.
UNIT = 1000
# What the client sends for ``/limpet``: the line as it was typed, on which the hook acts.
COMMAND = b'description = "Where the work stands, and how to move it on"\nprompt = "/limpet {{args}}"\n'


def registrations(shared: bool) -> tuple[Registration, ...]:
    return make_registrations(HOST, TIMEOUTS, MATCHERS, shared, unit=UNIT, others=lambda event: {"name": "limpet"})


def place(scope: str, project: str) -> str:
    """A project has one file, which is its own machine's or committed."""
    return os.path.join(gemini_home() if scope == USER else os.path.join(project, ".gemini"), "settings.json")


def gemini_home() -> str:
    """The user may have moved the folder around it with GEMINI_CLI_HOME."""
    return os.path.join(os.environ.get("GEMINI_CLI_HOME") or os.path.expanduser("~"), ".gemini")


def files_in_force(folder: str) -> dict[str, str]:
    return {canonical(place(LOCAL, folder)): LOCAL, canonical(place(USER, folder)): USER}


def make_fields(event: str, session: str, project: str) -> dict[str, object]:
    fields: dict[str, dict[str, object]] = {
        "BeforeAgent": {"prompt": "limpet doctor"},
        "BeforeTool": {
            "tool_name": "run_shell_command",
            "tool_input": forbidden_command(),
        },
        "AfterAgent": {"prompt": "", "prompt_response": "", "stop_hook_active": False},
        "SessionEnd": {"reason": "exit"},
    }
    return fields.get(event, {})


FILES = HookFiles(
    host=HOST,
    title=TITLE,
    scopes=SCOPES,
    place=place,
    in_force=files_in_force,
    registrations=registrations,
    inserting=("SessionStart", "BeforeAgent"),
    sent=make_fields,
    unit=UNIT,
    skips=COMMENTS,
    take_rest=partial(take_entry, SERVERS),
)
written_files = partial(hook_checks.written_files, FILES, AGENTS)
find_deny_rules, plan_deny_rules = hook_checks.find_deny_rules, hook_checks.plan_deny_rules
plan_writing = hook_checks.plan_writing
registered, in_force = partial(hook_files.registered, FILES), partial(hook_files.in_force, FILES)
other_hooks, private_files = partial(hook_files.other_hooks, FILES), partial(hook_files.private_files, FILES)
check_registration, try_hooks = partial(hook_checks.check_registration, FILES), partial(hook_checks.try_lines, FILES)


def is_used(project: str) -> bool:
    return any(os.path.exists(os.path.join(project, name)) for name in (".gemini", "GEMINI.md"))


def find_hindrance(project: str) -> tuple[str, str]:
    known = read_object(read_text(os.path.join(gemini_home(), "trustedFolders.json")))
    trusted = [path for path, how in known.items() if how == "TRUST_FOLDER"]
    trusted += [os.path.dirname(path) for path, how in known.items() if how == "TRUST_PARENT"]
    around = (project, *parents(os.path.join(project, FOLDER)))
    is_trusted = any(os.path.realpath(path) in map(os.path.realpath, around) for path in trusted)
    return ("", "") if is_trusted else ("the folder is not trusted, so that no hook runs", CONSENT)


def check(project: str) -> Iterator[Check]:
    yield from hook_checks.check(FILES, AGENTS, project)
    if os.path.isdir(os.path.join(gemini_home(), "extensions", "limpet")) and registered(project):
        what = f"{TITLE} has Limpet by its extension and by init: it renames /limpet at every start"
        yield Check(WARN, what, "run `limpet uninstall`, or `gemini extensions uninstall limpet`")


def plan_install(home: str, scope: str) -> ChangePlan:
    """The client makes a command of each skill, and one file for it beside the skill is a conflict at every start."""
    return hook_checks.plan_install(FILES, AGENTS, home, scope) + _plan_command_removal(home, (scope,))


def plan_removal(home: str, scopes: tuple[str, ...]) -> ChangePlan:
    return _plan_command_removal(home, scopes) + hook_checks.plan_removal(FILES, AGENTS, home, scopes)


def _plan_command_removal(home: str, scopes: tuple[str, ...]) -> ChangePlan:
    changes = []
    for scope in scopes:
        folder = os.path.dirname(place(scope, os.path.dirname(home)))
        path = canonical(os.path.join(folder, "commands", "limpet.toml"))
        if read_bytes(path) == COMMAND:
            changes.append(FileChange(path, "the command /limpet", COMMAND, None, folders=parents(path)[:1]))
    return ChangePlan(tuple(changes))


TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.hosts.gemini import events, host, tools

    hot: base.Events = events
    judged: base.Tools = tools
    cold: base.Host = host
