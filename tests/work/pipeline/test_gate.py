"""Gates: thresholds, evidence, rounds of correction, escalation."""

import pytest

from holdfast.ground.errors import HoldfastError
from holdfast.work.pipeline.gate import Run, add_evidence, missing, reopen, set_score, share_met
from holdfast.work.pipeline.moves import advance
from holdfast.work.pipeline.view import is_verified

from .pipelines import GREENFIELD, LIMITS, NOW, RUN, after, session_at

BRIEF = GREENFIELD.step_of("brief")
GREEN, RED = Run("pytest -q", 0, "a" * 64), Run("pytest -q", 1, "b" * 64)


def scored(session, score):
    return after(session, set_score(session, GREENFIELD, "brief", score, LIMITS))


def ran(session, run):
    return after(session, add_evidence(session, GREENFIELD, "brief", run, NOW))


@pytest.mark.parametrize("agent", [step.agent for step in GREENFIELD.steps])
@pytest.mark.parametrize(("score", "opens"), [(94.99, False), (95, True), (100, True)])
def test_every_gate_holds_95_percent(agent, score, opens):
    """A5 II: at least 95 % of the criteria, for each of the eleven agents."""
    assert (missing(session_at(agent, score=score), GREENFIELD.step_of(agent), LIMITS) == []) is opens


def test_an_agents_own_threshold_comes_first():
    """Decision 35: an agent may set its own."""
    session = session_at("brief", score=90)
    session["agents"]["brief"]["threshold"] = 85
    assert missing(session, BRIEF, LIMITS) == []


def test_a_typed_score_passes_unverified_and_says_so():
    """No command backs it."""
    move = set_score(session_at("brief"), GREENFIELD, "brief", 97, LIMITS)
    session = after(session_at("brief"), move)
    assert "unverified until `holdfast work gate run" in move.message
    assert not is_verified(session, "brief")
    assert missing(session, BRIEF, LIMITS) == []


def test_a_command_that_succeeded_verifies_the_score():
    """In either order."""
    assert is_verified(scored(ran(session_at("brief"), GREEN), 97), "brief")
    assert is_verified(ran(scored(session_at("brief"), 97), GREEN), "brief")


def test_evidence_is_command_exit_code_digest_and_time():
    """As the issue asks."""
    session = ran(session_at("brief"), GREEN)
    assert session["gates"]["brief"]["evidence"] == [{**RUN, "timestamp": "2026-10-21T12:00:00Z"}]


def test_a_command_that_failed_shuts_the_gate_until_it_succeeds():
    """The last run of a command counts, and there is one entry for it."""
    session = ran(scored(session_at("brief"), 99), RED)
    assert missing(session, BRIEF, LIMITS) == ["`pytest -q` ended with 1"]
    session = ran(session, GREEN)
    assert missing(session, BRIEF, LIMITS) == []
    assert len(session["gates"]["brief"]["evidence"]) == 1


def test_a_step_may_require_evidence():
    """Then a score alone is not enough."""
    step = BRIEF.replace(evidence_required=True)
    session = scored(session_at("brief"), 97)
    assert missing(session, step, LIMITS) == ["no command backs the score"]
    assert missing(ran(session, GREEN), step, LIMITS) == []


def test_a_failed_gate_begins_a_round_in_which_the_commands_run_again():
    """Evidence from before the correction proves nothing."""
    session = scored(ran(session_at("brief"), GREEN), 80)
    assert session["agents"]["brief"]["loops"] == 1
    assert session["gates"]["brief"]["evidence"] == []


def test_after_three_rounds_of_correction_a_person_decides():
    """A2: at most 3 correction loops for each agent, then escalation with options."""
    session = session_at("brief")
    for round_number in (1, 2, 3):
        session = scored(session, 80)
        assert session["agents"]["brief"]["loops"] == round_number
        assert not session["agents"]["brief"].get("escalated")
    session = scored(session, 80)
    assert (session["agents"]["brief"]["loops"], session["agents"]["brief"]["escalated"]) == (3, True)
    with pytest.raises(HoldfastError, match="a person decides: 1. .*gate reopen brief.* 2. .*back.* 3. .*--override"):
        scored(session, 99)
    with pytest.raises(HoldfastError, match="a person decides"):
        advance(session, GREENFIELD, "brief", NOW, LIMITS)


def test_the_third_round_may_still_pass():
    """Only a failure after it escalates."""
    session = session_at("brief")
    for score in (80, 85, 90, 96):
        session = scored(session, score)
    assert missing(session, BRIEF, LIMITS) == []


def test_a_person_can_give_the_rounds_anew():
    """After that the agent's scores count again."""
    session = session_at("brief")
    for _ in range(4):
        session = scored(session, 80)
    session = after(session, reopen(session, GREENFIELD, "brief", "one more try"))
    assert missing(scored(session, 96), BRIEF, LIMITS) == []


@pytest.mark.parametrize("agent", ["greenfield-wu", "detail"])
def test_only_the_current_agent_is_scored(agent):
    """Its neighbours' gates are not at stake."""
    with pytest.raises(HoldfastError, match=f"{agent} is not the current agent, brief is"):
        set_score(session_at("brief"), GREENFIELD, agent, 97, LIMITS)


@pytest.mark.parametrize(("met", "total", "share"), [(19, 20, 95.0), (2, 3, 66.66), (9_499_999, 10_000_000, 94.99)])
def test_a_share_of_criteria_is_never_rounded_up(met, total, share):
    """Else it would open a gate that it does not reach."""
    assert share_met(met, total) == share
