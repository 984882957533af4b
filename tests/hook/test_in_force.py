"""Whose agent is active is decided once: block, capture and commands agree, whoever set agent and workflow."""

import json
import os
import subprocess
import sys

import pytest

from limpet.hosts.surroundings import variables_of_hosts
from limpet.work.session import new_session, write_session

from ..blocks import read_block
from ..conftest import SOURCE
from ..conversation import write, write_rules
from ..places import private_path

AGENT = "brownfield-wu"
SAID = "Let's go with PostgreSQL for the job queue"


@pytest.fixture
def talk(host, memories):
    """A conversation in brownfield work, where ``analyst`` is another agent (decision 34); its transcript."""
    workspace = host.workspace
    write(private_path(workspace, "session.yaml"), "current_agent: analyst\nlock: {active: true}\n")
    line = {"type": "user", "uuid": "u1", "timestamp": "2026-11-21T12:00:00.000Z", "message": {"content": SAID}}
    path = os.path.join(workspace.root, "talk.jsonl")
    write(path, json.dumps({**line, "uuid": "u0", "message": {"content": "Hello."}}) + "\n" + json.dumps(line) + "\n")
    state = new_session("s", "claude-code", workspace.root, 0.0)
    write_session(workspace, {**state, "workflow": "brownfield", "transcript": path})
    return path


@pytest.fixture
def call(host):
    """Runs ``limpet`` inside the conversation."""
    inside = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s", "PYTHONPATH": SOURCE}

    def call_limpet(*arguments):
        command = [sys.executable, "-m", "limpet", *arguments]
        given = {"cwd": host.workspace.root, "env": {**os.environ, **inside}}
        done = subprocess.run(command, capture_output=True, text=True, **given)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return call_limpet


def test_the_block_its_preview_and_the_continuation_name_it(host, call, talk):
    """What the agent is told, what a person is told of that, and what the next conversation goes on from."""
    assert read_block(call("why", "--text", "--for", "--session", "s", "--json")["block"])["agent"]["name"] == AGENT
    assert host.prompt(transcript_path=talk).block["agent"]["name"] == AGENT
    host.send("PreCompact", trigger="auto", transcript_path=talk)
    with open(private_path(host.workspace, "continuation", "s.md"), encoding="utf-8") as file:
        assert f"- Agent: {AGENT}\n" in file.read()


@pytest.mark.parametrize("door", ["hook", "command"])
def test_a_capture_is_its(host, run, memories, talk, door, monkeypatch):
    """Before a compaction, and at an exit, which takes a person."""
    if door == "hook":
        host.send("PreCompact", trigger="auto", transcript_path=talk)
    else:
        for name in variables_of_hosts():
            monkeypatch.delenv(name, raising=False)
        assert json.loads(run("work", "exit", "--json").stdout)["digest"] is True
    assert {entry.agent for entry in memories.entries()} == {AGENT}


def test_a_command_acts_for_it(call, memories, talk):
    """It sees what is its own, and nobody else's."""
    mine = memories.add("The red key", owner=AGENT, agent=AGENT, scope="private")
    memories.add("The green key", owner="greenfield-wu", agent="greenfield-wu", scope="private")
    assert [one["id"] for one in call("memory", "list", "--json")] == [mine]


def test_commands_about_agents_name_it(call, talk):
    """In the conversation; the project's own workflow makes another one of the alias."""
    assert [one["id"] for one in call("work", "agent", "show", "--json") if one["active"]] == [AGENT]
    assert call("work", "status", "--json")["agent"] == call("status", "--json")["agent"] == "greenfield-wu"
    assert f"Agent: {AGENT}" in call("resume", "--json")["lines"]


ARCHITECT = "ARCHITECT_AUTH_0=EXCLUSIVE: architecture decisions\n"
ENGINEER = "DATA_ENGINEER_AUTH_0=BLOCKED: architecture decisions\n"


@pytest.mark.parametrize("name", ["architect", "data-engineer"])
def test_of_two_roles_that_are_one_agent_here_one_files_rules_come(host, name):
    """As SYNAPSE has them: the agent's own count, an alias's where there are no others."""
    manifest = "AGENT_DATA_ENGINEER_STATE=active\nAGENT_ARCHITECT_STATE=active\n"
    write_rules(host.workspace, manifest, agent_architect=ARCHITECT, agent_data_engineer=ENGINEER)
    write(private_path(host.workspace, "session.yaml"), f"current_agent: {name}\n")
    assert host.prompt().block["agent"]["authority"] == ["EXCLUSIVE: architecture decisions"]
    write_rules(host.workspace, "AGENT_DATA_ENGINEER_STATE=active\n", agent_data_engineer=ENGINEER)
    assert host.prompt(session_id="alone").block["agent"]["authority"] == ["BLOCKED: architecture decisions"]


def test_of_two_aliases_of_an_agent_the_first_counts(host):
    """Both are the orchestrator here."""
    manifest = "AGENT_SQUAD_CREATOR_STATE=active\nAGENT_AIOX_MASTER_STATE=active\n"
    rules = {"agent_squad_creator": "SQUAD_CREATOR_RULE_0=s\n", "agent_aiox_master": "AIOX_MASTER_RULE_0=m\n"}
    write_rules(host.workspace, manifest, **rules)
    assert host.prompt("*agent orchestrator").block["agent"]["rules"] == ["m"]
