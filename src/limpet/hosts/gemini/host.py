"""Gemini CLI as a ``Host``, for installing, examining and spawning (contract observed on 0.61.0)."""

from __future__ import annotations

import os
from collections.abc import Iterator

from limpet.ground.formats.json_edit import COMMENTS
from limpet.ground.formats.json_text import read_object
from limpet.ground.storage.files import read_text
from limpet.ground.workspace import FOLDER
from limpet.hosts import base
from limpet.hosts.checks import WARN, Check
from limpet.hosts.file_changes import parents
from limpet.hosts.gemini import HOST, events, tools
from limpet.hosts.hook_files import Registration, forbidden_command
from limpet.hosts.hook_host import HookHost
from limpet.hosts.records import USER
from limpet.hosts.server_edits import take_entry

# The member that holds MCP servers.
SERVERS = "mcpServers"
# What the client sends for ``/limpet``: the line as it was typed, on which the hook acts.
COMMAND = b'description = "Where the work stands, and how to move it on"\nprompt = "/limpet {{args}}"\n'


def gemini_home() -> str:
    """The user may have moved the folder around it with GEMINI_CLI_HOME."""
    return os.path.join(os.environ.get("GEMINI_CLI_HOME") or os.path.expanduser("~"), ".gemini")


class Gemini(HookHost):
    NAME, TITLE = HOST, "Gemini CLI"
    SUB_AGENTS = ".gemini/agents"
    CAN = frozenset((base.PROMPT, base.DENIAL, base.QUESTION, base.USAGE, base.CAPTURE, base.HEADLESS, base.COMMAND))
    WHY_NOT = {
        base.SUB_AGENT: "it has no event for them; their tool calls are judged as the main agent's",
        base.COMPACTION: "it tells of one with every turn; it is seen afterwards in the transcript",
        base.MODEL: "captures ask no model here",
        base.WINDOW: "it draws its own items only",
    }
    CONSENT = "trust the folder when it asks."
    HEADLESS = base.Headless(
        program="gemini",
        variable="LIMPET_GEMINI",
        words=("--session-id", "{session}", "-p", "{prompt}"),
        join="gemini -r {session}",
    )
    SIGNS = (".gemini", "GEMINI.md")
    INSERTING = ("SessionStart", "BeforeAgent")
    UNIT, SKIPS = 1000, COMMENTS

    def registrations(self, shared: bool) -> tuple[Registration, ...]:
        return tuple(each.replace(others={"name": "limpet"}) for each in super().registrations(shared))

    def place(self, scope: str, project: str) -> str:
        """A project has one file, which is its own machine's or committed."""
        return os.path.join(gemini_home() if scope == USER else os.path.join(project, ".gemini"), "settings.json")

    def make_fields(self, session: str, project: str) -> dict[str, dict[str, object]]:
        return {
            "BeforeAgent": {"prompt": "limpet doctor"},
            "BeforeTool": {"tool_name": "run_shell_command", "tool_input": forbidden_command()},
            "AfterAgent": {"prompt": "", "prompt_response": "", "stop_hook_active": False},
            "SessionEnd": {"reason": "exit"},
        }

    def take_rest(self, text: str, original: str) -> str:
        return take_entry(SERVERS, text, original)

    def find_hindrance(self, project: str) -> tuple[str, str]:
        known = read_object(read_text(os.path.join(gemini_home(), "trustedFolders.json")))
        trusted = [path for path, how in known.items() if how == "TRUST_FOLDER"]
        trusted += [os.path.dirname(path) for path, how in known.items() if how == "TRUST_PARENT"]
        around = (project, *parents(os.path.join(project, FOLDER)))
        is_trusted = any(os.path.realpath(path) in map(os.path.realpath, around) for path in trusted)
        return ("", "") if is_trusted else ("the folder is not trusted, so that no hook runs", self.CONSENT)

    def check(self, project: str) -> Iterator[Check]:
        yield from super().check(project)
        if os.path.isdir(os.path.join(gemini_home(), "extensions", "limpet")) and self.registered(project):
            what = f"{self.TITLE} has Limpet by its extension and by init: it renames /limpet at every start"
            yield Check(WARN, what, "run `limpet uninstall`, or `gemini extensions uninstall limpet`")


CLIENT = Gemini(events, tools)
