"""Where CARL and SYNAPSE stumble, through the hook; ``engine/steps/test_prompts.py`` has most of the traps."""

import json
import os

import pytest

from ..conversation import MODEL, write, write_rules
from ..hook_host import bare, rule_lines, state
from ..places import private_path

BRACKET_RULES = "".join(f"{name}_RULE_0=now {name}\n" for name in ("FRESH", "MODERATE", "DEPLETED"))


def test_every_layer_of_rules_speaks(host):
    """Trap: SYNAPSE's agent, workflow, squad and keyword layers, which no prompt of its real hook ever showed."""
    manifest = "GLOBAL_ALWAYS_ON=true\nCONTEXT_STATE=active\nAGENT_DEV_AGENT_TRIGGER=dev\nCOMMANDS_STATE=active\n"
    manifest += "WORKFLOW_STORY_WORKFLOW_TRIGGER=story\nAPI_RECALL=endpoint\n"
    files = {"agent_dev": "AGENT_DEV_AUTH_0=No push.\nAGENT_DEV_RULE_0=d\n", "workflow_story": "STORY_RULE_0=w\n"}
    write_rules(host.workspace, manifest, context=BRACKET_RULES, **files)
    squad = os.path.join(host.workspace.root, "squads", "alpha", ".synapse")
    write(os.path.join(squad, "manifest"), "QA_STATE=active\n")
    write(os.path.join(squad, "qa"), "QA_RULE_0=q\n")
    write(
        private_path(host.workspace, "session.yaml"),
        "current_agent: dev\nworkflow: story\nsquad: alpha\ntask: Write it\n",
    )
    answer = host.prompt("the endpoint *brief")
    said = {rules["domain"]: rules["lines"] for rules in answer.block["rules"]}
    always = {"GLOBAL": ["Read first."], "CONTEXT": ["now FRESH"]}
    assert said == always | {"WORKFLOW_STORY": ["w"], "ALPHA_QA": ["q"], "API": ["Version it."]}
    block = answer.block
    assert block["constitution"] and block["commands"] == [{"name": "brief", "lines": ["Short."]}]
    assert (block["agent"]["authority"], block["agent"]["rules"]) == (["No push."], ["d"])
    assert "Write it" in str(block["task"])


@pytest.mark.parametrize(("after", "folder"), [(0, "-home-me-my.app_v2.1"), (500, "transcripts")])
def test_the_transcript_is_read_wherever_it_lies_and_however_long_it_goes_on(host, tmp_path, after, folder):
    """Trap: CARL guesses the transcript's path, looks at the last 20 lines, and needs the program `tail` for it."""
    answer = {"type": "assistant", "message": {"model": MODEL, "usage": {"input_tokens": 140_000, "output_tokens": 0}}}
    lines = [answer, *({"type": "user", "message": {"content": f"line {n}"}} for n in range(after))]
    path = str(tmp_path / folder / "transcript.jsonl")
    write(path, "".join(json.dumps(line) + "\n" for line in lines))
    block = host.prompt(process={"env": bare()}, transcript_path=path).block
    assert (block["bracket"], state(host.workspace)["usage"]["source"]) == ("DEPLETED", "transcript")


def test_a_non_negotiable_domain_has_its_room_first_and_stays_on(host):
    """`_NON_NEGOTIABLE` (ADR-001 SYNAPSE E1): where the budget takes rules, it takes others; nobody switches it off."""
    long = "".join(f"API_RULE_{n}=Version every endpoint of part {n} of the interface.\n" for n in range(200))
    manifest = "API_RECALL=deploy\nB_RECALL=deploy\n{}"
    write_rules(host.workspace, manifest.format(""), api=long, b="B_RULE_0=b\n")
    assert rule_lines(host.prompt("deploy"), "B") is None
    write_rules(host.workspace, manifest.format("B_NON_NEGOTIABLE=true\n"), api=long, b="B_RULE_0=b\n")
    host.prompt("*limpet off B", session_id="next")
    assert rule_lines(host.prompt("deploy", session_id="next"), "B") == ["b"]


@pytest.mark.parametrize("raw", [b"", b'{"prompt_count": 3', b'{"last_activity": "2001-01-01T00:00:00"}'])
def test_a_new_conversation_leaves_the_others_alone(host, raw):
    """Trap: a new session of CARL's deletes another one's file that is half written, or silent for a day."""
    write(private_path(host.workspace, "sessions", "other.json"), raw)
    host.send("SessionStart", source="startup")
    host.prompt()
    with open(private_path(host.workspace, "sessions", "other.json"), "rb") as file:
        assert file.read() == raw
