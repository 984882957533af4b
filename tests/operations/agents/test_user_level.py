"""The user's level in the project's session: a person's word stays, a judgement moves with what is typed."""

import os

import pytest

from limpet.operations.agents.user_level import note_level, set_level
from limpet.transcripts.messages import Message
from limpet.work.project import read_project

from ...places import private_path
from ...project_session import update_project
from ..callers import opened

EXPERT = [Message("user", "Refactor src/api/users.py so that `load_user` takes a connection, then run pytest -x")] * 6
LAY = [Message("user", "can you make it work? I don't know what a server is")] * 12


@pytest.fixture
def session(workspace):
    """A project that keeps a session."""
    update_project(workspace, {"current_agent": "dev"})
    return lambda: {key: read_project(workspace)[0].get(key) for key in ("user_level", "user_level_confidence")}


def test_the_level_follows_what_is_typed(workspace, session):
    """With its confidence, and back again where somebody else speaks."""
    note_level(workspace, EXPERT)
    assert session() == {"user_level": "power_user", "user_level_confidence": 1.0}
    note_level(workspace, LAY)
    assert session()["user_level"] == "vibecoder"


def test_a_persons_word_stays(workspace, session):
    """Whatever is typed; ``auto`` takes it back."""
    set_level(opened(workspace), "vibecoder")
    note_level(workspace, EXPERT)
    assert session() == {"user_level": "vibecoder", "user_level_confidence": None}
    set_level(opened(workspace), "auto")
    note_level(workspace, EXPERT)
    assert session()["user_level"] == "power_user"


def test_what_the_model_and_tools_say_is_no_signal(workspace, session):
    """Only what a person typed is."""
    note_level(workspace, [one.replace(role=role) for one in EXPERT for role in ("assistant", "tool")])
    assert session() == {"user_level": None, "user_level_confidence": None}


def test_a_project_without_a_session_gets_none(workspace):
    """Nothing is begun by judging somebody."""
    note_level(workspace, EXPERT)
    assert not os.path.exists(private_path(workspace, "session.yaml"))


def test_a_session_that_cannot_be_read_is_left_alone(workspace):
    """A capture goes on without it."""
    with open(private_path(workspace, "session.yaml"), "w", encoding="utf-8") as file:
        file.write("user_level: [\n")
    note_level(workspace, EXPERT)
    with open(private_path(workspace, "session.yaml"), encoding="utf-8") as file:
        assert file.read() == "user_level: [\n"
