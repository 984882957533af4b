"""Drafts: known by their names, and left over once nobody has written to them for an hour."""

import pytest

from holdfast.ground.storage import drafts

NOW = 2_000_000_000.0


@pytest.mark.parametrize(("name", "is_ours"), [("holdfast-1-2.tmp", True), ("a.tmp", False), ("holdfast-1.md", False)])
def test_drafts_are_known_by_their_names(name, is_ours):
    assert drafts.is_draft(name) is is_ours
