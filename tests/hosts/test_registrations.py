"""What each client is told to run, word for word: clients trust a hook by a hash of its command line, matcher and
timeout, so that a change here asks everybody for their trust anew. Change a row only for that price."""

import os
import sys

import pytest

from limpet.hosts.claude_code.install import registrations as claude_code
from limpet.hosts.codex.host import CLIENT as CODEX
from limpet.hosts.commands.launcher import launcher_path
from limpet.hosts.commands.lines import GONE
from limpet.hosts.copilot.host import CLIENT as COPILOT
from limpet.hosts.gemini.host import CLIENT as GEMINI

LIMIT = {"additionalContextLimit": 9500}
NAME = {"name": "limpet"}
# Host -> event -> (matcher, timeout, what else the handler says).
SETTLED = {
    "claude-code": {
        "SessionStart": ("", 10, {}),
        "UserPromptSubmit": ("", 5, {}),
        "PreToolUse": (
            "Bash|PowerShell|Write|Edit|MultiEdit|NotebookEdit|Read|Grep|Glob|LS"
            "|Task|Agent|SendMessage|CronCreate|ScheduleWakeup|RemoteTrigger|mcp__.*",
            5,
            {},
        ),
        "PostToolUseFailure": ("", 5, {}),
        "SubagentStart": ("", 5, {}),
        "PreCompact": ("", 20, {}),
        "PostCompact": ("", 10, {}),
        "Stop": ("", 60, {}),
        "SessionEnd": ("", 5, {}),
        "ConfigChange": ("", 5, {}),
    },
    "codex-cli": {
        "SessionStart": ("", 10, LIMIT),
        "UserPromptSubmit": ("", 5, LIMIT),
        "PreToolUse": (
            "Bash|apply_patch|view_image|mcp__.*|.*(send_message|send_input|followup_task|create_goal|spawn_agent)",
            5,
            LIMIT,
        ),
        "SubagentStart": ("", 5, LIMIT),
        "PreCompact": ("", 20, {}),
        "PostCompact": ("", 10, {}),
        "Stop": ("", 60, {}),
        "SessionEnd": ("", 3, {}),
    },
    "copilot-cli": {
        "UserPromptSubmit": ("", 5, {}),
        "PreToolUse": (
            "Bash|PowerShell|Write|Edit|Read|Grep|Glob|Agent|write_agent|manage_schedule|.+-.+",
            5,
            {},
        ),
        "SubagentStart": ("", 5, {}),
        "PreCompact": ("", 20, {}),
        "Stop": ("", 60, {}),
        "SessionEnd": ("", 5, {}),
    },
    "gemini-cli": {
        "BeforeAgent": ("", 5000, NAME),
        "BeforeTool": (
            "^(run_shell_command|write_file|replace|read_file|grep_search|search_file_content|glob|list_directory)$"
            "|^(mcp_|discovered_tool_)",
            5000,
            NAME,
        ),
        "AfterAgent": ("", 60_000, NAME),
        "SessionEnd": ("", 5000, NAME),
    },
}
# What a line of this machine takes from the row of Claude Code: tools that read have a line of their own.
READING = ("Read|Grep|Glob|LS", 5, {})
REGISTRATIONS = {"claude-code": claude_code, **{each.NAME: each.registrations for each in (CODEX, COPILOT, GEMINI)}}


@pytest.mark.parametrize("host", SETTLED)
@pytest.mark.parametrize("shared", [False, True])
def test_matcher_timeout_and_the_rest_are_settled(host, shared):
    rows = [(event, *row) for event, row in SETTLED[host].items()]
    if host == "claude-code" and not shared and sys.platform != "win32":
        at = list(SETTLED[host]).index("PreToolUse")
        name, matcher, *rest = rows[at]
        rows[at : at + 1] = [(name, matcher.replace(f"{READING[0]}|", ""), *rest), (name, *READING)]
    found = REGISTRATIONS[host](shared)
    # The place in a file is part of what is trusted.
    assert [(each.event, each.matcher, each.timeout, dict(each.others)) for each in found] == rows


@pytest.mark.parametrize("host", SETTLED)
def test_the_command_lines_are_settled(host):
    for each in REGISTRATIONS[host](True):
        line = f"command -v limpet >/dev/null 2>&1 && limpet hook {host} {each.event} 2>/dev/null || exit 0"
        assert (each.host, each.command) == (host, line)
    for each in REGISTRATIONS[host](False):
        otherwise = f"printf '%s\\n' '{GONE}'" if each.event == "SessionStart" else "exit 0"
        mark = f'"{os.path.dirname(launcher_path())}/quiet$CLAUDE_PROJECT_DIR/quiet.sh"'
        opening = f"[ -f {mark} ] && . {mark}; " if each.matcher == READING[0] else ""
        assert each.command == f'{opening}"{launcher_path()}" {host} {each.event} 2>/dev/null || {otherwise}'
