"""The pipeline in one line."""

import pytest

from holdfast.work.pipeline.line import pipeline_line

from .pipelines import FACTS, GREENFIELD, QUICK, finished, session_at


def test_the_line_has_the_seeds_form():
    """chati.dev V7.1 section 3.3: WU(100%) -> Brief(in_progress, 45%) -> Detail(pending) -> ..."""
    session = finished(session_at("brief", score=45), "greenfield-wu", 100, "verified")
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
