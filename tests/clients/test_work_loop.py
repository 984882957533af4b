"""A project from ``work start`` to its end in the real Claude Code, by a model that does what the blocks tell it to do,
and nothing else (decision 48)."""

from __future__ import annotations

import json
import re
import shlex
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .claude_code import ClaudeCode, texts
from .test_claude_code import SOURCE, init
from .test_memory import blocks, finish, limpet, run_tool

pytestmark = pytest.mark.client

COMMAND = f"PYTHONPATH={shlex.quote(str(SOURCE))} {shlex.quote(sys.executable)} -m limpet"
CHECK = "import greeter; assert greeter.hello() == 'hello'\n"
STORIES = {"S-1": "greet() answers hello", "S-2": "bye() answers bye"}
# More prompts than the whole takes.
MOST = 40


@pytest.fixture
def project(project: Path) -> Iterator[Path]:
    """A project with a check that its person agreed to, and the workflow for one developer begun."""
    init(project)
    (project / "greeter.py").write_text("def hello():\n    return 'hello'\n")
    (project / "check.py").write_text(CHECK)
    for key in ("context.total_ms", "hosts.command_deadline_ms"):
        limpet(project, "config", "set", key, "4000", "--yes")
    limpet(project, "config", "set", "work.approve", "[]", "--yes")
    limpet(project, "config", "set", "work.checks.greeter", f"{shlex.quote(sys.executable)} check.py", "--yes")
    limpet(project, "work", "start", "solo")
    yield project
    finish(project)


class Model:
    """A model that reads the newest ``<next>`` and issues its command; what a form or an answer says it does too."""

    def __init__(self, claude: ClaudeCode, project: Path) -> None:
        self.claude = claude
        self.project = project
        self.session = str(uuid.uuid4())
        self.requests: list[dict[str, Any]] = []
        self.issued: list[str] = []

    def begin(self) -> None:
        self._say("Please build what we spoke of.")

    def told(self) -> tuple[str, str]:
        """The words and the command of the newest ``<next>`` that it was sent, by our name whatever path it has."""
        said = re.findall(r"<next>(.*?)</next>", blocks(self.requests[-1]))[-1]
        words, command = re.fullmatch(r"(?:(.*): )?\S*(limpet .*?)", said).groups()
        return words or "", command

    def run(self, command: str, given: str = "") -> str:
        """Run a command of Limpet's as a tool, and return what it printed."""
        self.issued.append(command)
        line = command.replace("limpet", COMMAND, 1)
        # On one line: the client asks about a command in which "#" begins a line.
        escaped = shlex.quote(given.replace("\n", "\\n"))
        return self.shell(f"printf %b {escaped} | {line}" if given else line)

    def shell(self, line: str) -> str:
        """Run a line in the shell as a tool, and return what it printed."""
        self._say(f"Go on. {run_tool(f'exec 2>&1; {line}')}")
        results = [
            block
            for message in self.requests[-1]["messages"]
            for block in (message["content"] if isinstance(message["content"], list) else [])
            if block.get("type") == "tool_result"
        ]
        return texts({"messages": [{"role": "user", "content": results[-1:]}]})

    def _say(self, prompt: str) -> None:
        how = {"resume": self.session} if self.requests else {"session_id": self.session}
        conversation = self.claude.run(self.project, [prompt, "And now?"], **how)  # type: ignore[arg-type]
        self.requests += conversation.requests


def filled(form: str, output: str) -> str:
    """The form of a step with every gap filled, as somebody does who has done the work."""
    text = re.sub(r"<!-- what .*? must know -->|<!-- what was done.*?-->", "It is written down and checked.", form)
    text = re.sub(r"(## Outputs\s+)<!--.*?-->", rf"\1- {output}", text, flags=re.DOTALL)
    text = re.sub(r"<!-- each file .*?-->\n", "", text)
    return re.sub(r"- \[ \] (\d+)\. .*", rf"- [x] \1: {output}", text)


def test_a_two_story_project_is_finished_by_what_the_blocks_say(claude: ClaudeCode, project: Path) -> None:
    """No step ends without its handoff and its evidence, and no command is issued that nothing has named."""
    model = Model(claude, project)
    model.begin()
    for _ in range(MOST):
        words, command = model.told()
        state = json.loads(limpet(project, "work", "status", "--json"))
        if state["state"] == "completed":
            break
        if command == "limpet work finish -":
            output = re.match(r"write (?:into )?(\S+)", words)
            path = output[1] if output else "greeter.py"
            if path.startswith("specs/"):
                model.shell(f"mkdir -p {shlex.quote(str(Path(path).parent))} && echo 'As asked.' > {shlex.quote(path)}")
            if path == ".limpet/stories/":
                path = "greeter.py"
                for story, criterion in STORIES.items():
                    told = model.run(f'limpet work story add {story} "{criterion}" --criterion "{criterion}"')
                    assert told.startswith("Added ")
            form = model.run("limpet work finish")
            document = form[form.index("---") :]
            assert "passed" in model.run(command, filled(document, path))
        elif command == "limpet work story start":
            assert "Started S-" in model.run(command)
        elif command.startswith("limpet work story done --shown"):
            model.shell("echo '# more' >> greeter.py")
            assert "Completed " in model.run(command.replace("EVIDENCE", "greeter.py"))
        else:
            pytest.fail(f"the block says {command}")
    assert (state["state"], state["next"]) == ("completed", "limpet work stop")
    evidence = {agent: gate["evidence"] for agent, gate in state["gates"].items()}
    assert evidence == dict.fromkeys(("brief", "architect", "tasks"), "claimed") | dict.fromkeys(
        ("dev", "qa-implementation"), "verified"
    )
    handed = {path.stem for path in (project / ".limpet/handoffs").glob("*.md")}
    assert handed == set(evidence)
    print("\n".join(model.issued))
