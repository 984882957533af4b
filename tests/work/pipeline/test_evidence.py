"""Evidence: none, claimed, verified."""

import pytest

from limpet.work.pipeline.records import CheckRun, add_checks
from limpet.work.pipeline.state import CLAIMED, NONE, VERIFIED, evidence_of

from .pipelines import FACTS, GREENFIELD, NOW, after, checked, finished, session_at

CHECKED = FACTS.replace(checks={"tests": "pytest -q"})
GREEN = CheckRun(command="pytest -q", exit_code=0, digest="a" * 64, check="tests", tree=FACTS.tree)


def completed(session, agent):
    session["agents"][agent]["status"] = "completed"
    return session


def test_a_gate_that_nothing_is_known_of_has_none():
    """A score makes it a claim."""
    assert evidence_of(session_at("dev"), "dev", CHECKED) == NONE
    assert evidence_of(session_at("dev", score=97), "dev", CHECKED) == CLAIMED


def test_checks_that_ran_on_these_files_verify():
    """Recorded as the program does."""
    session = after(session_at("dev"), add_checks(session_at("dev"), GREENFIELD, "dev", [GREEN], CHECKED, NOW))
    assert evidence_of(session, "dev", CHECKED) == VERIFIED
    assert evidence_of(session, "dev", CHECKED.replace(tree="u")) == CLAIMED
    assert evidence_of(session, "dev", CHECKED.replace(tree="")) == CLAIMED
    assert evidence_of(session, "dev", FACTS) == CLAIMED


@pytest.mark.parametrize("change", [{"exit_code": 0, "digest": "c" * 64}, {"seal": "0" * 32}, {"tree": "u" * 64}, {}])
def test_a_record_that_was_edited_or_copied_is_a_claim(change):
    """Its seal is of every field, and of the agent that it ran for."""
    ran_for = "dev" if change else "qa-implementation"
    record = checked(session_at(ran_for), ran_for)["gates"][ran_for]["evidence"][0]
    session = session_at("dev", gates={"dev": {"evidence": [record | change]}})
    assert evidence_of(session, "dev", CHECKED) == CLAIMED


def test_a_completed_step_keeps_what_it_passed_with():
    """Files change afterwards, and they should."""
    session = completed(finished(session_at("dev"), "dev", evidence=VERIFIED), "dev")
    assert evidence_of(session, "dev", FACTS.replace(tree="u")) == VERIFIED
    assert evidence_of(completed(finished(session_at("dev"), "dev"), "dev"), "dev", CHECKED) == CLAIMED
