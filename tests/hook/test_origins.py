"""Who wrote a prompt, as each client's hook was told it: every recorded event comes in by the hook's door, with its
payload, its environment, the transcript, the client's history and the processes above (decision 65)."""

import json
import os
from pathlib import Path

import pytest

from limpet.ground.event import AGENT, COMMAND_FILE, SCHEDULED, SCRIPT, SYSTEM, TYPED, UNKNOWN, Reply
from limpet.ground.processes import Process
from limpet.hosts.registry import events_of
from limpet.work.untyped import note_untyped

from ..conversation import write
from ..hook_host import run_hook

RECORDED = Path(__file__).parents[1] / "fixtures" / "origins"
FIXTURES = {f"{path.parent.name}/{path.stem}": path for path in sorted(RECORDED.glob("*/*.json"))}
# What was not typed, by its origin. What the client entered itself for a person who chose, as to carry out a plan, and
# what came in another way than its words tell, are unknown.
EXPECTED = {
    SYSTEM: (
        *("claude-code/background-command", "claude-code/monitor", "claude-code/subagent-ends"),
        *("copilot-cli/autopilot", "copilot-cli/task-ended"),
    ),
    SCHEDULED: (
        *("claude-code/cron", "claude-code/cron-command", "claude-code/wakeup", "claude-code/loop-again"),
        *("copilot-cli/scheduled-by-a-command", "copilot-cli/scheduled-by-the-agent"),
    ),
    AGENT: (
        *("claude-code/peer", "claude-code/subagent-says"),
        "codex-cli/queued-by-the-agent",
    ),
    SCRIPT: (
        *("claude-code/headless-argument", "claude-code/headless-stream", "claude-code/headless-stream-second"),
        *(
            "claude-code/nested-headless",
            "claude-code/nested-terminal",
            "claude-code/nested-terminal-without-variables",
        ),
        *("claude-code/sdk-py", "claude-code/sdk-says-cli"),
        *("codex-cli/headless", "codex-cli/headless-resumed", "codex-cli/headless-stdin"),
        *("codex-cli/headless-stdin-and-words", "codex-cli/program"),
        *("copilot-cli/headless", "copilot-cli/headless-resumed", "copilot-cli/headless-stdin", "copilot-cli/program"),
        *("gemini-cli/headless", "gemini-cli/headless-resumed", "gemini-cli/headless-stdin", "gemini-cli/program"),
        "gemini-cli/headless-command-file",
    ),
    COMMAND_FILE: ("gemini-cli/command-file",),
    UNKNOWN: ("codex-cli/plan", "codex-cli/plan-cleared"),
}
ORIGINS = {name: origin for origin, names in EXPECTED.items() for name in names}
# A subagent's task is no prompt of the conversation; a wake-up, of which the transcript told too late, is known by the
# call that asked for it.
TASKS, LATE = ("codex-cli/sub-agent", "copilot-cli/sub-agent"), "claude-code/wakeup"
# An SDK that calls itself an editor's extension cannot be told from it.
HOOKED = {
    name: json.loads(path.read_text(encoding="utf-8"))
    for name, path in FIXTURES.items()
    if json.loads(path.read_text(encoding="utf-8")).get("event") in events_of(name.partition("/")[0]).KINDS
}


@pytest.fixture
def replay(monkeypatch, tmp_path):
    """Has the hook read a recorded event; returns the event that reaches the engine."""
    heard = []

    def handle(event, *rest):
        heard.append(event)
        return Reply()

    monkeypatch.setattr("limpet.engine.handle", handle)
    monkeypatch.setenv("COPILOT_HOME", str(tmp_path / ".copilot"))
    home = str(tmp_path)

    def moved(value):
        return json.loads(json.dumps(value).replace("/home/dev", home))

    def send(name):
        recorded = moved(HOOKED[name])
        payload, client = recorded["payload"], name.partition("/")[0]
        os.makedirs(tmp_path / "project", exist_ok=True)
        path = payload.get("transcript_path")
        if path and recorded["transcript"] is not None:
            write(path, "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in recorded["transcript"]))
        for file, entries in (recorded.get("history") or {}).items():
            if file == "logs.json":
                write(os.path.join(os.path.dirname(os.path.dirname(path)), file), json.dumps(entries, indent=2))
            elif file == "command-history-state.json":
                write(str(tmp_path / ".copilot" / file), json.dumps({"commandHistory": entries}))
        above = [
            Process(one["pid"], one["parent"], tuple(one["command"]), one["started"])
            for one in recorded.get("ancestors") or ()
        ]
        monkeypatch.setattr("limpet.ground.processes.read_ancestors", lambda: tuple(above))
        env = {**os.environ, **recorded["environment"]}
        answer = run_hook(json.dumps(payload).encode(), client, recorded["event"], cwd=home, env=env)
        assert (answer.code, answer.err) == (0, b"")
        return heard[-1]

    return send


def is_prompt(name):
    return events_of(name.partition("/")[0]).KINDS[HOOKED[name]["event"]] == "prompt"


@pytest.mark.parametrize("name", [name for name in HOOKED if is_prompt(name) and name not in TASKS])
def test_each_prompt_has_the_origin_that_it_had(replay, name):
    if name == LATE:
        note_untyped([HOOKED[name]["payload"]["prompt"]])
    event = replay(name)
    assert event.origin == ORIGINS.get(name, TYPED)
    assert event.is_persons == (name not in ORIGINS)


@pytest.mark.parametrize("name", TASKS)
def test_a_subagents_task_is_no_prompt(replay, name):
    event = replay(name)
    assert event.kind == "other" and not event.is_persons


@pytest.mark.parametrize("name", [name for name in HOOKED if not is_prompt(name)])
def test_an_event_without_a_prompt_is_an_attended_clients(replay, name):
    """All of these were recorded where somebody sat."""
    assert replay(name).origin == TYPED


def test_every_recorded_event_is_replayed_or_is_none_of_ours():
    """No row is left out by a name that is misspelt here."""
    assert {*ORIGINS} <= {*HOOKED}
    others = {
        json.loads(path.read_text(encoding="utf-8")).get("event")
        for name, path in FIXTURES.items()
        if name not in HOOKED
    }
    assert others <= {
        None,
        "shell",
        "UserPromptExpansion",
        "PermissionRequest",
        "SubagentStop",
        "PostToolUse",
        "AfterTool",
    }
    assert len(FIXTURES) >= 131
