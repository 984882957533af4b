"""What the hook keeps of a conversation obeys the shipped schema, whatever happened to the conversation or its file."""

import json
import os

import jsonschema
import pytest

import limpet
from limpet.ground.formats.schema import load_schema

from ..conversation import write
from ..hook_host import state
from ..places import private_path

SCHEMA = jsonschema.Draft202012Validator(load_schema("conversation"))


def faults(host):
    """What the schema says against the file, and the fields that it does not describe."""
    found = state(host.workspace)
    unknown = [f"unknown: {name}" for name in found if name not in SCHEMA.schema["properties"]]
    return [f"{error.json_path}: {error.message}" for error in SCHEMA.iter_errors(found)] + unknown


def test_the_schema_obeys_the_draft_that_it_names():
    """Its references included."""
    path = os.path.join(os.path.dirname(limpet.__file__), "framework", "schemas", "conversation.schema.json")
    with open(path, encoding="utf-8") as file:
        jsonschema.Draft202012Validator.check_schema(json.load(file))


def test_a_conversation_obeys_its_schema_from_start_to_end(host, run):
    """Prompts, star-commands, a command from outside, a compaction, the end; each written field is described."""
    host.send("SessionStart", source="startup", model="claude-opus-4")
    assert faults(host) == []
    host.prompt("the endpoint *agent dev *work task Build it")
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


@pytest.mark.parametrize(
    "spoilt",
    [
        {"stretch": {"sent": None, "began": "x", "stable": 5, "bracket": []}},
        {"history": {"star_commands": None, "domains_last": 5}},
        {"claims": [["key", "when"], 5, None]},
        {"marker": 5, "model": 5, "active_agent": 5, "task": 5, "mode": []},
        {"usage": 5, "score_before_compaction": "x", "title": 5},
        {"prompt_count": "7", "void_before": None, "compactions": [], "overrides": []},
        {"recalled": 5, "bracket": "", "continued": 5, "last": []},
    ],
    ids=lambda spoilt: " ".join(spoilt),
)
def test_a_spoilt_file_obeys_its_schema_after_the_next_prompt(host, spoilt):
    """A hand edit costs its own fields only."""
    write(private_path(host.workspace, "sessions", "s.json"), json.dumps({"schema_version": 1, "id": "s", **spoilt}))
    host.prompt()
    assert faults(host) == []
