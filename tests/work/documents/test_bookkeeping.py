"""The backlog and the log, on the files."""

import json

import pytest

from limpet.ground.errors import LimpetError
from limpet.work.documents.evaluation import add_backlog, add_log, finish_backlog, list_backlog
from limpet.work.documents.form import BacklogItem
from limpet.work.documents.store import read_detail, read_documents_manifest

MANIFEST = ".limpet/manifest.yaml"
DETAIL = ".limpet/artifacts/architecture.yaml"


def test_every_problem_lies_in_its_detail_and_the_urgent_ones_in_the_manifest(tracked):
    """Thirteen are noted, ten shown, none lost; the room of one that is done is filled."""
    for number in range(13):
        item = BacklogItem("architecture", f"problem {number:02}", "high" if number > 9 else "low")
        assert add_backlog(tracked.workspace, item, tracked.actor())
    shown = [item.item for item in read_documents_manifest(tracked.workspace).backlog]
    assert shown[:3] == ["problem 10", "problem 11", "problem 12"] and len(shown) == 10
    assert len(list_backlog(tracked.workspace)[0]) == len(read_detail(tracked.workspace, "architecture").backlog) == 13
    finish_backlog(tracked.workspace, "architecture", "problem 11", tracked.actor())
    shown = [item.item for item in read_documents_manifest(tracked.workspace).backlog]
    assert len(shown) == 10 and "problem 11" not in shown
    assert len(list_backlog(tracked.workspace)[0]) == 12


def test_a_problem_that_stands_in_the_manifest_only_is_not_lost_when_it_leaves(tracked):
    """As those of a manifest that another tool wrote."""
    rows = "".join(f"  - {{artifact: features, item: old {number}, priority: low}}\n" for number in range(10))
    tracked.put(MANIFEST, tracked.get(MANIFEST).replace("backlog: []\n", f"backlog:\n{rows}"))
    add_backlog(tracked.workspace, BacklogItem("architecture", "new", "high"), tracked.actor())
    assert [item.item for item in read_detail(tracked.workspace, "features").backlog] == ["old 9"]
    assert len(list_backlog(tracked.workspace)[0]) == 11


def test_the_same_problem_is_noted_once_with_its_last_priority(tracked):
    """And its first day."""
    long = "The section on caching does not say when entries become invalid, nor who may clear them"
    assert add_backlog(tracked.workspace, BacklogItem("architecture", long, "low"), tracked.actor())
    tracked.now += 86_400
    assert not add_backlog(tracked.workspace, BacklogItem("architecture", long, "high"), tracked.actor())
    assert list_backlog(tracked.workspace)[0] == (BacklogItem("architecture", long, "high", "2026-02-20"),)
    assert [item.priority for item in read_documents_manifest(tracked.workspace).backlog] == ["high"]


@pytest.mark.parametrize("words", ["problem", "nothing like it"])
def test_words_that_fit_none_or_several_finish_nothing(tracked, words):
    """The error counts them."""
    for number in range(2):
        add_backlog(tracked.workspace, BacklogItem("architecture", f"problem {number}"), tracked.actor())
    with pytest.raises(LimpetError, match="contain these words|contains these words"):
        finish_backlog(tracked.workspace, "architecture", words, tracked.actor())
    assert len(list_backlog(tracked.workspace)[0]) == 2


def test_everything_that_happens_is_in_the_audit_log(tracked):
    """With who and what, without the texts."""
    tracked.evaluate("architecture")
    add_backlog(tracked.workspace, BacklogItem("architecture", "a"), tracked.actor())
    finish_backlog(tracked.workspace, "architecture", "a", tracked.actor())
    add_log(tracked.workspace, "b", tracked.actor())
    lines = tracked.get(".limpet/events/person.jsonl").splitlines()
    kinds = [json.loads(line)["kind"] for line in lines]
    assert kinds == ["spec.scanned", "spec.evaluated", "spec.backlog", "spec.backlog-done", "spec.log"]


def test_hand_edits_in_the_middle_stay(tracked):
    """Comments, unknown fields, order and quoting, in both tiers, through every action."""
    marks = ("# by hand", "team: 'blue'   # odd  spacing", "  - {artifact: features, item: 'by  hand', priority: low}")
    text = tracked.get(MANIFEST).replace("backlog: []", f"{marks[0]}\n{marks[1]}\nbacklog:\n{marks[2]}")
    tracked.put(MANIFEST, text)
    tracked.put(DETAIL, "# mine\nartifact: architecture\nx: [1,  2]\nlast_evaluated: null\nchecklist:\n# c\n")
    tracked.evaluate("architecture")
    add_backlog(tracked.workspace, BacklogItem("architecture", "a"), tracked.actor())
    finish_backlog(tracked.workspace, "architecture", "a", tracked.actor())
    add_log(tracked.workspace, "b", tracked.actor())
    assert [mark for mark in marks if mark not in tracked.get(MANIFEST)] == []
    assert [mark for mark in ("# mine\n", "x: [1,  2]\n", "# c\n") if mark not in tracked.get(DETAIL)] == []


def test_a_detail_that_cannot_be_read_does_not_hide_the_problems_of_others(tracked):
    """It is told; asked for by name it is an error."""
    add_backlog(tracked.workspace, BacklogItem("architecture", "a"), tracked.actor())
    tracked.put(".limpet/artifacts/features.yaml", "last_evaluated: null\nbacklog: [\n")
    items, unread = list_backlog(tracked.workspace)
    assert [item.item for item in items] == ["a"]
    assert unread[0].startswith(".limpet/artifacts/features.yaml:")
    with pytest.raises(LimpetError):
        list_backlog(tracked.workspace, "features")
