"""The status of a document: the manifest, its detail file and the project's files, in the order of their weight."""

import pytest

from limpet.ground.errors import LimpetError
from limpet.work.documents.detail import Baseline, Detail
from limpet.work.documents.manifest import Artifact
from limpet.work.documents.survey import STATES, UNCOMPARED, judge_priority

DAY = "2026-02-20"
EVALUATED = Artifact("architecture", path="specs/architecture.md", score=4, status="current", last_evaluated=DAY)
CHANGED = "src/a.py changed"
BARE = Detail("architecture")
JUDGED = BARE.replace(last_evaluated=DAY, baseline=Baseline("a"))
BEFORE = BARE.replace(last_evaluated=DAY)


@pytest.mark.parametrize(
    ("artifact", "detail", "exists", "change", "state", "reason"),
    [
        (EVALUATED, JUDGED, True, "", "current", ""),
        (EVALUATED, BEFORE, True, "", "current", UNCOMPARED),
        (EVALUATED, BARE, True, "", "current", UNCOMPARED),
        (EVALUATED, BEFORE, True, CHANGED, "stale", "src/a.py changed"),
        (EVALUATED.replace(status="stale"), BARE, True, "", "stale", "marked in the manifest"),
        (EVALUATED, BARE.replace(last_evaluated="2026-02-19"), True, "", "stale", "interrupted"),
        (EVALUATED, BEFORE.replace(wip="half done"), True, CHANGED, "wip", "half done"),
        (EVALUATED.replace(status="wip"), BARE, True, "", "wip", "not finished"),
        (EVALUATED.replace(last_evaluated=""), BARE, True, "", "draft", "never evaluated"),
        (EVALUATED.replace(last_evaluated=""), BARE, False, "", "missing", "not written yet"),
        (EVALUATED, BEFORE, False, "", "missing", "specs/architecture.md does not exist any more"),
        (EVALUATED, LimpetError("line 3: bad"), False, "", "broken", "line 3: bad"),
    ],
)
def test_the_state_and_its_reason(artifact, detail, exists, change, state, reason):
    """What breaks a document outweighs what dates it; work in progress outweighs a change."""
    found = judge_priority(artifact, detail, exists, change)
    assert found.state == state and state in STATES
    assert reason in found.reason if reason else found.reason == ""


def test_a_document_that_is_missing_has_no_score():
    """Whatever the manifest says of it."""
    found = judge_priority(EVALUATED.replace(last_evaluated="", score=3), BARE, False, "")
    assert (found.state, found.score, found.evaluated_at) == ("missing", 0, 0.0)


def test_the_type_decides_what_is_core():
    """The core types' own documents are, another document of such a type is not."""
    assert judge_priority(EVALUATED, BARE, True, "").core
    assert not judge_priority(EVALUATED.replace(key="billing", type="architecture"), BARE, True, "").core
    assert (
        judge_priority(EVALUATED.replace(key="billing"), BEFORE.replace(type="api-docs"), True, "").type == "api-docs"
    )


def test_the_best_level_is_what_its_answers_leave():
    """Without n/a the whole scale."""
    assert judge_priority(EVALUATED, BARE, True, "").best == 5
    assert judge_priority(EVALUATED.replace(reachable=4), BARE, True, "").best == 4
