"""A stranger's checkout in the real Claude Code, whose user has the hooks in their own settings.

Nothing of it is in what Limpet adds to a request, nothing of theirs runs, and no file of the user's changes.
"""

from __future__ import annotations

import json
import os
import re
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from limpet.hosts.claude_code.events import TIMEOUTS
from limpet.hosts.commands.lines import hook_command

from .claude_code import ClaudeCode, find_client, hook_settings, texts

pytestmark = pytest.mark.client

bench_module = runpy.run_path(str(Path(__file__).parents[1] / "bench" / "bench_module.py"))["bench_module"]

PROMPTS = [
    "How does the endpoint do the export? [[usage:150000]]",
    "*remember The deploy needs a token. [[usage:170000]]",
    "/compact",
    "*brief and now [[usage:190000]]",
    "/limpet",
    "go on",
]
# Of the victim's home, what the client itself never writes.
PRIVATE_PLACES = ("home/Documents", "home/src", "home/.ssh", "home/.bashrc", "home/.gitconfig")


@pytest.fixture(scope="module")
def hostile() -> Iterator[Any]:
    with bench_module("hostile") as module:
        yield module


@pytest.mark.parametrize("name", ["everything_at_once", "settings_that_spend", "git_configuration"])
def test_a_strangers_checkout_does_nothing(
    hostile: Any, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memories, tasks and rules that give orders; settings that start agents; a repository that names programs."""
    client = find_client()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "stranger"))
    (checkout,) = (each for each in hostile.CHECKOUTS if each.name == name)
    scene = hostile.set_scene(tmp_path / "scene", hostile.make_template(tmp_path / "template"), checkout, None)
    claude = ClaudeCode(client, scene.folder)
    lines = {event: hook_command("claude-code", event) for event in TIMEOUTS}
    (claude.home / ".claude" / "settings.json").write_text(json.dumps({"hooks": hook_settings(lines)}))
    env = {**scene.environment, "PATH": f"{scene.home / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    conversation = claude.run(scene.root, PROMPTS, env=env)
    sys.modules[hostile.visit.__module__].wait_for_background(str(scene.home))
    said = "\n".join(blocks(request) for request in conversation.requests)
    assert "limpet trust" in said and hostile.THEIRS not in said.lower()
    assert hostile.PRIVATE not in "\n".join(texts(request) for request in conversation.requests)
    assert scene.marks() == []
    assert [path for path in scene.changes() if path.startswith(PRIVATE_PLACES)] == []
    ran = [hook for event in TIMEOUTS for hook in conversation.hooks(event)]
    assert ran and [hook for hook in ran if hook["exit_code"] or hook["stderr"]] == []


def blocks(request: dict[str, Any]) -> str:
    """All that Limpet put into a request."""
    return "\n".join(re.findall(r"<limpet-context.*?</limpet-context>", texts(request), re.DOTALL))
