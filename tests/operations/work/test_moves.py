"""Moves along the pipeline, whatever door asks for them."""

import pytest

from limpet.ground.clock import iso
from limpet.ground.config.mirror import read_mirror
from limpet.operations.work.moves import override_step, record_deviation, resolve_deviation_of, step_back
from limpet.operations.work.start import start_work
from limpet.work.project import read_project

from ...finishing import finish_step
from ...project_session import update_project
from ..callers import PERSON, agrees, events, opened

TOKEN = "ghp_" + "a1B2" * 9


@pytest.fixture
def project(workspace):
    """A project at its first step."""
    start_work(opened(workspace), "greenfield")
    return workspace


def agent_of(workspace):
    return read_project(workspace)[0].get("current_agent")


def test_a_finished_step_is_left(project):
    """And the hook's mirror knows."""
    outcome = finish_step(opened(project))
    assert (outcome.finished, outcome.score, outcome.evidence, outcome.to) == (True, 100, "claimed", "brief")
    assert outcome.lines[-1] == "greenfield-wu passed with 100%; brief begins"
    assert read_mirror(project).session["current_agent"] == "brief"
    kinds = [kind for kind, _ in events(project)]
    assert kinds == ["work.started", "handoff.written", "work.finished", "work.advanced"]


def test_a_passed_step_is_on_record(project):
    """chati.dev's fields: status, score, how many criteria there were, and when."""
    outcome = finish_step(opened(project))
    record = read_project(project)[0]["agents"]["greenfield-wu"]
    at = record.pop("completed_at")
    assert outcome.finished and record == {"status": "completed", "score": 100, "criteria_count": 4}
    assert at == iso(PERSON.now)


def test_an_override_goes_past_the_gate_with_its_reason(project):
    """Without secrets, in session and audit log."""
    override_step(opened(project), agrees, f"the user said {TOKEN}", to="dev")
    assert agent_of(project) == "dev"
    assert ("work.overridden", "the user said [redacted:github-token]") in events(project)


def test_back_goes_to_an_agent_or_to_who_mends_an_issue(project):
    """Aliases are understood."""
    override_step(opened(project), agrees, "prototype", to="dev")
    step_back(opened(project), issue=" Architecture ")
    assert agent_of(project) == "architect"
    step_back(opened(project), agent="po")
    assert agent_of(project) == "brief"


def test_a_deviation_is_remembered_and_come_back_from(project):
    """To exactly the agent that was left."""
    record_deviation(opened(project), "scope_change", "CSV too", to="detail")
    assert agent_of(project) == "detail"
    resolve_deviation_of(opened(project), "dv-001")
    assert agent_of(project) == "greenfield-wu"


def test_what_is_off_topic_is_asked_about_in_the_users_language(project):
    """With the name of what is interrupted."""
    update_project(project, {"language": "pt", "task": "Exportar"})
    told, question = record_deviation(opened(project), "off_topic", "the weather").message.splitlines()
    assert told == "DV-001: off_topic"
    assert "Exportar" in question
