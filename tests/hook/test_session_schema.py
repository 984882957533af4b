"""What the hook keeps of a conversation obeys the shipped schema, whatever happened to the conversation or its file."""

import json
import os

import jsonschema

import limpet
from limpet.ground.formats.schema import load_schema

from ..hook_host import state

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
