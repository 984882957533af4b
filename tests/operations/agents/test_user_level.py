"""The user's level: signals of typed messages, and what the project's session keeps of them; a person's word stays."""

import os

import pytest

from limpet.ground.message import Message
from limpet.operations.agents.user_level import (
    AUTO,
    UNDECIDED,
    LevelJudgement,
    judge_level,
    note_level,
    set_level,
    signal,
)
from limpet.work.in_force import POWER_USER, VIBECODER
from limpet.work.project import read_project

from ...conversation import write
from ...places import private_path
from ...project_session import update_project
from ..callers import opened

TECHNICAL = "Refactor src/api/users.py so that `load_user` takes a connection, then run pytest -x"
PLAIN_WORDS = "can you make it work? I don't know what a server is"
EXPERT = [Message("user", TECHNICAL)] * 6
LAY = [Message("user", PLAIN_WORDS)] * 12


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
    write(private_path(workspace, "session.yaml"), "user_level: [\n")
    note_level(workspace, EXPERT)
    with open(private_path(workspace, "session.yaml"), encoding="utf-8") as file:
        assert file.read() == "user_level: [\n"


@pytest.mark.parametrize(
    ("message", "speaks_of_power"),
    [
        (TECHNICAL, True),
        ("git rebase main", True),
        ("fix the race condition in parse_line() please now", True),
        (PLAIN_WORDS, False),
        ("o que é um endpoint? não entendo isso", False),
        ("quiero una página más bonita", False),
        ("c'est quoi ce message d'erreur ?", False),
    ],
)
def test_files_symbols_and_commands_speak_of_a_power_user_and_questions_of_basics_do_not(message, speaks_of_power):
    """In each of the four languages."""
    assert (signal(message) > 0, signal(message) < 0) == (speaks_of_power, not speaks_of_power)


@pytest.mark.parametrize("message", ["yes", "ok, go on", "thanks, that looks good to me"])
def test_small_talk_says_nothing(message):
    """It changes no judgement."""
    assert signal(message) == 0
    before = LevelJudgement(POWER_USER, 0.5)
    assert judge_level([message], before) == before


def test_confidence_grows_with_the_signals():
    """From none: one message decides nothing, a dozen of them do; somebody else at the keyboard is judged anew."""
    assert judge_level([]) == UNDECIDED == LevelJudgement(AUTO, 0.0)
    one, many = judge_level([TECHNICAL]), judge_level([TECHNICAL] * 6)
    assert one.level == many.level == POWER_USER
    assert one.confidence < many.confidence == 1.0
    assert judge_level([PLAIN_WORDS] * 12, LevelJudgement(POWER_USER, 0.6)).level == VIBECODER
