"""The pipeline in one line."""

import pytest

from limpet.work.pipeline.agreement import approve
from limpet.work.pipeline.overview import pipeline_line

from .pipelines import FACTS, GREENFIELD, NOW, QUICK, after, finished, session_at


def test_the_line_has_the_seeds_form():
    """chati.dev V7.1 section 3.3: WU(100%) -> Brief(in_progress, 45%) -> Detail(pending) -> ..."""
    session = finished(session_at("brief", score=45), "greenfield-wu", 100, "verified", claims=0)
    assert pipeline_line(session, GREENFIELD, FACTS) == (
        "WU(100%) -> Brief(in_progress, 45%) -> Detail(pending) -> Architect(pending) -> UX(pending) -> Phases(pending)"
        " -> Tasks(pending) -> QA-Planning(pending) -> Dev(pending) -> QA-Implementation(pending) -> DevOps(pending)"
    )


@pytest.mark.parametrize(
    ("record", "shown"),
    [
        ({"status": "completed", "score": 97.5}, "Brief(97.5%, claimed)"),
        ({"status": "completed"}, "Brief(completed, claimed)"),
        ({"status": "skipped"}, "Brief(skipped)"),
        ({"status": "needs_revalidation", "score": 96}, "Brief(needs_revalidation, 96%)"),
        ({}, "Brief(pending)"),
        (None, "Brief(pending)"),
    ],
)
def test_each_status_is_told(record, shown):
    """A score that no check backs is marked."""
    assert pipeline_line({"agents": {"brief": record}}, QUICK, FACTS).split(" -> ")[0] == shown


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({"claims": 0}, "WU(97%)"),
        ({"claims": 2}, "WU(97%, 2 claimed)"),
        ({"claims": 1, "word": "typed"}, "WU(97%, 1 claimed, no check)"),
    ],
)
def test_what_a_passed_step_stands_on_is_told(fields, shown):
    """Criteria of which nothing was shown, and that no check ran."""
    session = finished(session_at("brief"), "greenfield-wu", **fields)
    assert pipeline_line(session, GREENFIELD, FACTS).split(" -> ")[0] == shown


def test_that_a_person_approved_it_is_told():
    """Under their seal, for this run."""
    session = finished(session_at("brief"), "greenfield-wu", claims=0)
    move = approve(session, "greenfield-wu", {"a.md": "0" * 16}, "typed", "a.md", FACTS, NOW)
    assert pipeline_line(after(session, move), GREENFIELD, FACTS).startswith("WU(97%, approved)")
    assert pipeline_line({**after(session, move), "run": "bbbbbbbb"}, GREENFIELD, FACTS).startswith("WU(97%, claimed)")
