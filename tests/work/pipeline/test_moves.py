"""Moves along the pipeline: every row of the seeds' tables of order, modes and transitions."""

import pytest

from limpet.ground.errors import LimpetError
from limpet.work.pipeline.moves import advance, back, override, set_working_mode, start_run
from limpet.work.pipeline.state import Limits, current_step, state_of

from .pipelines import BROWNFIELD, FACTS, GREENFIELD, LIMITS, NOW, QUICK, RUN, after, finished, session_at, statuses

PLANNING = "brief detail architect ux phases tasks qa-planning"
ORDERS = {
    "greenfield": f"greenfield-wu {PLANNING} dev qa-implementation devops",
    "brownfield": "brownfield-wu brief architect detail ux phases tasks qa-planning dev qa-implementation devops",
    "quick-flow": "brief dev qa-implementation devops",
}
WORKFLOWS = {workflow.name: workflow for workflow in (GREENFIELD, BROWNFIELD, QUICK)}


@pytest.mark.parametrize(("name", "order"), ORDERS.items())
def test_a_pipeline_runs_in_its_order_to_the_end(name, order):
    """A3: greenfield, brownfield (architect before detail) and quick-flow, each gate passed."""
    workflow = WORKFLOWS[name]
    session, seen = after({}, start_run({}, workflow, "aaaaaaaa")), []
    while step := current_step(session, workflow):
        assert session["current_agent"] == step.agent
        assert (session["mode"], session["project"]["state"]) == (step.mode, step.state)
        seen.append(step.agent)
        session = finished(session, step.agent, 95)
        session = after(session, advance(session, workflow, step.agent, NOW, LIMITS, FACTS))
    assert " ".join(seen) == order
    assert (state_of(session), session["current_agent"]) == ("completed", None)
    assert set(statuses(session).values()) == {"completed"}


@pytest.mark.parametrize(
    ("workflow", "agent", "came", "goes", "mode", "state"),
    [
        (GREENFIELD, "qa-planning", "planning", "build", "build", "build"),
        (BROWNFIELD, "qa-planning", "planning", "build", "build", "build"),
        (QUICK, "brief", "planning", "build", "build", "build"),
        (GREENFIELD, "dev", "build", "validate", "build", "validate"),
        (GREENFIELD, "qa-implementation", "validate", "deploy", "deploy", "deploy"),
        (GREENFIELD, "devops", "deploy", "completed", "deploy", "completed"),
    ],
)
def test_an_automatic_transition_comes_with_the_gate(workflow, agent, came, goes, mode, state):
    """A3: planning to build when qa-planning has 95, build to validate when dev has finished, validate to deploy when
    QA has approved, deploy to completed."""
    session = session_at(agent, workflow, score=95)
    session = after(session, advance(session, workflow, agent, NOW, LIMITS, FACTS))
    assert session["mode_transitions"] == [
        {"timestamp": "2026-10-21T12:00:00Z", "from": came, "to": goes, "trigger": f"{agent} 95", "type": "automatic"}
    ]
    assert (session["mode"], session["project"]["state"]) == (mode, state)


@pytest.mark.parametrize("agent", PLANNING.split()[:-1])
def test_within_planning_no_transition_is_told(agent):
    """Discover and plan are both planning."""
    session = session_at(agent, score=95)
    assert "mode_transitions" not in advance(session, GREENFIELD, agent, NOW, LIMITS, FACTS).changes


@pytest.mark.parametrize("score", [None, 0, 94.99])
def test_below_the_gate_nobody_advances(score):
    """The refusal says what is missing."""
    session = session_at("qa-planning", score=score)
    with pytest.raises(LimpetError, match="it is not finished" if score is None else f"score {score} is below 95"):
        advance(session, GREENFIELD, "qa-planning", NOW, LIMITS, FACTS)


def test_a_move_made_by_somebody_else_meanwhile_is_noticed():
    """Whoever finished a step that is no longer current changes nothing."""
    session = session_at("detail", score=95)
    with pytest.raises(LimpetError, match="The current agent is detail, not brief"):
        advance(session, GREENFIELD, "brief", NOW, LIMITS, FACTS)


@pytest.mark.parametrize(
    ("workflow", "issue", "agent"),
    [
        (GREENFIELD, "spec", "detail"),
        (GREENFIELD, "architecture", "architect"),
        (GREENFIELD, "code", "dev"),
        (GREENFIELD, "test", "dev"),
        (GREENFIELD, "security", "dev"),
        (BROWNFIELD, "spec", "detail"),
        (BROWNFIELD, "architecture", "architect"),
        (QUICK, "spec", "brief"),
        (QUICK, "code", "dev"),
    ],
)
def test_an_issue_goes_back_to_whoever_mends_it(workflow, issue, agent):
    """A3 and A2: QA of the implementation finds spec, architecture, code, test and security issues."""
    session = session_at("qa-implementation", workflow)
    session = after(session, back(session, workflow, NOW, LIMITS, issue=issue, reason="why"))
    place = workflow.place_of(agent)
    between = [step.agent for step in workflow.steps[place + 1 : workflow.place_of("devops")]]
    assert session["current_agent"] == agent
    assert {statuses(session)[name] for name in between} == {"needs_revalidation"}
    assert statuses(session)["devops"] == "pending"
    assert session["mode"] == workflow.steps[place].mode
    record = session["mode_transitions"][-1]
    assert (record["type"], record["trigger"], record["reason"]) == ("backward", f"{issue} issue", "why")


def test_qa_of_the_planning_runs_again_before_anything_is_built():
    """A3: after an issue of the spec no way leads from detail to dev but through qa-planning."""
    session = session_at("qa-implementation")
    session = after(session, back(session, GREENFIELD, NOW, LIMITS, issue="spec"))
    seen = []
    while (step := current_step(session, GREENFIELD)).agent != "dev":
        seen.append(step.agent)
        session = finished(session, step.agent, 96)
        session = after(session, advance(session, GREENFIELD, step.agent, NOW, LIMITS, FACTS))
    assert seen == ["detail", "architect", "ux", "phases", "tasks", "qa-planning"]


def test_who_is_gone_back_to_needs_a_new_score_and_new_evidence():
    """What was reached before does not open the gate a second time."""
    session = session_at("dev", gates={"detail": {"evidence": [RUN]}})
    session = after(session, back(session, GREENFIELD, NOW, LIMITS, agent="detail"))
    assert session["gates"]["detail"]["evidence"] == []
    with pytest.raises(LimpetError, match="it is not finished"):
        advance(session, GREENFIELD, "detail", NOW, LIMITS, FACTS)


@pytest.mark.parametrize(
    ("workflow", "given", "what"),
    [
        (GREENFIELD, {"agent": "devops"}, "devops is after dev"),
        (GREENFIELD, {"agent": "nobody"}, "greenfield has no agent nobody"),
        (GREENFIELD, {"issue": "weather"}, "handles weather issues"),
        (QUICK, {"issue": "architecture"}, "Name an agent instead"),
    ],
)
def test_back_goes_to_nobody_ahead(workflow, given, what):
    """Everything else is refused by name, with what to do instead."""
    with pytest.raises(LimpetError, match=what):
        back(session_at("dev", workflow), workflow, NOW, LIMITS, **given)


def test_completed_work_can_be_gone_back_into():
    """An issue found after the deploy reopens the pipeline."""
    session = session_at("devops", score=99)
    session = after(session, advance(session, GREENFIELD, "devops", NOW, LIMITS, FACTS))
    session = after(session, back(session, GREENFIELD, NOW, LIMITS, issue="code"))
    assert (session["current_agent"], state_of(session)) == ("dev", "build")
    assert session["mode_transitions"][-1]["from"] == "completed"


def test_sending_the_same_agent_back_a_fourth_time_says_that_the_user_is_to_be_asked():
    """Three rounds for each agent, whoever sends it back; after them nothing is shut, so that honesty is no trap."""
    session = session_at("qa-implementation")
    for round_number in (1, 2, 3):
        session = after(session, back(session, GREENFIELD, NOW, LIMITS, issue="code"))
        assert session["agents"]["dev"]["loops"] == round_number
        session = finished(session, "dev", 97)
        session = after(session, advance(session, GREENFIELD, "dev", NOW, LIMITS, FACTS))
    session = after(session, back(session, GREENFIELD, NOW, LIMITS, issue="code"))
    assert session["agents"]["dev"]["escalated"] is True
    session = finished(session, "dev", 97)
    session = after(session, advance(session, GREENFIELD, "dev", NOW, LIMITS, FACTS))
    assert session["agents"]["dev"]["status"] == "completed"


def test_an_override_names_whom_it_skips_and_why():
    """A3: only explicit, logged with skipped_agents and the reason."""
    session = session_at("architect", score=60)
    session = after(session, override(session, GREENFIELD, "architect", NOW, "prototype first", to="dev"))
    skipped = ["architect", "ux", "phases", "tasks", "qa-planning"]
    way = {"from": "planning", "to": "build", "trigger": "override", "type": "override"}
    why = {"skipped_agents": skipped, "reason": "prototype first"}
    assert session["mode_transitions"] == [{"timestamp": "2026-10-21T12:00:00Z", **way, **why}]
    assert [name for name, status in statuses(session).items() if status == "skipped"] == skipped
    assert (session["current_agent"], session["mode"]) == ("dev", "build")


def test_an_override_without_a_goal_passes_one_gate():
    """Only the current agent is skipped."""
    session = session_at("ux")
    session = after(session, override(session, GREENFIELD, "ux", NOW, "no screens"))
    assert (session["current_agent"], statuses(session)["ux"]) == ("phases", "skipped")


@pytest.mark.parametrize(
    ("reason", "to", "what"), [(" ", "", "needs a reason"), ("why", "brief", "brief is not after ux")]
)
def test_an_override_is_refused_without_a_reason_and_backwards(reason, to, what):
    """Nothing changes."""
    with pytest.raises(LimpetError, match=what):
        override(session_at("ux"), GREENFIELD, "ux", NOW, reason, to)


def test_who_was_skipped_validates_when_the_work_goes_back_before_them():
    """An override speaks for one pass only."""
    session = session_at("tasks")
    session = after(session, override(session, GREENFIELD, "tasks", NOW, "hurry", to="dev"))
    session = after(session, back(session, GREENFIELD, NOW, LIMITS, agent="phases"))
    assert statuses(session)["qa-planning"] == "needs_revalidation"


def test_a_workflow_under_way_goes_on():
    """Starting it again loses nothing, also where it was cleared: its agents are still known."""
    move = start_run(session_at("ux", score=90), GREENFIELD, "aaaaaaaa")
    assert (move.changes, move.message) == ({}, "greenfield is already active, at ux")
    session = {**session_at("ux"), "workflow": None, "current_agent": None}
    session = after(session, start_run(session, GREENFIELD, "aaaaaaaa"))
    assert (session["workflow"], session["current_agent"]) == ("greenfield", "ux")


def test_another_workflow_does_not_wipe_what_was_reached():
    """It takes --afresh, and then all begins anew."""
    session = session_at("detail")
    with pytest.raises(LimpetError, match=r"greenfield is active, and agents have worked in it: greenfield-wu, brief"):
        start_run(session, BROWNFIELD, "aaaaaaaa")
    session = after(session, start_run(session, BROWNFIELD, "aaaaaaaa", afresh=True))
    assert (session["current_agent"], session["project"]["type"]) == ("brownfield-wu", "brownfield")
    assert session["agents"]["brief"] == {"status": "pending", "score": None}


def test_an_agent_activated_before_any_workflow_stays_active():
    """The pipeline takes over with its first move."""
    session = after({"current_agent": "dev"}, start_run({"current_agent": "dev"}, GREENFIELD, "aaaaaaaa"))
    assert (session["current_agent"], current_step(session, GREENFIELD).agent) == ("dev", "greenfield-wu")


def test_unknown_fields_of_agents_stay():
    """Only what the pipeline knows is reset."""
    session = session_at("brief", score=97)
    session["agents"]["detail"]["ours"] = "kept"
    session = after(session, advance(session, GREENFIELD, "brief", NOW, LIMITS, FACTS))
    assert session["agents"]["detail"]["ours"] == "kept"


def test_a_configured_gate_holds_where_the_step_names_none():
    """A workflow's own number comes first."""
    session = session_at("brief", score=90)
    strict = GREENFIELD.replace(steps=tuple(step.replace(gate=95) for step in GREENFIELD.steps))
    assert advance(session, GREENFIELD, "brief", NOW, Limits(gate=85, loops=3), FACTS).kind == "work.advanced"
    with pytest.raises(LimpetError, match="below 95"):
        advance(session, strict, "brief", NOW, Limits(gate=85, loops=3), FACTS)


def test_a_mode_set_by_hand_is_an_override_while_a_pipeline_is_under_way():
    """Without one it is only a mode."""
    assert set_working_mode({}, "build", NOW).changes == {"mode": "build"}
    session = session_at("brief")
    record = after(session, set_working_mode(session, "build", NOW, "hotfix"))["mode_transitions"][0]
    told = ("override", "planning", "build", "hotfix")
    assert (record["type"], record["from"], record["to"], record["reason"]) == told


@pytest.mark.parametrize(
    "act",
    [
        lambda s: advance(s, GREENFIELD, "detail", NOW, LIMITS, FACTS),
        lambda s: back(s, GREENFIELD, NOW, LIMITS, agent="brief"),
        lambda s: override(s, GREENFIELD, "detail", NOW, "why"),
        lambda s: start_run(s, BROWNFIELD, "aaaaaaaa", afresh=True),
    ],
)
def test_no_move_is_made_while_a_deviation_is_open(act):
    """It comes back first."""
    session = session_at("detail", score=97, deviations=[{"id": "DV-001", "reason": "CSV", "resolved": False}])
    with pytest.raises(LimpetError, match="DV-001 is open: CSV"):
        act(session)
