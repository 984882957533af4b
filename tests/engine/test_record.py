"""What is written down of every event: metrics, the event, and each block once (decision 44)."""

import json
import os
import sys

import pytest

from limpet.engine import record
from limpet.operations.mirror import refresh_mirror

from ..conftest import write_settings
from ..conversation import Conversation, write, write_rules
from ..places import private_path


@pytest.fixture
def talking(workspace):
    """A conversation in a project with a domain."""
    write_rules(workspace, "API_RECALL=endpoint\n", api="API_RULE_0=Version it.\n")
    return Conversation(workspace)


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def test_metrics_say_what_went_in_and_what_did_not(talking, workspace):
    """One line an event: figures, layers' times, pieces and reasons."""
    talking.prompt("the endpoint")
    talking.prompt("the endpoint")
    first, second = lines(private_path(workspace, "metrics", "hook.jsonl"))
    assert (first["event"], first["session"], first["bracket"]) == ("prompt", "one", "FRESH")
    assert first["tokens"] > 0 and {"L0", "L7", "memory"} <= set(first["layers"])
    assert "API" in first["in"] and first["out"] == []
    assert ["API", "already in the conversation"] in second["out"]


def test_a_block_is_kept_once_under_its_hash_and_named_by_the_event(talking, workspace):
    """A session can be replayed from its events; twelve bytes of the hash, so that blocks never share a file."""
    talking.prompt("the endpoint")
    Conversation(workspace, "two").prompt("the endpoint")
    first, second = (lines(private_path(workspace, "events", f"{name}.jsonl"))[0] for name in ("one", "two"))
    assert first["kind"] == "block" and first["data"]["block"] == second["data"]["block"]
    assert os.listdir(private_path(workspace, "events", "blocks")) == [first["data"]["block"]]
    assert first["data"]["block"] == record.digest(talking.text, 12)
    with open(private_path(workspace, "events", "blocks", first["data"]["block"]), encoding="utf-8") as file:
        assert file.read() == talking.text


def test_silence_leaves_a_line_of_metrics_and_no_event(talking, workspace):
    """Nothing was sent, so there is nothing to replay."""
    talking.prompt()
    talking.prompt()
    assert len(lines(private_path(workspace, "metrics", "hook.jsonl"))) == 2
    assert len(lines(private_path(workspace, "events", "one.jsonl"))) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")
def test_what_is_recorded_is_its_owners_only(talking, workspace):
    """Blocks, events, metrics and state are nobody else's business."""
    talking.prompt("the endpoint")
    for folder in ("events", "metrics", "sessions"):
        for place, _, names in os.walk(workspace.path(folder)):
            assert os.stat(place).st_mode & 0o077 == 0
            assert [name for name in names if os.stat(os.path.join(place, name)).st_mode & 0o077] == []


def test_metrics_are_rotated(talking, workspace):
    """No file grows without end."""
    write_settings(workspace, "retention: {metrics_bytes: 10000, rotated_files: 1}\n")
    refresh_mirror(workspace)
    for _ in range(60):
        talking.prompt()
    assert sorted(os.listdir(private_path(workspace, "metrics"))) == ["hook.jsonl", "hook.jsonl.1"]
    assert all(
        os.path.getsize(private_path(workspace, "metrics", name)) <= 10_000 for name in ("hook.jsonl", "hook.jsonl.1")
    )


def test_a_crash_is_recorded_and_said(talking, workspace, monkeypatch):
    """What it was and where it came from; the model hears that there are no rules (principle 1)."""
    monkeypatch.setattr("limpet.engine.steps.block.build_block", lambda request, clock: 1 / 0)
    block = talking.prompt()
    crash = lines(private_path(workspace, "metrics", "hook.jsonl"))[0]
    assert block["notes"] == ["no rules for this event (ZeroDivisionError): run `limpet doctor`"]
    assert (crash["crash"], crash["what"], crash["session"]) == ("ZeroDivisionError", "division by zero", "one")
    assert crash["where"].startswith("test_record.py:")


def test_a_crash_whose_record_fails_is_still_said(talking, workspace, monkeypatch):
    """Neither stops the hook."""
    monkeypatch.setattr("limpet.engine.steps.block.build_block", lambda request, clock: 1 / 0)
    write(private_path(workspace, "metrics"), "in the way")
    assert talking.prompt()["notes"]
