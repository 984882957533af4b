"""The file of a conversation: its schema, damage, other versions and products, senseless values (decision 36)."""

import json
import os

import jsonschema
import pytest

import limpet
from limpet.ground.formats.schema import load_schema

from ..conversation import write
from ..hook_host import rule_lines, state
from ..places import private_path

SCHEMA = jsonschema.Draft202012Validator(load_schema("conversation"))


def faults(host):
    """What the schema says against the file, and the fields that it does not describe."""
    found = state(host.workspace)
    unknown = [f"unknown: {name}" for name in found if name not in SCHEMA.schema["properties"]]
    return [f"{error.json_path}: {error.message}" for error in SCHEMA.iter_errors(found)] + unknown


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"null", b"5", b'{"prompt_count": 3', b"\xff\xfe\x00", b"[" * 5000])
def test_a_damaged_session_file_is_set_aside_and_said(host, raw):
    """Nothing is lost: the old bytes stay beside the new file (decision 36)."""
    path = private_path(host.workspace, "sessions", "s.json")
    write(path, raw)
    block = host.prompt().block
    assert block["constitution"]
    assert "the session file was damaged and is now s.json.damaged" in block["notes"]
    with open(path + ".damaged", "rb") as file:
        assert file.read() == raw
    assert state(host.workspace)["prompt_count"] == 1


# What CARL, and SYNAPSE after it, keep of a conversation.
FOREIGN = {"uuid": "s", "schema_version": "2.0", "title": "A title", "prompt_count": 7, "cwd": "/somewhere"}
FOREIGN |= {"last_activity": "2026-01-31T11:00:00", "last_context_signature": "x", "active_agent": {"id": "dev"}}


@pytest.mark.parametrize("overrides", [{}, {"DEVMODE": None, "API_STATE": None}], ids=["synapse", "carl"])
def test_a_foreign_session_file_goes_on(host, overrides):
    """SYNAPSE overwrites CARL's sessions; here count, title, overrides and fields unknown to us stay (decision 36)."""
    write(private_path(host.workspace, "sessions", "s.json"), json.dumps({**FOREIGN, "overrides": overrides}))
    assert host.prompt().block["constitution"]
    found = state(host.workspace)
    assert (found["prompt_count"], found["title"], found["uuid"]) == (8, "A title", "s")
    assert found["overrides"] == overrides


@pytest.mark.parametrize(
    "spoilt",
    [
        {"stretch": {"sent": None, "began": "x", "stable": 5, "bracket": []}},
        {"stretch": {"sent": {"L6 API": 5, "L6 OTHER": ["d", "x"], "off L6 API": []}}},
        {"history": {"star_commands": None, "domains_last": 5}},
        {"claims": [["key", "when"], 5, None]},
        {"marker": 5, "model": 5, "last": [], "active_agent": 5, "task": 5, "mode": []},
        {"prompt_count": "7", "void_before": None, "compactions": [], "overrides": []},
        {"overrides": None},
        {"overrides": {"API": "off", "GLOBAL": 0}},
        {"id": "somebody-else"},
        {"void_before": -5, "prompt_count": -3},
        {"active_agent": {"id": "dev"}},
        {"usage": 5, "score_before_compaction": "x", "title": 5},
        {"recalled": 5, "bracket": "", "continued": 5, "last": []},
    ],
    ids=lambda spoilt: " ".join(spoilt),
)
def test_fields_of_another_shape_are_mended(host, spoilt):
    """A file edited by hand or by another version costs no prompt its rules, and obeys its schema afterwards."""
    write(private_path(host.workspace, "sessions", "s.json"), json.dumps({"schema_version": 1, "id": "s", **spoilt}))
    first = host.prompt("the endpoint *brief *limpet debug")
    assert rule_lines(first, "API") == ["Version it."]
    assert rule_lines(host.prompt("the endpoint"), "API") is None
    assert os.listdir(private_path(host.workspace, "sessions")) == ["s.json"]
    assert faults(host) == []


def test_a_session_of_a_later_version_is_read_and_not_written(host):
    """Decision 36: an older product must not spoil what a newer one wrote."""
    path = private_path(host.workspace, "sessions", "s.json")
    text = json.dumps({"schema_version": 99, "id": "s", "prompt_count": 7, "overrides": {"API": False}})
    write(path, text)
    block = host.prompt("the endpoint").block
    assert [rules["domain"] for rules in block["rules"]] == ["GLOBAL"]
    assert "cannot save the conversation's state: rules may be sent twice" in block["notes"]
    with open(path, encoding="utf-8") as file:
        assert file.read() == text


@pytest.mark.parametrize(
    "text",
    [
        '{"prompt_count": 1' + "0" * 400 + "}",
        '{"prompt_count": ' + "9" * 4300 + "}",
        '{"void_before": 1e400, "compactions": -1e400, "critical_streak": 1' + "0" * 300 + "}",
        '{"unknown": ' + "[" * 900 + "]" * 900 + "}",
        '{"unknown": ' + '{"a":' * 400 + "1" + "}" * 400 + "}",
        '{"stretch": {"began": 1' + "0" * 400 + ', "reminded": -1' + "0" * 400 + "}}",
    ],
    ids=["count", "digits", "infinite", "lists", "mappings", "stretch"],
)
def test_numbers_and_depths_beyond_all_sense_cost_no_rule(host, text):
    """In a session file that another program or a broken disk left."""
    write(private_path(host.workspace, "sessions", "s.json"), text)
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Version it."]
    assert host.prompt("the endpoint").block["rules"] == []
    assert state(host.workspace)["prompt_count"] < 2**53 + 3


def test_the_schema_obeys_the_draft_that_it_names():
    """Its references included."""
    path = os.path.join(os.path.dirname(limpet.__file__), "framework", "schemas", "conversation.schema.json")
    with open(path, encoding="utf-8") as file:
        jsonschema.Draft202012Validator.check_schema(json.load(file))


def test_a_conversation_obeys_its_schema_from_start_to_end(host, run):
    """Prompts, star-commands, a command from outside, a compaction, the end; each written field is described."""
    host.send("SessionStart", source="startup", model="claude-opus-4")
    assert faults(host) == []
    host.prompt("*agent dev *work task Build it\nthe endpoint")
    host.prompt("*work squad web\n*work start ours\n*work mode build\n*mode auto\n*limpet off API\n*brief go")
    host.prompt("*limpet reload")
    assert faults(host) == []
    assert run("work", "set", "--task", "Another", "--id", "S-1", "--session", "s").returncode == 0
    assert faults(host) == []
    host.send("PreCompact", trigger="manual")
    assert faults(host) == []
    host.send("SessionStart", source="compact")
    host.prompt()
    assert faults(host) == []
    host.send("SessionEnd", reason="exit")
    assert faults(host) == []
