"""Handing over, whatever door asks for it."""

import pytest

from limpet.ground.config.mirror import read_mirror
from limpet.ground.errors import LimpetError
from limpet.operations.work.handoffs import (
    Content,
    check_draft,
    check_handoffs,
    find_handoff,
    hand_over,
    hand_over_text,
)
from limpet.operations.work.start import start_work
from limpet.work.project import read_project

from ...project_session import update_project
from ..callers import events, opened

DRAFT = """---
status: complete
score: 97
---

## Summary

It works.
"""


@pytest.fixture
def project(workspace):
    """A project whose first agent is about to hand over."""
    start_work(opened(workspace), "greenfield")
    return workspace


def test_a_handoff_is_written_told_and_in_the_mirror(project):
    """Between the agents that aliases stand for; the session names it."""
    written = hand_over(opened(project), "analyst", "po", Content(summary="Two users.", decisions=("Payment: later",)))
    assert not written.refused
    assert (written.handoff.from_agent, written.handoff.to) == ("greenfield-wu", "brief")
    assert written.handoff.decisions == (("Payment", "later"),)
    assert read_mirror(project).session["last_handoff"] == ".limpet/handoffs/greenfield-wu.md"
    assert ("handoff.written", None) in events(project)


def test_a_refused_handoff_changes_nothing(project):
    """Its reasons come back."""
    written = hand_over(opened(project), "analyst", "po", Content(summary="Done.", outputs=("nowhere.md",)))
    assert written.refused and "nowhere.md does not exist" in str(written.reasons[0])
    assert "last_handoff" not in read_project(project)[0]
    with pytest.raises(LimpetError, match="No handoff from this agent"):
        find_handoff(opened(project), "analyst")
    with pytest.raises(LimpetError, match="Unknown agent: nobody"):
        hand_over(opened(project), "analyst", "nobody", Content(summary="x"))


def test_a_text_is_completed_with_what_the_program_knows(project):
    """Its score is claimed, whatever the session holds."""
    update_project(
        project,
        {"agents": {"greenfield-wu": {"score": 96}}, "gates": {"greenfield-wu": {"evidence": [{"exit_code": 0}]}}},
    )
    handoff = hand_over_text(opened(project), "analyst", "po", DRAFT, "draft.md").handoff
    assert (handoff.from_agent, handoff.to, handoff.score, handoff.verified) == ("greenfield-wu", "brief", 97, False)
    assert find_handoff(opened(project), "analyst").summary == "It works."


def test_handoffs_are_checked_alone_or_all(project):
    """One that is not there is an error, none at all is not."""
    assert check_handoffs(opened(project)) == {}
    hand_over(opened(project), "analyst", "po", Content(summary="Two users."))
    assert check_handoffs(opened(project)) == check_handoffs(opened(project), "analyst") == {"greenfield-wu": ()}
    with pytest.raises(LimpetError, match="No handoff from this agent: dev"):
        check_handoffs(opened(project), "dev")


def test_a_draft_is_checked_where_it_lies(project):
    """What it lacks is told by its own name."""
    reasons = check_draft(opened(project), DRAFT, "draft.md")
    assert {str(reason).partition(":")[0] for reason in reasons} == {"draft.md"}
    assert any("from_agent is missing" in str(reason) for reason in reasons)
