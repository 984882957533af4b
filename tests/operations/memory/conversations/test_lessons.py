"""Candidates written into memories."""

import pytest

from holdfast.memory.capture.candidate import Candidate
from holdfast.memory.gotchas.gotchas import signature_tag
from holdfast.memory.gotchas.signatures import normalise_error
from holdfast.memory.model.access import PERSON as A_PERSON
from holdfast.memory.model.card import Query
from holdfast.operations.memory.conversations.lessons import CONFLICT, keep_lessons
from holdfast.operations.memory.library import open_library
from holdfast.operations.memory.remember import remember

from ...callers import DEV, NOW, PERSON

CAPTURE = PERSON.replace(by="capture:one")


def decision(title, at=NOW, kind="decision"):
    return Candidate(type=kind, title=title, body=title, confidence=0.9, at=at, seen=(at,))


@pytest.fixture
def library(workspace):
    """The library as a capture opens it."""
    return open_library(workspace, CAPTURE)


def test_a_new_candidate_is_added_and_a_known_one_strengthened(library):
    """The same decision, taken again an hour later, is one memory with two pieces of evidence."""
    assert keep_lessons(library, [decision("Use PostgreSQL for the job queue")], "") == {"added": 1}
    again = decision("Use PostgreSQL for the job queue", NOW + 3600)
    assert keep_lessons(library, [again], "") == {"strengthened": 1}
    card = library.list(Query()).cards[0]
    assert library.show(card.id, count=False).entry.evidence_count == 2


def test_a_contradiction_supersedes_what_was_captured(library):
    """The later decision holds."""
    keep_lessons(library, [decision("Use JWT for auth")], "")
    assert keep_lessons(library, [decision("Use sessions for auth", NOW + 60)], "") == {"superseded": 1}
    assert [card.title for card in library.list(Query()).cards] == ["Use sessions for auth"]


def test_a_persons_memory_is_not_superseded(workspace, library):
    """The candidate is added beside it, marked as a conflict."""
    remember(workspace, PERSON, {"type": "decision"}, "Use JWT for auth")
    assert keep_lessons(library, [decision("Use sessions for auth")], "") == {"added": 1}
    cards = {card.title: card for card in library.list(Query()).cards}
    assert set(cards) == {"Use JWT for auth", "Use sessions for auth"}
    assert CONFLICT in cards["Use sessions for auth"].tags


def test_what_an_agent_concluded_is_its_own_until_it_is_validated(workspace):
    """A stated decision is shared at once, a resolution stays with the agent (decision 22)."""
    library = open_library(workspace, DEV)
    found = [decision("Use PostgreSQL for the job queue"), decision("Pin the driver to 3.2", kind="resolution")]
    keep_lessons(library, found, "dev")
    owners = {card.title: card.owner for card in open_library(workspace, PERSON).list(Query()).cards}
    assert library.reader != A_PERSON
    assert owners == {"Use PostgreSQL for the job queue": "shared", "Pin the driver to 3.2": "dev"}


ERROR = "OperationalError: no such table: jobs"
MEND = Candidate(
    type="resolution",
    title=f"{ERROR} - The fixture creates the table now",
    body="The fixture creates the table now.",
    confidence=0.6,
    at=NOW + 60,
    seen=(NOW + 60,),
    signature=normalise_error(ERROR),
    mend="The fixture creates the table now.",
)


def test_a_mend_takes_the_place_of_the_error_that_was_captured_before(library):
    """One event is one memory, though a compaction came in between."""
    keep_lessons(library, [decision(ERROR, kind="error_pattern")], "")
    assert keep_lessons(library, [MEND], "") == {"superseded": 1}
    assert [card.title for card in library.list(Query()).cards] == [MEND.title]


def test_a_gotcha_keeps_what_mended_it(library):
    """As its workaround, once; there is no second memory of it."""
    tags = (signature_tag(normalise_error(ERROR)),)
    gotcha = library.add({"type": "gotcha", "title": ERROR, "tags": tags, "storage": "daily"}, "shared").entry.id
    other = MEND.replace(mend="Something else.")
    assert keep_lessons(library, [MEND], "") == keep_lessons(library, [other], "") == {"known": 1}
    entry = library.show(gotcha, count=False).entry
    assert (entry.workaround, entry.resolved) == (MEND.mend, True)
    assert len(library.list(Query()).cards) == 1


def test_an_error_that_is_a_gotcha_already_is_no_second_memory(library):
    """However its line begins: the signature tells."""
    tags = (signature_tag(normalise_error(ERROR)),)
    library.add({"type": "gotcha", "title": "Seen again and again", "tags": tags, "storage": "daily"}, "shared")
    error = decision(ERROR, kind="error_pattern").replace(signature=normalise_error(ERROR))
    assert keep_lessons(library, [error], "") == {"known": 1}
    assert len(library.list(Query()).cards) == 1
