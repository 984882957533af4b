"""Moves along the pipeline, whatever door asks for them."""

import pytest

from holdfast.ground.config.mirror import read_mirror
from holdfast.ground.errors import HoldfastError
from holdfast.operations.work.moves import advance, back, deviate, override, resolve
from holdfast.operations.work.pipeline import NeedsAgreement
from holdfast.operations.work.start import start
from holdfast.work.project import read_project, update_project

from ...finishing import finish_step
from ..callers import PERSON, agrees, events, refuses

TOKEN = "ghp_" + "a1B2" * 9


@pytest.fixture
def project(workspace):
    """A project at its first step."""
    start(workspace, PERSON, "greenfield")
    return workspace


def agent_of(workspace):
    return read_project(workspace)[0].get("current_agent")


def test_a_finished_step_is_left(project):
    """And the hook's mirror knows."""
    outcome = finish_step(project, PERSON)
    assert (outcome.finished, outcome.score, outcome.evidence, outcome.to) == (True, 100, "claimed", "brief")
    assert outcome.lines[-1] == "greenfield-wu passed with 100%; brief begins"
    assert read_mirror(project).session["current_agent"] == "brief"
    kinds = [kind for kind, _ in events(project)]
    assert kinds == ["work.started", "handoff.written", "work.finished", "work.advanced"]


def test_a_score_that_was_typed_is_recorded_and_opens_nothing(project):
    """The mirror tells it."""
    with pytest.raises(HoldfastError, match="it is not finished"):
        advance(project, PERSON, score=99)
    assert read_mirror(project).session["agents"]["greenfield-wu"]["score"] == 99
    assert agent_of(project) == "greenfield-wu"


def test_an_override_goes_past_the_gate_with_its_reason(project):
    """Without secrets, in session and audit log."""
    override(project, PERSON, agrees, f"the user said {TOKEN}", to="dev")
    assert agent_of(project) == "dev"
    assert ("work.overridden", "the user said [redacted:github-token]") in events(project)


def test_back_goes_to_an_agent_or_to_who_mends_an_issue(project):
    """Aliases are understood."""
    override(project, PERSON, agrees, "prototype", to="dev")
    assert back(project, PERSON, issue=" Architecture ").session["current_agent"] == "architect"
    assert back(project, PERSON, agent="po").session["current_agent"] == "brief"


def test_a_deviation_is_remembered_and_come_back_from(project):
    """To exactly the agent that was left."""
    deviate(project, PERSON, "scope_change", "CSV too", to="detail", obtain=refuses)
    assert agent_of(project) == "detail"
    assert resolve(project, PERSON, "dv-001").session["current_agent"] == "greenfield-wu"


@pytest.mark.parametrize(
    ("kind", "to", "what"),
    [
        ("rollback", "greenfield-wu", "back to greenfield-wu; to validate again: brief"),
        ("restart", "", "brief starts over: its score, evidence and rounds of correction are cleared"),
    ],
)
def test_a_grave_deviation_needs_the_users_word(project, kind, to, what):
    """Which is asked for what would be done; until then nothing is written."""
    finish_step(project, PERSON)
    with pytest.raises(NeedsAgreement, match=f"A {kind} needs the user's approval") as asked:
        deviate(project, PERSON, kind, "start over", to=to, obtain=refuses)
    assert asked.value.lines == (f"It would do: DV-001: {kind}, {what}",)
    assert "deviations" not in read_project(project)[0]
    assert deviate(project, PERSON, kind, "start over", to=to, agreed=True, obtain=refuses).lines == (
        f"DV-001: {kind}, {what}",
    )


def test_a_skip_takes_a_persons_word(project):
    """For it passes a gate: the user's agreement by the agent's mouth is none."""
    finish_step(project, PERSON)
    with pytest.raises(HoldfastError, match=r"DV-001: skip, without brief; detail begins \(no time\)"):
        deviate(project, PERSON, "skip", "no time", agreed=True, obtain=refuses)
    assert agent_of(project) == "brief"
    deviate(project, PERSON, "skip", "no time", obtain=agrees)
    assert agent_of(project) == "detail"


def test_a_new_position_is_closed_once_its_step_is_done_and_another_move_comes(project):
    """It is no open deviation for the rest of the work."""
    finish_step(project, PERSON)
    deviate(project, PERSON, "rollback", "start over", to="greenfield-wu", agreed=True, obtain=refuses)
    finish_step(project, PERSON)
    finish_step(project, PERSON)
    assert read_project(project)[0]["deviations"][0]["resolved"] is True


def test_what_is_off_topic_is_asked_about_in_the_users_language(project):
    """With the name of what is interrupted."""
    update_project(project, {"language": "pt", "task": "Exportar"})
    told, question = deviate(project, PERSON, "off_topic", "the weather", obtain=refuses).lines
    assert told == "DV-001: off_topic"
    assert "Exportar" in question
