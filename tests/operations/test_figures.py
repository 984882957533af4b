"""Metrics are read back, whatever state the files are in."""

import json
import os

import pytest

from limpet.ground.errors import LimpetError
from limpet.operations.conversations import read_metrics
from limpet.operations.figures import hook_figures, summarize
from limpet.operations.memory.change import remember_memory

from ..conversation import write_rules
from ..places import private_path
from .callers import DEV, NOW, PERSON, opened


def write(workspace, name, text):
    """A private file of the project."""
    path = private_path(workspace, *name.split("/"))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    return path


def line(number, session="s1"):
    return json.dumps({"event": "prompt", "session": session, "n": number}) + "\n"


def test_metrics_are_read_across_rotated_files(workspace):
    """The oldest first, no more than asked for."""
    write(workspace, "metrics/hook.jsonl.1", line(1) + line(2))
    write(workspace, "metrics/hook.jsonl", line(3) + line(4))
    assert [one["n"] for one in read_metrics(workspace, last=3)] == [2, 3, 4]


def test_metrics_of_one_conversation_can_be_asked_for(workspace):
    """Other conversations' lines do not count towards the number; a torn line costs itself alone."""
    write(workspace, "metrics/hook.jsonl", line(1) + line(2, "s2") + '{"event": "pro\n[]\n' + line(3))
    assert [one["n"] for one in read_metrics(workspace, last=2, session="s1")] == [1, 3]
    assert [one["n"] for one in read_metrics(workspace, last=9)] == [1, 2, 3]


def test_without_metrics_there_are_no_figures(workspace):
    """Nothing is invented."""
    none = dict.fromkeys(("events", "layers_ms", "left_out", "notes"), {})
    assert summarize(read_metrics(workspace, last=9)) == {"lines": 0, **none, "crashes": []}


def test_figures_are_medians_and_maxima():
    """By event and by layer; what stands already in the conversation was not left out."""
    lines = [
        {"event": "prompt", "tokens": 100, "ms": 2.0, "layers": {"L0": 1.0}, "out": [["QA", "cut"]], "notes": ["n"]},
        {
            "event": "prompt",
            "tokens": 0,
            "ms": 4.0,
            "layers": {"L0": 3.0},
            "out": [["QA", "already in the conversation"]],
        },
        {"event": "prompt", "tokens": 300, "ms": 9.0, "layers": {"L0": 2.0}, "out": [["QA", "cut"]]},
        {"event": "pre_compact", "ms": 1.0},
        {"crash": "ValueError", "what": "x", "where": "a.py:1"},
    ]
    found = summarize(lines)
    assert found["events"]["prompt"] == {
        "count": 3,
        "blocks": 2,
        "tokens": 400,
        "largest": 300,
        "ms": {"median": 4.0, "max": 9.0},
    }
    assert found["events"]["pre_compact"]["tokens"] == 0
    assert found["layers_ms"] == {"L0": {"median": 2.0, "max": 3.0}}
    assert found["left_out"] == {"QA: cut": 2}
    assert found["notes"] == {"n": 1}
    assert found["crashes"] == [lines[-1]]


def test_a_new_project_has_domains_and_no_more(workspace):
    """Nothing is invented."""
    write_rules(workspace, "QA_RECALL=test\n", qa="QA_RULE_0=a\n")
    found = hook_figures(workspace, "", 10, PERSON.reader, NOW)
    assert [(one["name"], one["rules"]) for one in found["domains"] if one["origin"] == "project"] == [("QA", 1)]
    assert not any(one["loaded_last"] for one in found["domains"])
    assert (found["conversation"], found["metrics"]["lines"], found["memory"]) == (None, 0, {})
    assert found["cache"] == {"folder": workspace.cache, "plan_bytes": 0, "plan_current": False, "mirror_bytes": 0}


def test_memories_are_counted_for_who_may_see_them(workspace, conversation):
    """For nobody, not at all."""
    remember_memory(opened(workspace), {"agent": "architect", "scope": "private"}, "Redis may go.")
    remember_memory(opened(workspace), {}, "The queue is Redis.")
    counted = [hook_figures(workspace, "", 10, reader, NOW)["memory"] for reader in (PERSON.reader, DEV.reader, None)]
    assert [sum(one.get("owner", {}).values()) for one in counted] == [2, 1, 0]
    assert hook_figures(workspace, conversation, 10, None, NOW)["conversation"]["id"] == conversation


def test_an_unknown_conversation_is_refused(workspace):
    """Figures of all would be those of another."""
    with pytest.raises(LimpetError, match="No conversation with this ID: zzz"):
        hook_figures(workspace, "zzz", 10, PERSON.reader, NOW)
