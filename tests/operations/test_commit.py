"""A project is read once, and written by one commit: state, audit log and mirror."""

import pytest

from limpet.ground.config import settings
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.config.mirror import read_mirror
from limpet.ground.errors import LimpetError
from limpet.operations.commit import commit, refresh
from limpet.operations.project import Project, clean
from limpet.work.pipeline.deviation import OFF_TOPIC, deviate, resolve_deviation
from limpet.work.pipeline.state import Limits, Move
from limpet.work.project import read_project

from ..conversation import write
from ..event_log import logged
from ..places import private_path
from ..project_session import update_project
from .callers import DEV, NOW, PERSON, opened


def test_a_move_is_written_recorded_and_in_the_mirror(workspace):
    """Who, when, in which conversation, what."""
    project = opened(workspace, DEV)
    move = commit(project, lambda session: deviate(session, None, OFF_TOPIC, "Rate limit", NOW))
    assert (move.message, project.session["revision"]) == ("DV-001: off_topic", 1)
    assert project.session == read_project(workspace)[0]
    assert read_mirror(workspace).session["deviations"][0]["reason"] == "Rate limit"
    (event,) = logged(workspace.shared)
    assert (event["kind"], event["writer"], event["session"]) == ("work.deviated", "agent:dev", "talk")
    assert (event["time"], event["data"]) == ("2026-11-21T12:00:00Z", move.data)


def test_moves_of_one_commit_see_one_another_and_are_written_once(workspace):
    """Each is an event; a move without a kind is none."""
    project = opened(workspace)
    commit(
        project,
        lambda session: deviate(session, None, OFF_TOPIC, "Rate limit", NOW),
        lambda session: deviate(session, None, OFF_TOPIC, "Quota", NOW),
        lambda session: Move({"task": session["deviations"][1]["reason"]}),
    )
    assert (project.session["task"], project.session["revision"]) == ("Quota", 1)
    assert [item["id"] for item in project.session["deviations"]] == ["DV-001", "DV-002"]
    assert [event["kind"] for event in logged(workspace.shared)] == ["work.deviated"] * 2


def test_of_a_refused_commit_nothing_is_there(workspace):
    """Not even of the moves before."""
    with pytest.raises(LimpetError):
        commit(
            opened(workspace),
            lambda session: deviate(session, None, OFF_TOPIC, "Rate limit", NOW),
            lambda session: resolve_deviation(session, None, NOW, "DV-009"),
        )
    assert (read_project(workspace)[0], logged(workspace.shared)) == ({}, [])


def test_a_log_that_cannot_be_written_does_not_undo_the_move(workspace):
    """The session is the truth."""
    write(private_path(workspace, "events"), "")
    commit(opened(workspace), lambda session: deviate(session, None, OFF_TOPIC, "Rate limit", NOW))
    assert read_project(workspace)[0]["deviations"][0]["reason"] == "Rate limit"


def test_decisions_count_on_what_others_wrote_meanwhile(workspace):
    """The project is what was found under the lock, not what was read before."""
    project = opened(workspace)
    assert project.workflow is None
    update_project(workspace, {"workflow": "greenfield"})
    seen = []
    commit(project, lambda session: seen.append(project.workflow.name) or Move({"task": "Go"}))
    assert seen == ["greenfield"]


def test_settings_are_read_once_until_something_is_written(workspace, monkeypatch):
    """However often they are asked for."""
    read = []
    layers = settings.read_layers
    monkeypatch.setattr(settings, "read_layers", lambda *given: read.append(given) or layers(*given))
    project = opened(workspace)
    assert project.limits == Limits(gate=95.0, loops=3) and project.settings and project.mistakes == []
    assert len(read) == 1
    write(workspace.path("config.yaml"), "work: {loops: 5}\n")
    refresh(project)
    assert project.settings["work"]["loops"] == project.limits.loops == 5


def test_the_actor_has_the_callers_name_moment_and_conversation(workspace):
    """A door with a name is on record by it."""
    actor = opened(workspace, DEV).actor
    assert (actor.writer, actor.now, actor.session) == ("agent:dev", NOW, "talk")
    assert actor.retention == DEFAULTS["retention"]
    assert opened(workspace, PERSON.replace(by="limpet work exit")).actor.writer == "limpet work exit"


def test_who_calls_is_asked_only_when_it_counts(workspace):
    """A project whose session cannot be read still opens."""
    asked = []
    project = Project(workspace, lambda project: asked.append(project) or PERSON)
    assert project.session == {} and asked == []
    assert project.caller == project.caller == PERSON and asked == [project]


def test_what_was_typed_loses_the_projects_secrets(workspace):
    """Those of its ``.env`` files."""
    write(f"{workspace.root}/.env", "API_TOKEN=plainly-a-secret-9Z\n")
    assert clean(opened(workspace), "use plainly-a-secret-9Z") == "use [redacted:known-secret]"
