"""The MCP Inspector, which judges servers as other clients meet them: no fault in our tools, and each answers."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from .clients import Claude
from .process import find_program
from .test_claude_code import SOURCE
from .test_every_client import installed, limpet, project, set_up

pytestmark = pytest.mark.client

__all__ = ["project"]  # a fixture

HOW = "npm install @modelcontextprotocol/inspector@2.12.0"
SAID = "The staging database is reset every night."


@pytest.fixture
def inspect(tmp_path: Path, project: Path) -> Any:
    """Runs the inspector on the server that `init` registered; returns its answer."""
    program = find_program("mcp-inspector", "The MCP Inspector", "LIMPET_INSPECTOR", HOW)
    client = installed(Claude.host, tmp_path)
    set_up(project, client, words=["--mcp"])
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CLAUDE", "CODEX", "COPILOT"))}
    environment = {**kept, "HOME": str(client.home), "PYTHONPATH": str(SOURCE)}
    config = project / ".mcp.json"  # as it was written

    def ask(method: str, *words: str) -> dict[str, Any]:
        command = [str(program), "--cli", "--config", str(config), "--server", "limpet", "--method", method, *words]
        done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    ask.client = client  # type: ignore[attr-defined]
    return ask


def test_every_tool_is_listed_strictly_and_answers(inspect: Any, project: Path) -> None:
    """Those of the work while it is under way, too."""

    def call(tool: str, **given: str) -> dict[str, Any]:
        words = [word for name, value in given.items() for word in ("--tool-arg", f"{name}={value}")]
        answer = inspect("tools/call", "--tool-name", tool, *words)
        assert not answer.get("isError")
        return dict(answer["structuredContent"])

    inspect.client.ask(project, "hello")  # what `why` tells of
    limpet(inspect.client, project, "work", "start", "greenfield")
    listed = {tool["name"] for tool in inspect("tools/list", "--strict")["tools"]}
    assert listed == {"search", "open", "remember", "rules", "why", "next", "finish", "back"}
    key = call("remember", sentence=SAID)["id"].rpartition("-")[2]  # as lists name it
    assert key in json.dumps(call("search", words="staging database"))
    assert SAID in json.dumps(call("open", ids=json.dumps([key])))
    assert call("rules", prompt="fix the failing test")["rules"]
    assert {"came", "left_out"} <= call("why").keys()
    assert call("next")["step"]
    assert call("finish")["form"]
    limpet(inspect.client, project, "work", "approve", "--override", "--reason", "tried", "--yes")
    assert call("back", agent="greenfield-wu", reason="tried")["step"]
    for uri in ("block", "memories", "knowledge", "pipeline"):
        assert inspect("resources/read", "--uri", f"limpet://{uri}")["contents"]
    for prompt in ("start", "resume", "handoff"):
        assert inspect("prompts/get", "--prompt-name", prompt)["messages"]
