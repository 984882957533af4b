"""What comes next: one command for each turn of the work."""

import pytest

from limpet.work.pipeline.briefing import Next, next_command
from limpet.work.pipeline.deviation import deviate
from limpet.work.pipeline.gate import Facts
from limpet.work.pipeline.moves import back

from .pipelines import GREENFIELD, LIMITS, NOW, after, session_at

FINISH = "limpet work finish -"
OPEN = Next(words="S-1, task 2 of 3: Write it", command="limpet work story done --tasks")


def following(session, **given):
    found = next_command(session, GREENFIELD if session.get("workflow") else None, LIMITS, **given)
    return found.words, found.command


@pytest.mark.parametrize(
    ("session", "words"),
    [
        (session_at("brief"), "write specs/greenfield-aaaa/brief.md (4 criteria), then"),
        (session_at("brief", score=97), "write specs/greenfield-aaaa/brief.md (4 criteria), then"),
        (session_at("tasks"), "write into .limpet/stories/ (5 criteria), then"),
        (session_at("dev"), "do the work of dev (4 criteria), then"),
    ],
)
def test_a_step_in_progress_is_finished(session, words):
    """The work is named first, then the command that ends it."""
    assert following(session) == (words, FINISH)


def test_no_work_has_nothing_next():
    """At the beginning; behind the last gate the way out is."""
    done = {**session_at("devops")["agents"], "devops": {"status": "completed", "score": 97}}
    assert next_command({**session_at("devops"), "agents": done}, GREENFIELD, LIMITS).command == "limpet work stop"
    assert following({}) == ("", "")


def test_what_keeps_the_gate_shut_is_said_as_far_as_it_is_known():
    """Beside that the step is not finished, which the command says."""
    found = next_command(session_at("dev"), GREENFIELD, LIMITS, Facts(checks={"tests": "pytest"}))
    assert found.words == "do the work of dev (4 criteria); check tests has not run, then"


def test_a_story_in_hand_comes_first_and_between_stories_the_next_one_is_taken():
    """In the step that builds, and without a workflow; a task alone ends by being cleared."""
    for session in (session_at("dev"), {}):
        assert following(session, story=OPEN) == (OPEN.words, OPEN.command)
    assert following(session_at("dev"), has_open_stories=True)[1] == "limpet work story start"
    assert following(session_at("brief"), story=OPEN)[1] == FINISH
    assert following(session_at("brief"), has_open_stories=True)[1] == FINISH
    assert following(session_at("dev"))[1] == FINISH
    assert following({"task": "Mend it"}) == ("once the task is done", "limpet work set --clear task")


def test_a_step_come_back_to_says_why():
    """In the person's words, until the step is left."""
    session = session_at("dev")
    session = after(session, back(session, GREENFIELD, NOW, LIMITS, issue="spec", reason="FR-3 contradicts FR-9"))
    words = "mend what came back (FR-3 contradicts FR-9); write specs/greenfield-aaaa/prd.md (5 criteria), then"
    assert following(session) == (words, FINISH)
    session["agents"]["detail"] = {"status": "completed", "score": 97}
    assert following(session) == ("write specs/greenfield-aaaa/architecture.md (4 criteria), then", FINISH)


def test_without_rounds_of_correction_the_user_is_asked():
    """The command stays: what is done may pass."""
    session = session_at("ux")
    session["agents"]["ux"]["escalated"] = True
    assert following(session) == ("ux has used its rounds of correction: ask the user how to go on", FINISH)


def test_an_interruption_comes_before_all_else():
    """A story in hand included; its words are shortened."""
    session = session_at("dev")
    session = after(session, deviate(session, GREENFIELD, "scope_change", "export as CSV too " * 9, NOW))
    found = next_command(session, GREENFIELD, LIMITS, story=OPEN)
    assert found.words.startswith("DV-001 scope_change (export as CSV too") and len(found.words) < 150
    assert (found.command, found.interrupts) == ("limpet work deviate --resolve", True)
