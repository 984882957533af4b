"""What the session says of its pipeline."""

import pytest

from limpet.work.pipeline.records import CheckRun, add_checks
from limpet.work.pipeline.state import CLAIMED, NONE, VERIFIED, current_step, evidence_of, next_id, state_of, status_of

from .pipelines import FACTS, GREENFIELD, NOW, QUICK, after, checked, finished, session_at


@pytest.mark.parametrize(
    ("statuses", "agent"),
    [
        ({}, "brief"),
        ({"brief": "completed"}, "dev"),
        ({"brief": "needs_revalidation", "dev": "in_progress"}, "dev"),
        ({"brief": "needs_revalidation", "dev": "completed"}, "brief"),
        ({"brief": "skipped", "dev": "failed"}, "dev"),
        (dict.fromkeys(("brief", "dev", "qa-implementation", "devops"), "completed"), None),
    ],
)
def test_the_current_step_is_in_progress_or_the_first_unfinished(statuses, agent):
    """None when all are finished."""
    step = current_step({"agents": {name: {"status": status} for name, status in statuses.items()}}, QUICK)
    assert (step.agent if step else None) == agent


@pytest.mark.parametrize("session", [{}, {"agents": None}, {"agents": []}, {"agents": {"brief": "done"}}])
def test_a_session_of_another_shape_is_one_that_has_not_begun(session):
    """Hand edits do not break the view."""
    assert (status_of(session, "brief"), current_step(session, QUICK).agent) == ("pending", "brief")


def test_the_step_brings_its_domains():
    """ADR-001 SYNAPSE E5: the workflow's state activates domains; none when all is done."""
    assert current_step(session_at("dev"), GREENFIELD).domains == ("STORY", "QA")
    assert current_step(session_at("architect"), GREENFIELD).domains == ()
    assert current_step({"agents": {step.agent: {"status": "completed"} for step in QUICK.steps}}, QUICK) is None


@pytest.mark.parametrize(("state", "told"), [("discover", "discover"), ("clarity", "plan"), (None, "")])
def test_the_state_has_one_name(state, told):
    """A1: chati's clarity is plan."""
    assert state_of({"project": {"state": state}}) == told


@pytest.mark.parametrize(
    ("ids", "following"),
    [([], "DV-001"), (["DV-009", "DV-002"], "DV-010"), (["DV-999"], "DV-1000"), (["ours", None], "DV-001")],
)
def test_a_new_id_is_above_all_others(ids, following):
    """Whatever stands in the file by hand."""
    assert next_id([{"id": name} for name in ids], "DV") == following


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
