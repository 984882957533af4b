"""Moves along the pipeline, whatever door asks for them."""

import pytest

from limpet.ground.clock import iso
from limpet.ground.config.mirror import read_mirror
from limpet.ground.errors import LimpetError
from limpet.ground.event import Surroundings
from limpet.ground.event_log import newest_first
from limpet.operations.work.moves import (
    ChosenWork,
    choose_mode,
    choose_squad,
    choose_task,
    choose_work,
    override_step,
    record_deviation,
    resolve_deviation_of,
    step_back,
)
from limpet.operations.work.start import start_work
from limpet.work.project import NAME, read_project
from limpet.work.session import change_session, read_state

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


def test_a_finished_step_is_left_and_on_record(project):
    """And the hook's mirror knows; chati.dev's fields: status, score, how many criteria there were, and when."""
    outcome = finish_step(opened(project))
    assert (outcome.finished, outcome.score, outcome.evidence, outcome.to) == (True, 100, "claimed", "brief")
    assert outcome.lines[-1] == "greenfield-wu passed with 100%; brief begins"
    assert read_mirror(project).session["current_agent"] == "brief"
    kinds = [kind for kind, _ in events(project)]
    assert kinds == ["work.started", "handoff.written", "work.finished", "work.advanced"]
    record = {"status": "completed", "score": 100, "criteria_count": 4, "completed_at": iso(PERSON.now)}
    assert read_project(project)[0]["agents"]["greenfield-wu"] == record


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


def test_a_choice_for_the_project_is_in_the_mirror(workspace):
    """None clears it again."""
    assert choose_work(opened(workspace), "squad", "backend") == ChosenWork(changes={"squad": "backend"}, place=NAME)
    assert read_mirror(workspace).session["squad"] == "backend"
    choose_work(opened(workspace), "squad", None)
    assert "squad" not in read_mirror(workspace).session


def test_a_choice_for_a_conversation_is_its_own(workspace, conversation):
    """Under its own key; the project's session is not even made, and a mistyped id makes none."""
    choose_work(opened(workspace), "current_agent", "dev", conversation)
    assert read_state(workspace, conversation)["active_agent"] == "dev"
    assert read_project(workspace)[0] == {}
    with pytest.raises(LimpetError, match="No conversation with this ID"):
        choose_work(opened(workspace), "squad", "backend", "nobody")


def test_a_task_is_kept_with_its_story_and_without_secrets(workspace):
    """A title alone is text; a squad's name is told without secrets too."""
    assert choose_task(opened(workspace), f"Use {TOKEN}").changes == {"task": "Use [redacted:github-token]"}
    full = choose_task(opened(workspace), "Add it", "S-12", "human").changes["task"]
    assert full == {"id": "S-12", "title": "Add it", "executor": "human"}
    assert choose_task(opened(workspace), None).changes == {"task": None}
    with pytest.raises(LimpetError, match=r"Unknown squad: \[redacted:github-token\]"):
        choose_squad(opened(workspace), TOKEN)


def test_no_new_task_begins_where_a_handoff_is_due(workspace, conversation):
    """Decision 2, for the conversation around the call; a task may still be cleared."""
    change_session(workspace, conversation, {"usage": {"remaining": 5}})
    caller = PERSON.replace(surroundings=Surroundings("claude-code", conversation))
    with pytest.raises(LimpetError, match="5% of the context window is left, too little for a new task"):
        choose_task(opened(workspace, caller), "Add it")
    assert choose_task(opened(workspace, caller), None).changes == {"task": None}


def test_a_mode_against_a_workflow_under_way_is_an_override(workspace):
    """With its reason on record."""
    start_work(opened(workspace), "greenfield")
    assert choose_mode(opened(workspace), "build", "a spike").changes == {"mode": "build"}
    assert read_project(workspace)[0]["mode_transitions"][-1]["reason"] == "a spike"
    assert ("work.mode", "a spike") in events(workspace)


def test_an_alias_of_a_mode_is_understood_and_an_unknown_one_refused(workspace, conversation):
    """For the project and for a conversation."""
    assert choose_mode(opened(workspace), "clarity", conversation=conversation).changes == {"mode": "planning"}
    with pytest.raises(LimpetError, match="mode"):
        choose_mode(opened(workspace), "dreaming")


def test_an_activation_and_a_task_are_in_the_log(workspace, conversation):
    """Who and which, for the project and for a conversation; a task by its id, and never in its words."""
    choose_work(opened(workspace), "current_agent", "dev")
    choose_work(opened(workspace), "current_agent", "brief", conversation)
    choose_task(opened(workspace), "Add it", "S-12")
    choose_task(opened(workspace), None)
    choose_work(opened(workspace), "current_agent", None)
    found = [(one["kind"], one["data"]) for log in newest_first(workspace.shared, "") for one in log]
    assert sorted(found, key=repr) == [
        ("agent.activated", {"agent": "brief"}),
        ("agent.activated", {"agent": "dev"}),
        ("agent.deactivated", {}),
        ("work.task", {"id": "S-12", "ended": False}),
        ("work.task", {"id": None, "ended": True}),
    ]
