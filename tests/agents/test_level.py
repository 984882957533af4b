"""The user's level: signals of typed messages, and when a judgement is acted on."""

import pytest

from limpet.agents.level import AUTO, UNDECIDED, LevelJudgement, judge_level, signal
from limpet.work.in_force import POWER_USER, VIBECODER

EXPERT = "Refactor src/api/users.py so that `load_user` takes a connection, then run pytest -x"
LAY = "can you make it work? I don't know what a server is"


@pytest.mark.parametrize("message", [EXPERT, "git rebase main", "fix the race condition in parse_line() please now"])
def test_files_symbols_and_commands_speak_of_a_power_user(message):
    """Each of them is a signal."""
    assert signal(message) > 0


@pytest.mark.parametrize(
    "message",
    [LAY, "o que é um endpoint? não entendo isso", "quiero una página más bonita", "c'est quoi ce message d'erreur ?"],
)
def test_questions_of_basics_and_wishes_speak_of_a_vibecoder(message):
    """In each of the four languages."""
    assert signal(message) < 0


@pytest.mark.parametrize("message", ["yes", "ok, go on", "thanks, that looks good to me"])
def test_small_talk_says_nothing(message):
    """It changes no judgement."""
    assert signal(message) == 0
    before = LevelJudgement(POWER_USER, 0.5)
    assert judge_level([message], before) == before


def test_confidence_grows_with_the_signals():
    """One message decides nothing, a dozen of them do."""
    one, many = judge_level([EXPERT]), judge_level([EXPERT] * 6)
    assert one.level == many.level == POWER_USER
    assert one.confidence < many.confidence == 1.0


def test_a_judgement_can_turn():
    """Somebody else at the keyboard is judged by what they say."""
    assert judge_level([LAY] * 12, LevelJudgement(POWER_USER, 0.6)).level == VIBECODER


def test_nothing_is_thought_of_somebody_who_said_nothing():
    """The level stays auto."""
    assert judge_level([]) == UNDECIDED == LevelJudgement(AUTO, 0.0)
