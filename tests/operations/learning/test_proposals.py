"""What candidates, answers and words that are heard again come to, until a rule is proposed."""

import os

import pytest

from limpet.ground.clock import iso
from limpet.memory.candidates import Candidate, Moment, save
from limpet.operations.learning.decisions import read_decisions, rule_of
from limpet.operations.learning.proposals import list_proposals
from limpet.operations.memory.write import write_answers

from ...memories import Memories
from ..callers import DEV, NOW, PERSON, opened

DAY = 86_400
LONG = (
    "Never mock the database, since what passes with a mock fails in production: "
    + "use the container, " * 3
    + "always."
)


def heard(number, session, again=()):
    """Words of a person's that say it, in this conversation and in those."""
    moments = tuple(Moment(NOW - DAY + place, each, f"{each}-{number}") for place, each in enumerate(again))
    quote = f"no mocks of the database, for the {number}. time"
    return Candidate(id=f"heard{number}", at=NOW - 2 * DAY + number, session=session, quote=quote, again=moments)


@pytest.fixture
def proposed(workspace):
    """What is proposed to the person: sentence, confidence and evidence of each."""

    def find():
        found = list_proposals(opened(workspace, PERSON))
        return [(one.sentence, one.confidence, one.evidence) for one in found if one.kind == "rule"]

    return find


def answer(workspace, candidate, text):
    save(workspace.shared, [candidate])
    (done,) = write_answers(opened(workspace, DEV), [f"{candidate.id}: {text}"])
    assert not done.problem
    return done.id


def test_what_was_written_at_once_needs_four_repetitions(workspace, proposed):
    """0.8 and 4 x 0.05, in the agent's answers."""
    memories = Memories(workspace)
    key = answer(workspace, heard(0, "a"), f"user_correction: {LONG}")
    for number, session in enumerate(("b", "c", "d"), 1):
        answer(workspace, heard(number, session), f"repeats {key}")
        assert proposed() == []
    answer(workspace, heard(4, "e"), f"repeats {key}")
    memories.tell_index()
    assert proposed() == [(LONG, 1.0, 5)]


def test_what_was_heard_several_times_before_it_was_written_counts_as_much(workspace, proposed):
    """As if it had been written the first time."""
    key = answer(workspace, heard(0, "a", ("b", "c", "d")), f"user_correction: {LONG}")
    (entry,) = Memories(workspace).entries()
    assert (entry.confidence, entry.evidence_count) == (0.95, 4)
    answer(workspace, heard(1, "e"), f"repeats {key}")
    assert proposed() == [(LONG, 1.0, 5)]


def test_what_ends_it_ends_the_proposal(workspace, proposed):
    """And what contradicts it last."""
    key = answer(workspace, heard(0, "a", ("b", "c", "d", "e")), f"user_correction: {LONG}")
    assert len(proposed()) == 1
    answer(workspace, heard(1, "f"), f"ends {key}")
    assert proposed() == []


def test_an_agent_is_shown_what_it_may_see(workspace, proposed):
    answer(workspace, heard(0, "a", ("b", "c", "d", "e")), f"user_correction: {LONG}")
    (one,) = list_proposals(opened(workspace, DEV))
    assert one.conversations[0] == "e" and one.refs[-1] == "a" and iso(NOW - 2 * DAY)[:10] in one.quotes[0]


@pytest.mark.parametrize(
    "text",
    [
        "decisions: 3\n",
        "decisions:\n  PR-001: approved\n",
        "decisions:\n  PR-001: {decided: approved, rule: 1, domain: [API], evidence: much}\n",
        "decisions:\n<<<<<<< ours\n  PR-001: {decided: approved}\n=======\n  PR-2: {decided: rejected}\n>>>>>>> x\n",
    ],
)
def test_what_somebody_made_of_the_decisions_is_read_as_far_as_it_goes(workspace, proposed, text):
    """Fields of another kind are words."""
    os.makedirs(workspace.path("knowledge"))
    with open(workspace.path("knowledge", "proposals.yml"), "w", encoding="utf-8") as file:
        file.write(text)
    assert proposed() == []
    assert all(isinstance(one.rule, str) for one in read_decisions(workspace).values())
    assert rule_of(workspace, "PR-001") in ("", " ", "['API'] 1")
