"""Entries that name code which is gone from the branch are stale."""

import os

import pytest

from ...conversation import write
from ...memories import Memories

NAMED = "The totals are rounded by round_half_up, not by the database"


@pytest.fixture
def entry(workspace, run):
    """A memory that names a function, from before a scan."""
    write(os.path.join(workspace.root, "totals.py"), "def round_half_up(amount):\n    return amount\n")
    run("registry", "scan")
    memories = Memories(workspace)
    memories.add(NAMED, days_ago=2)
    memories.add("Invoices are numbered by year", days_ago=2)

    def stale():
        memories.tell_index()
        return [card.title for card in memories.cards() if card.stale]

    return stale


def test_a_memory_is_stale_as_long_as_what_it_names_is_gone(entry, workspace, run):
    """On a branch that has it again it is not."""
    before = entry()
    write(os.path.join(workspace.root, "totals.py"), "def round_to_even(amount):\n    return amount\n")
    run("registry", "scan")
    gone = entry()
    write(os.path.join(workspace.root, "totals.py"), "def round_half_up(amount):\n    return amount\n")
    run("registry", "scan")
    assert (before, gone, entry()) == ([], [NAMED], [])
