"""The status of a document: the manifest, its detail file and the project's files, in the order of their weight."""

import pytest

from holdfast.work.documents.detail import Glance
from holdfast.work.documents.manifest import Artifact
from holdfast.work.documents.status import STATES, UNCOMPARED, judge

DAY = "2026-02-20"
EVALUATED = Artifact("architecture", path="specs/architecture.md", score=4, status="current", day=DAY)
CHANGED = "src/a.py changed"


@pytest.mark.parametrize(
    ("artifact", "glance", "exists", "change", "state", "reason"),
    [
        (EVALUATED, Glance(day=DAY, document="a"), True, "", "current", ""),
        (EVALUATED, Glance(day=DAY), True, "", "current", UNCOMPARED),
        (EVALUATED, None, True, "", "current", UNCOMPARED),
        (EVALUATED, Glance(day=DAY), True, CHANGED, "stale", "src/a.py changed"),
        (EVALUATED.replace(status="stale"), None, True, "", "stale", "marked in the manifest"),
        (EVALUATED, Glance(day="2026-02-19"), True, "", "stale", "interrupted"),
        (EVALUATED, Glance(day=DAY, wip="half done"), True, CHANGED, "wip", "half done"),
        (EVALUATED.replace(status="wip"), None, True, "", "wip", "not finished"),
        (EVALUATED.replace(day=""), None, True, "", "draft", "never evaluated"),
        (EVALUATED.replace(day=""), None, False, "", "missing", "not written yet"),
        (EVALUATED, Glance(day=DAY), False, "", "broken", "specs/architecture.md does not exist"),
        (EVALUATED, Glance(problem="line 3: bad"), False, "", "broken", "line 3: bad"),
    ],
)
def test_the_state_and_its_reason(artifact, glance, exists, change, state, reason):
    """What breaks a document outweighs what dates it; work in progress outweighs a change."""
    found = judge(artifact, glance, exists, change)
    assert found.state == state and state in STATES
    assert reason in found.reason if reason else found.reason == ""


def test_a_document_that_is_missing_has_no_score():
    """Whatever the manifest says of it."""
    found = judge(EVALUATED.replace(day="", score=3), None, False, "")
    assert (found.state, found.score, found.evaluated_at) == ("missing", 0, 0.0)


def test_the_type_decides_what_is_core():
    """The core types' own documents are, another document of such a type is not."""
    assert judge(EVALUATED, None, True, "").core
    assert not judge(EVALUATED.replace(key="billing", type="architecture"), None, True, "").core
    assert judge(EVALUATED.replace(key="billing"), Glance(type="api-docs", day=DAY), True, "").type == "api-docs"


def test_the_best_level_is_what_its_answers_leave():
    """Without n/a the whole scale."""
    assert judge(EVALUATED, None, True, "").best == 5
    assert judge(EVALUATED.replace(reachable=4), None, True, "").best == 4
