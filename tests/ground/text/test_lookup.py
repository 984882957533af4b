"""Names that people type: prefixes and typing mistakes."""

import pytest

from limpet.ground.errors import LimpetError
from limpet.ground.text.lookup import did_you_mean, resolve_name

STORIES = ("S-1", "S-10", "S-12", "T-7")


def unknown():
    """The caller's own error."""
    return LimpetError("no such story")


@pytest.mark.parametrize(("typed", "meant"), [("S-1", "S-1"), ("s-12", "S-12"), ("t", "T-7"), ("T-", "T-7")])
def test_a_name_is_meant_by_itself_or_by_a_prefix_of_it_alone(typed, meant):
    """A whole name wins over longer ones, in any case."""
    assert resolve_name(typed, STORIES, unknown) == meant


def test_an_ambiguous_prefix_names_the_candidates():
    """All of them while they are few."""
    with pytest.raises(LimpetError, match="s- is ambiguous: S-1, S-10, S-12"):
        resolve_name("s-", STORIES, unknown)


@pytest.mark.parametrize("typed", ["X", "", "S-2"])
def test_what_nothing_begins_with_is_the_callers_error(typed):
    """An empty name is a prefix of nothing."""
    with pytest.raises(LimpetError, match="no such story"):
        resolve_name(typed, STORIES, unknown)


@pytest.mark.parametrize(("typed", "said"), [("S-13", "Did you mean S-12?"), ("bananas", "")])
def test_one_similar_name_is_suggested(typed, said):
    """Or none."""
    assert did_you_mean(typed, STORIES[2:]) == said
