"""By how many letters of its id a block names a memory."""

import os
import time

import pytest

from limpet.engine.block.recall import recall
from limpet.engine.explain.mistakes import draft_event
from limpet.ground.clock import Clock
from limpet.ground.config.defaults import DEFAULTS
from limpet.memory.index.sync import refresh_index
from limpet.memory.model.layout import personal_home

from ...conversation import write

STILL = Clock(timer=lambda: 0.0)
REQUEST = "Draw a chart of the endpoint latency"


def put(home, end, title, state=""):
    """An entry whose id ends so, in the project's place or in the person's own."""
    key = f"mem-2026-11-01-{end}"
    about = f"id: {key}\ntype: decision\ncreated_at: 2026-11-01T10:00:00Z\nsource: person"
    path = os.path.join(home, "memories", state, "shared", "durable", f"{key}.md")
    write(path, f"---\n{about}\n---\n\n# {title}\n")
    refresh_index(home, DEFAULTS["memory"], time.time())


def names(workspace):
    """What the list calls its entries."""
    found = recall(draft_event(workspace, REQUEST, clock=STILL), "FRESH", "agent", False)
    return sorted(line.split()[0] for _, line in found.contents)


def test_four_letters_do_where_no_other_has_them(workspace):
    put(workspace.shared, "k7q2m9xa", "The endpoint is versioned")
    put(workspace.shared, "a1b2c3d4", "The endpoint is limited")
    assert names(workspace) == ["a1b2", "k7q2"]


def test_more_stand_where_another_begins_the_same(workspace):
    put(workspace.shared, "k7q2m9xa", "The endpoint is versioned")
    put(workspace.shared, "k7q2m1xa", "The endpoint is limited")
    assert names(workspace) == ["k7q2m1", "k7q2m9"]


@pytest.mark.parametrize("state", ["archive", "forgotten"])
def test_what_was_put_away_counts_too(workspace, state):
    """A person may open it by the same letters."""
    put(workspace.shared, "k7q2m9xa", "The endpoint is versioned")
    put(workspace.shared, "a1b2c3d4", "The endpoint is limited")
    put(workspace.shared, "k7q2m1xa", "Elsewhere", state)
    assert names(workspace) == ["a1b2", "k7q2m9"]


def test_the_persons_own_count_too(workspace):
    put(workspace.shared, "k7q2m9xa", "The endpoint is versioned")
    put(workspace.shared, "a1b2c3d4", "The endpoint is limited")
    put(personal_home(), "k7q2zzzz", "Mail is short")
    assert "k7q2m" in names(workspace)


def test_the_commands_know_it_by_that_name(workspace, run):
    """``memory show``, as the block says it."""
    put(workspace.shared, "k7q2m9xa", "The endpoint is versioned")
    put(workspace.shared, "k7q2m1xa", "The endpoint is limited")
    done = run("memory", "show", "k7q2m9")
    assert (done.returncode, "The endpoint is versioned" in done.stdout) == (0, True)
    assert run("memory", "show", "k7q2").returncode != 0
