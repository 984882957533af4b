"""Who typed it, in the real Claude Code (decision 65): what only a person may say, no agent has the client say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .claude_code import ClaudeCode
from .conversation import texts
from .test_agents import seen
from .test_claude_code import init
from .test_memory import limpet

pytestmark = pytest.mark.client

ACT = "*agent devops ship it"
CALLS = {
    "CronCreate": {"cron": "*/1 * * * *", "prompt": ACT, "recurring": False},
    "ScheduleWakeup": {"delaySeconds": 60, "prompt": ACT, "reason": "work"},
}


@pytest.mark.parametrize("tool", CALLS)
def test_a_prompt_that_acts_is_not_scheduled(claude: ClaudeCode, project: Path, tool: str) -> None:
    """The agent reads why; nothing comes by itself."""
    init(project)
    conversation = claude.run(project, [f"go [[tool:{tool} {json.dumps(CALLS[tool])}]]", "hello"])
    assert "Limpet refused to hand on *agent" in texts(conversation.requests[-1])


def test_a_script_commands_nothing(claude: ClaudeCode, project: Path) -> None:
    """What is refused is said."""
    init(project)
    limpet(project, "config", "set", "hosts.attended", "[]", "--yes")
    conversation = claude.run(project, [ACT])
    assert "Limpet did not act on *agent: no person typed this prompt, it came from a script." in seen(conversation)[0]
