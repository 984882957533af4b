"""The agents' preferred sectors: whole, and of the vocabulary."""

import pytest

from limpet.memory.model.attention import best_relevance, preferred_sectors, sector_relevance
from limpet.memory.model.entry import SECTORS
from limpet.roles.roster import AGENTS


def test_every_agent_but_the_orchestrator_has_its_sectors():
    assert set(preferred_sectors()) == set(AGENTS) - {"orchestrator"}


def test_each_agent_prefers_two_different_sectors():
    for preferred in preferred_sectors().values():
        assert list(preferred) == ["primary", "secondary"]
        assert len(set(preferred.values()) & set(SECTORS)) == 2


@pytest.mark.parametrize(
    ("agent", "primary", "secondary"),
    [
        ("greenfield-wu", "semantic", "episodic"),
        ("brownfield-wu", "semantic", "episodic"),
        ("brief", "episodic", "semantic"),
        ("detail", "semantic", "episodic"),
        ("architect", "semantic", "reflective"),
        ("ux", "reflective", "procedural"),
        ("phases", "procedural", "semantic"),
        ("tasks", "procedural", "semantic"),
        ("qa-planning", "reflective", "episodic"),
        ("dev", "procedural", "semantic"),
        ("qa-implementation", "reflective", "episodic"),
        ("devops", "procedural", "episodic"),
    ],
)
def test_relevance_is_highest_in_the_primary_sector_of_the_seeds_table(agent, primary, secondary):
    figures = {sector: sector_relevance(sector, agent) for sector in SECTORS}
    others = set(SECTORS) - {primary, secondary}
    assert figures == {primary: 1.0, secondary: 0.9, **dict.fromkeys(others, 0.75)}


@pytest.mark.parametrize("agent", ["", "orchestrator", "an-agent-of-the-project"])
def test_every_sector_is_relevant_where_nobody_prefers_one(agent):
    assert [sector_relevance(sector, agent) for sector in SECTORS] == [1.0] * 4


def test_what_is_shared_meets_somebody_who_wants_it_and_what_is_private_only_its_owner():
    assert best_relevance("reflective", "shared") == 1.0
    assert best_relevance("reflective", "dev") == 0.75
    assert best_relevance("semantic", "dev") == 0.9
