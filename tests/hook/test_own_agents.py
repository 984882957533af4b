"""A project's own agent files through the hook (decisions 34, 46)."""

import os
import shutil

import pytest

from limpet.ground.event_log import newest_first
from limpet.roles.agent import PACKAGED

from ..conversation import write
from ..hook_host import Host, notes
from ..places import private_path

OWN = "---\nmission: {}\nchecklist: [Every claim has a source.]\nauthority: [NEVER publish.]\n---\nText for people.\n"
BROKEN = "---\nmission: [\n---\n"
PACKAGED_MISSION = "Build what the story says, as the architecture says, with tests"


@pytest.fixture
def host(host):
    """A host whose project's session has dev."""
    write(private_path(host.workspace, "session.yaml"), "current_agent: dev\n")
    return host


def file_of(host, name="dev"):
    return host.workspace.path("agents", f"{name}.md")


def begin(host, session="s"):
    """The block of a conversation that starts; it parsed, and the hook ended well."""
    answer = host.send("SessionStart", source="startup", session_id=session)
    assert (answer.code, answer.err) == (0, b"")
    return answer


def about(answer, name):
    """The notes on the file of this agent."""
    return [note for note in notes(answer) if f"agents/{name}.md" in note]


def test_a_model_below_the_agents_class_is_told_once_and_logged(host):
    """Article XVI: in one line, and the user decides; a higher or unknown model says nothing."""
    write(file_of(host), OWN.format("Ours").replace("mission: Ours", "mission: Ours\nmodel: strong"))
    start = {"source": "startup", "model": "claude-haiku-4-5"}
    told = notes(host.send("SessionStart", **start))
    assert told == ["model class: dev is for a strong model, claude-haiku-4-5 is fast: tell the user, who decides"]
    assert notes(host.prompt()) == []
    for name in ("claude-opus-4-1[1m]", "gemini-2.5-pro", "house-model"):
        assert notes(host.send("SessionStart", source="startup", model=name, session_id=name)) == []
    logged = [
        one["data"] for log in newest_first(host.workspace.shared, "") for one in log if one["kind"] == "agent.model"
    ]
    assert logged == [{"model": "claude-haiku-4-5"}]


def test_an_own_file_counts_from_the_next_start_on(host):
    """With checklist and authority, without the text for people."""
    assert begin(host).block["agent"]["mission"] == PACKAGED_MISSION
    write(file_of(host), OWN.format("Ours"))
    agent = begin(host, "next").block["agent"]
    assert (agent["mission"], agent["checklist"]) == ("Ours", ["Every claim has a source."])
    assert agent["authority"] == ["NEVER publish."]
    assert "Text for people" not in begin(host, "third").text


@pytest.mark.parametrize("raw", [BROKEN, "", b"\xff\xfe", OWN.format("x" * 70_000)])
def test_of_a_broken_file_a_note_tells_once_and_the_packaged_agent_is_used(host, raw):
    """Once an epoch: with the start, not with the prompts, and again after a compaction."""
    write(file_of(host), raw)
    start = begin(host)
    [note] = about(start, "dev")
    assert raw != BROKEN or note.startswith(".limpet/agents/dev.md:3 cannot be read")
    assert "the packaged agent is used" in note and note.endswith("(limpet work agent show dev)")
    assert start.block["agent"]["mission"] == PACKAGED_MISSION
    assert [about(host.prompt("the endpoint"), "dev") for _ in range(3)] == [[], [], []]
    host.send("PreCompact", trigger="auto")
    host.send("PostCompact", trigger="auto")
    assert about(host.send("SessionStart", source="compact"), "dev") == [note]


def test_of_another_agents_file_the_block_says_nothing(host):
    """It is told where that agent is in force."""
    write(file_of(host, "scribe"), BROKEN)
    assert about(begin(host), "scribe") == []
    [note] = about(host.prompt("*agent scribe"), "scribe")
    assert "so only its name is known" in note


def test_a_key_that_is_left_out_is_told_too(host):
    write(file_of(host), "---\nmission: Ours\nmodle: fast\n---\n")
    start = begin(host)
    assert (start.block["agent"]["mission"], len(about(start, "dev"))) == ("Ours", 1)
    assert "dev.md:3: Unknown key: modle" in about(start, "dev")[0]


def test_a_mended_file_is_told_no_more(host):
    write(file_of(host), BROKEN)
    begin(host)
    write(file_of(host), OWN.format("Mended"))
    answer = host.prompt()
    assert (answer.block["agent"]["mission"], about(answer, "dev")) == ("Mended", [])


def agent_named(host, name):
    """The id and the mission that ``*agent NAME`` brings."""
    agent = host.prompt(f"*agent {name}", session_id=name).block["agent"]
    return agent["name"], agent["mission"]


def test_an_alias_means_the_packaged_agent_until_there_is_one_of_that_name(host):
    """And again once that file has gone."""
    with open(os.path.join(PACKAGED, "architect.md"), encoding="utf-8") as file:
        assert (mission := agent_named(host, "@data-engineer")[1]) in file.read()
    write(file_of(host, "data-engineer"), OWN.format("Keep the data"))
    assert agent_named(host, "@Data_Engineer") == ("data-engineer", "Keep the data")
    assert agent_named(host, "architect") == ("architect", mission)
    shutil.rmtree(host.workspace.path("agents"))
    assert agent_named(host, "data-engineer") == ("architect", mission)


def test_a_file_of_one_takes_no_rules_of_the_other(workspace):
    """An own data engineer has the rules of its own domain, and leaves them to nobody."""
    host = Host(workspace)
    write(workspace.path("rules", "manifest"), "AGENT_ARCHITECT_STATE=active\nAGENT_DATA_ENGINEER_STATE=active\n")
    write(workspace.path("rules", "agent-architect"), "ARCHITECT_RULE_AUTH_0=EXCLUSIVE: decisions\n")
    write(workspace.path("rules", "agent-data-engineer"), "DATA_ENGINEER_RULE_AUTH_0=BLOCKED: decisions\n")
    write(file_of(host, "data-engineer"), "---\nmission: Keep the data\n---\n")
    said = [host.prompt(f"*agent {name}", session_id=name).block["agent"] for name in ("architect", "data-engineer")]
    assert [one["authority"] for one in said] == [["EXCLUSIVE: decisions"], ["BLOCKED: decisions"]]
