"""``solo`` from its start to its end in one unbroken turn of the real Claude Code: nobody types anything in between, so
what each command answers is all that the model learns of its next role. Then the approvals, in a terminal."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from limpet.ground.workspace import workspace_at
from limpet.work.pipeline.workflow import read_workflow

from .claude_code import ClaudeCode, texts
from .test_approval import around, at_terminal, with_command
from .test_memory import finish, limpet, run_tool
from .test_work_loop import CHECK

pytestmark = pytest.mark.client

# The model: it reads the last answer, does what it says, and gives the command that the answer names.
MODEL = r"""
import os, re, shlex, subprocess, sys

def run(*words, given=""):
    done = subprocess.run(["limpet", *words], input=given, capture_output=True, text=True)
    return done.stdout + done.stderr

told = open("answer.txt").read() if os.path.exists("answer.txt") else "Now run: limpet work start solo --name Greeter"
due = r"^(?:Now run: |Then run: |next +)(limpet work (?:story (?:start|done)|start).*?)(?:\. When .*)?$"
named = re.findall(due, told, re.M)
if named:
    words = shlex.split(named[-1])
    if words[1:3] == ["work", "story", "done"]:
        open("greeter.py", "a").write("# more\n")
        words = [word.replace("EVIDENCE", "greeter.py") for word in words]
    answer = run(*words[1:])
else:
    form = told[told.index("<<'END'\n") + 8 : told.rindex("\nEND")].partition("\n")[2]
    path = re.search(r"^(?:Write|Add each story to) (\S+?)(?:\.$|:| \((?:template|form))", told, re.M)
    path = path[1] if path else ""
    if path == ".limpet/stories/":
        for title in ("hello() answers hello", "bye() answers bye"):
            run("work", "story", "add", title, "--criterion", title, "--file", "greeter.py")
    elif path:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, "w").write("What was asked for, and why.\n")
    shown = "greeter.py" if not path or path.endswith("/") else path
    form = form.replace("## Summary", "## Summary\n\nIt is done.")
    form = re.sub(r"- \[ \] (\d+)\. .*", rf"- [x] \1: {shown}", form)
    answer = run("work", "finish", "-", given=form)
open("answer.txt", "w").write(answer)
print(answer)
"""
# Start, three documents, two stories begun and done, two more documents.
STEPS = 10


@pytest.fixture
def project(project: Path) -> Path:
    """A project with Limpet whose command is on PATH."""
    return with_command(project)


def prepare(project: Path, *settings: tuple[str, str]) -> None:
    """A project with a product, a check that its person agreed to, the model, and these settings."""
    (project / "greeter.py").write_text("def hello():\n    return 'hello'\n")
    (project / "check.py").write_text(CHECK)
    (project / "model.py").write_text(MODEL)
    for key, value in (*settings, ("context.total_ms", "4000"), ("hosts.command_deadline_ms", "4000")):
        limpet(project, "config", "set", key, value, "--yes")
    limpet(project, "config", "set", "work.checks.greeter", f"{shlex.quote(sys.executable)} check.py", "--yes")


def answers(request: dict[str, object]) -> list[str]:
    """What the tools answered so far, in order."""
    found = []
    for message in request["messages"]:  # type: ignore[attr-defined]
        content = message["content"] if isinstance(message["content"], list) else []
        results = [block for block in content if block.get("type") == "tool_result"]
        if results:
            found.append(texts({"messages": [{"role": "user", "content": results}]}))
    return found


def test_an_unbroken_turn_has_each_role_after_its_hand_over(claude: ClaudeCode, project: Path) -> None:
    """One prompt; each next request holds the next role's mission, limits, criteria, path and command."""
    prepare(project, ("work.approve", "[]"))
    turn = run_tool(f"{shlex.quote(sys.executable)} model.py")
    conversation = claude.run(project, [f"Carry on until finished. {turn * STEPS}"], env=around(project), timeout=300)
    told = answers(conversation.requests[-1])
    finish(project)
    assert len(told) == STEPS, told
    state = json.loads(limpet(project, "work", "status", "--json"))
    assert state["state"] == "completed", told[-1]
    workflow = read_workflow(workspace_at(str(project)), "solo")
    assert workflow
    begun = [next(text for text in told if f"You are now {step.agent}: " in text) for step in workflow.steps]
    for number, (step, text) in enumerate(zip(workflow.steps, begun, strict=True), 1):
        manner = "Change nothing but your report." if step.state == "validate" else f"Mode {step.mode}: "
        assert f"This is step {number} of 5 of solo." in text and manner in text
        assert all(one.text in text for one in step.criteria)
        assert step.output.partition("{work}")[0] in text
        assert "limpet work finish -" in text
    # The hand-over stands in the very next request, before anything else is done.
    for request, answer in zip(conversation.requests[1:], told, strict=False):
        assert answers(request)[-1] == answer
    evidence = {agent: gate["evidence"] for agent, gate in state["gates"].items()}
    assert (evidence["dev"], evidence["qa-implementation"]) == ("verified", "verified")
    assert all(gate["stands_on"] == [] for gate in state["gates"].values()), state["gates"]
    stories = json.loads(limpet(project, "work", "story", "list", "--json"))["stories"]
    assert [story["status"] for story in stories] == ["done", "done"]


def test_what_the_user_approves_is_asked_in_the_terminal(claude: ClaudeCode, project: Path) -> None:
    """The brief is shown with a word; once it was typed, the step that builds on it ends."""
    prepare(project)
    turn = run_tool(f"{shlex.quote(sys.executable)} model.py")
    with at_terminal(claude, project) as terminal:
        terminal.type(f"begin {turn * 2}")
        terminal.wait_for("FAKE-ANSWER 3")
        answer = (project / "answer.txt").read_text()
        assert "Before it can end, the user approves specs/greeter-" in answer
        terminal.type(f"go on {turn}")
        terminal.wait_for("FAKE-ANSWER 5")
        terminal.type("what is it")
        word = terminal.find(r"Approvewhatbriefmade:specs/greeter-\w+/brief\.md.*?type\*yes(\w{5})\.")
        terminal.wait_for("FAKE-ANSWER 6")
        assert "Only a person can do this: Approve what brief made" in (project / "answer.txt").read_text()
        (project / "answer.txt").write_text(answer)
        terminal.type(f"*yes {word}")
        terminal.wait_for("FAKE-ANSWER 7")
        terminal.type(f"again {turn}")
        terminal.wait_for("FAKE-ANSWER 9")
    finish(project)
    assert "architect passed with 100%; tasks begins" in (project / "answer.txt").read_text()
    state = json.loads(limpet(project, "work", "status", "--json"))
    assert state["agents"]["brief"]["approved"] is True and "approved" in state["pipeline"]
