"""How evidence moves confidence."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.config.defaults import DEFAULTS
from limpet.learning.model import (
    CONTRADICT,
    EFFECTS,
    REINFORCE,
    KnowledgeEvidence,
    confidence_of,
    is_contested,
    supporting,
    trace,
)

LEARNING = DEFAULTS["learning"]

pieces = st.builds(
    KnowledgeEvidence,
    source=st.sampled_from(("S-1", "S-2", "S-10", "conversation:abc")),
    observation=st.integers(1, 12).map(lambda number: f"OB-{number:03}"),
    effect=st.sampled_from(EFFECTS),
    agent=st.sampled_from(("developer", "sw-quality", "")),
    at=st.sampled_from(("", "2026-11-26T10:00:00Z", "2026-11-27T10:00:00Z")),
)
histories = st.lists(pieces, max_size=40)
starts = st.integers(0, 10_000).map(lambda number: str(Decimal(number) / 10_000))


def piece(number, effect=REINFORCE, source="S-1", agent="developer"):
    return KnowledgeEvidence(source, f"OB-{number:03}", effect, agent, at=f"2026-11-26T10:{number:02}:00Z")


@given(starts, histories, st.randoms(use_true_random=False))
def test_the_order_of_merges_does_not_matter(start, history, random):
    """Nor does a piece that came by two ways; and it stays between 0 and 1, to 4 places."""
    other = [*history, *history[: len(history) // 2]]
    random.shuffle(other)
    found = confidence_of(start, history, LEARNING)
    assert found == confidence_of(start, other, LEARNING)
    assert 0 <= found <= 1 and found == round(found, 4)
    assert supporting(history) == supporting(other)


def test_decimals_do_not_drift():
    """The figures that binary fractions miss."""
    reinforced = [piece(1), piece(2, agent="sw-quality")]
    assert confidence_of("0.84", reinforced, LEARNING) == 1
    contradicted = [piece(1, CONTRADICT), piece(2, CONTRADICT, "S-2")]
    assert confidence_of("0.6", contradicted, LEARNING) == Decimal("0.2")
    assert [after for _, after in trace("0.76", reinforced, LEARNING)] == [Decimal("0.84"), Decimal("0.92")]


def test_an_agent_counts_once_in_each_source():
    """A second time is passed over, also where two branches each had one; two that contradict contest."""
    assert confidence_of("0.6", [piece(1), piece(2)], LEARNING) == Decimal("0.68")
    assert [after for _, after in trace("0.6", [piece(1), piece(2)], LEARNING)] == [Decimal("0.68"), None]
    assert confidence_of("0.6", [piece(1), piece(2, source="S-2")], LEARNING) == Decimal("0.76")
    assert [after for _, after in trace("0.6", [piece(1, CONTRADICT), piece(2, CONTRADICT)], LEARNING)][1] is None
    assert is_contested([piece(1, CONTRADICT), piece(2, CONTRADICT, "S-2")])
    assert not is_contested([piece(1, CONTRADICT), piece(2, CONTRADICT), piece(3, source="S-2")])
