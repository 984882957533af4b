"""Consolidation: what observations make of the stores."""

from decimal import Decimal

from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from limpet.ground.config.defaults import DEFAULTS
from limpet.learning.consolidation import consolidate
from limpet.learning.model import (
    ACTIVE,
    ANTI_PATTERN,
    ARCHIVED,
    CHECK,
    CONTRADICT,
    DEVIATION,
    DISCOVERY,
    FINDING,
    KINDS,
    OBSERVATION,
    PRINCIPLE,
    PROCEDURE,
    REINFORCE,
    SUPERSEDED,
    WEAKEN,
    KnowledgeEntry,
    Observation,
)
from limpet.learning.stores import NO_STORES, read_entries, write_entries

from .histories import histories

LEARNING = DEFAULTS["learning"]
NOW = 1_795_262_400.0
SEEDED = {
    PRINCIPLE: (
        KnowledgeEntry(PRINCIPLE, "PR-001", "Validate the email in the service layer", start="0.76", confidence=0.76),
        KnowledgeEntry(
            PRINCIPLE, "PR-002", "Money is kept in cents", guidance=("Count in cents",), start="0.3", confidence=0.3
        ),
    ),
    ANTI_PATTERN: (KnowledgeEntry(ANTI_PATTERN, "AP-001", "Retries need a deadline", tags=("api",)),),
    PROCEDURE: (),
}


def learn(observations, stores=NO_STORES, **changed):
    return consolidate(stores, observations, {**LEARNING, **changed}, NOW)


def seen(number, text="Money is kept in cents", type=DISCOVERY, source="S-1", **fields):
    return Observation(source, f"OB-{number:03}", type, text, **{"importance": 8, "tags": ("money",), **fields})


def check(number, relationship, source="S-1", entry="PR-001", agent="developer"):
    named = {"principle_id": entry, "relationship": relationship, "agent": agent}
    return seen(number, "It held.", CHECK, source, **named)


def only(outcome, kind):
    (entry,) = outcome.stores[kind]
    return entry


@examples(max_examples=150)
@given(histories, st.sampled_from((NO_STORES, SEEDED)), st.sampled_from((200, 2)))
def test_twice_changes_nothing(history, stores, cap):
    """Nor does a look through the files, whatever was observed."""
    caps = dict.fromkeys(("max_principles", "max_anti_patterns", "max_procedures"), cap)
    first = learn(history, stores, **caps)
    written = {kind: write_entries(kind, "", first.stores[kind], kind) for kind in KINDS}
    again = learn(history, {kind: read_entries(kind, written[kind], kind)[0] for kind in KINDS}, **caps)
    assert again.changes == ()
    assert again.stores == first.stores
    assert all(sum(entry.status == ACTIVE for entry in first.stores[kind]) <= cap for kind in KINDS)


@examples(max_examples=150)
@given(histories, st.integers(0, 24))
def test_no_evidence_is_lost_or_counted_twice(history, place):
    """However the run is cut into two: all that was known stays, and no observation moves two entries."""
    before = learn(history[:place], SEEDED)
    after = learn(history, before.stores)
    for kind in KINDS:
        for old, new in zip(before.stores[kind], after.stores[kind], strict=False):
            assert new.id == old.id
            assert new.evidence[: len(old.evidence)] == old.evidence
            assert 0 <= new.confidence <= 1
    entries = [entry for kind in KINDS for entry in after.stores[kind] if entry.status != SUPERSEDED]
    refs = [(piece.source, piece.observation, piece.at) for entry in entries for piece in entry.evidence]
    assert len(refs) == len(set(refs))


def test_the_seeds_arithmetic():
    """0.6 + 0.08 + 0.08 + 0.08 - 0.20 = 0.64."""
    history = (seen(1), *(check(2, REINFORCE, f"S-{number}") for number in (2, 3, 4)), check(3, CONTRADICT, "S-4"))
    assert only(learn(history), PRINCIPLE).confidence == 0.64


def test_an_agent_confirms_an_entry_once_a_story():
    """What it says again is kept as evidence, and moves nothing; so it is with what it contradicts and weakens."""
    history = (seen(1, agent="architect"), check(2, REINFORCE), check(3, REINFORCE), check(4, REINFORCE, agent="qa"))
    outcome = learn(history)
    assert (only(outcome, PRINCIPLE).confidence, only(outcome, PRINCIPLE).source_count) == (0.76, 3)
    assert len(only(outcome, PRINCIPLE).evidence) == 4
    assert "confirmed again by S-1/OB-003 (developer)" in outcome.changes[0].what
    twice = learn((*history, check(5, CONTRADICT), check(6, CONTRADICT)))
    assert only(twice, PRINCIPLE).confidence == 0.56
    assert "contradicted again by S-1/OB-006 (developer)" in twice.changes[0].what
    others = (check(7, CONTRADICT, agent="qa"), check(8, WEAKEN), check(9, WEAKEN))
    assert only(learn((*history, check(5, CONTRADICT), *others)), PRINCIPLE).confidence == 0.28


def test_weak_observations_confirm_but_make_nothing():
    """An importance of 7 makes a principle; less may speak for one that is made later too."""
    assert learn((seen(1, importance=6),)).stores == NO_STORES
    outcome = learn((seen(1, importance=6, agent="a"), seen(1, source="S-2", agent="b")))
    assert only(outcome, PRINCIPLE).confidence == 0.68
    assert [piece.source for piece in only(outcome, PRINCIPLE).evidence] == ["S-2", "S-1"]


def test_failures_make_an_anti_pattern_within_three_sources():
    """Two of one pattern; what lies further back, and what was mended, does not count."""

    def failed(source, **fields):
        return seen(1, "Routes import repositories", FINDING, source, **fields)

    between = tuple(seen(1, f"Story {number} has nothing of it", source=f"S-{number}") for number in (2, 3, 4))
    near = learn((failed("S-1", severity="P2"), *between[:1], failed("S-3", severity="P1")))
    assert (only(near, ANTI_PATTERN).severity, only(near, ANTI_PATTERN).confidence) == ("P1", 0.6)
    assert len(only(near, ANTI_PATTERN).evidence) == 2
    assert not learn((failed("S-1"), *between[:2], failed("S-4"))).stores[ANTI_PATTERN]
    assert not learn((failed("S-1"), failed("S-2", resolved=True))).stores[ANTI_PATTERN]
    one = learn((failed("S-1"), failed("S-1").replace(id="OB-002")))
    assert only(one, ANTI_PATTERN).source_count == 2
    worse = learn((failed("S-1"), failed("S-2", severity="P2"), failed("S-3", severity="P0")))
    assert (only(worse, ANTI_PATTERN).severity, only(worse, ANTI_PATTERN).confidence) == ("P0", 0.68)
    late = learn((failed("S-1"), *between, failed("S-5"), failed("S-6")))
    assert [piece.source for piece in only(late, ANTI_PATTERN).evidence] == ["S-5", "S-6", "S-1"]


def test_a_failure_makes_one_anti_pattern():
    """One that is like what it was made of, but not like its text, waits for another."""
    words = "the gate broke while north harbour cranes lifted seven heavy grey boxes ashore".split()[1:]
    middle, first, last = (" ".join(words[at : at + 8]) for at in (2, 0, 4))
    history = [
        seen(1, text, FINDING, f"S-{number}", tags=("cranes",), importance=5 + (number == 2))
        for number, text in enumerate((middle, first, last), 1)
    ]
    assert only(learn(history[:2]), ANTI_PATTERN).text == first
    assert len(only(learn((history[0], history[2])), ANTI_PATTERN).evidence) == 2
    assert [piece.source for piece in only(learn(history), ANTI_PATTERN).evidence] == ["S-1", "S-2"]


def test_a_procedure_takes_three_sources():
    """However far they are from each other."""

    def way(source, type=OBSERVATION):
        return seen(1, "Coverage is checked after each file", type, source, tags=("workflow",))

    assert not learn((way("S-1"), way("S-2"), way("S-2").replace(id="OB-002"))).stores[PROCEDURE]
    made = only(learn((way("S-1"), way("S-2", DEVIATION), way("S-3"))), PROCEDURE)
    assert (made.confidence, made.roles, len(made.evidence)) == (0.6, ("sdm",), 3)


def test_entries_with_the_same_guidance_become_one():
    """The surer one keeps its text and id, and is found under both."""
    said = ("Count in cents, never in floating point",)
    one = KnowledgeEntry(
        PRINCIPLE, "PR-001", "Money is kept in cents", guidance=said, confidence=0.7, start="0.7", source_count=2
    )
    other = KnowledgeEntry(
        PRINCIPLE, "PR-002", "No floats for prices", guidance=said, source_count=3, last_reinforced="2026-01-02"
    )
    outcome = learn((check(1, REINFORCE, entry="PR-002"),), {**NO_STORES, PRINCIPLE: (one, other)})
    kept, gone = outcome.stores[PRINCIPLE]
    assert (kept.status, kept.supersedes, kept.aliases, kept.source_count) == (ACTIVE, "PR-002", ("PR-002",), 6)
    assert (gone.status, gone.evidence, kept.confidence) == (SUPERSEDED, (), 0.78)


def test_what_lost_its_confidence_is_archived():
    """Strictly below 0.2, and what is beyond a cap: the least sure, then the older."""
    doubted = tuple(check(number, CONTRADICT, f"S-{number}") for number in (2, 3))
    assert only(learn((seen(1), *doubted)), PRINCIPLE).status == ACTIVE
    outcome = learn((seen(1), *doubted, check(4, "weaken", "S-4")))
    assert (only(outcome, PRINCIPLE).status, only(outcome, PRINCIPLE).confidence) == (ARCHIVED, 0.12)
    subjects = ("apples", "pears", "plums")
    many = [seen(number, f"All about {subjects[number]}", tags=(subjects[number],)) for number in range(3)]
    capped = learn((*many, check(9, REINFORCE, entry="PR-001")), max_principles=2)
    assert [entry.status for entry in capped.stores[PRINCIPLE]] == [ACTIVE, ARCHIVED, ACTIVE]


def test_confidence_follows_from_the_evidence():
    """Where a file says something else, it is put right, and said."""
    made = only(learn((seen(1),)), PRINCIPLE).replace(confidence=0.99)
    outcome = learn((), {**NO_STORES, PRINCIPLE: (made,)})
    assert only(outcome, PRINCIPLE).confidence == float(Decimal("0.6"))
    assert [each.what for each in outcome.changes] == ["recomputed from its evidence"]
