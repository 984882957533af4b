"""Consolidation of a project: interrupted, explained, and told to the audit log."""

import os
import sys
from functools import partial
from pathlib import Path

import pytest

from limpet.ground.errors import LimpetError
from limpet.learning.model import (
    ANTI_PATTERN,
    CHECK,
    DISCOVERY,
    FINDING,
    OBSERVATION,
    PRINCIPLE,
    PROCEDURE,
    Observation,
)
from limpet.learning.store import read_stores, write_observation
from limpet.operations.learning.consolidate import consolidate_project, explain_entry, undo_run

from ...forking import can_fork, run_forked
from ..callers import events, opened

INTERRUPTION = Path(__file__).parents[3] / "bench" / "interruption.py"


def add(workspace, source, type, text, **fields):
    day = 10 + int(source[-1])
    told = {"importance": 8, "tags": ("money",), "at": f"2026-11-{day}T10:00:00Z", **fields}
    return write_observation(workspace, Observation(source, "", type, text, **told), 30)


def check(workspace, source, relationship):
    add(workspace, source, CHECK, f"Said to {relationship}", principle_id="PR-001", relationship=relationship)


@pytest.fixture
def observed(workspace):
    """Observations that make an entry of each kind, and confirm one."""
    for source in ("S-1", "S-2", "S-3"):
        add(workspace, source, OBSERVATION, "Prices are reviewed before the release", tags=("workflow",))
        add(workspace, source, FINDING, "A price was kept as a float")
    add(workspace, "S-1", DISCOVERY, "Money is kept in cents")
    check(workspace, "S-2", "reinforce")
    return workspace


def files(workspace):
    folder = Path(workspace.path("knowledge"))
    return {path.name: path.read_bytes() for path in folder.glob("*.yml")}


def test_each_kind_is_learned_and_told_to_the_audit_log(observed):
    """Once: nothing is written the second time."""
    outcome = consolidate_project(opened(observed))
    assert [(each.id, each.after) for each in outcome.changes] == [("PR-001", 0.68), ("AP-001", 0.68), ("PC-001", 0.6)]
    known = files(observed)
    assert consolidate_project(opened(observed)).changes == ()
    assert files(observed) == known
    assert [kind for kind, _ in events(observed)] == ["learning.consolidated"]


@pytest.mark.skipif(not can_fork(), reason="forks")
def test_killed_at_any_write_it_is_completed_once(observed, tmp_path):
    """The next run leaves what an undisturbed one does, says what both did, and is undone as one."""
    wanted = consolidate_project(opened(observed)).changes
    undisturbed = files(observed)
    undo_run(opened(observed))
    killed = 0
    while run_forked(partial(interrupted, f"kill:{killed + 1}", tmp_path), observed.root).returncode:
        killed += 1
        outcome = consolidate_project(opened(observed))
        assert files(observed) == undisturbed, killed
        assert outcome.changes in (wanted, ()), killed
        assert undo_run(opened(observed)) == wanted
        assert files(observed) == {}
    assert killed > 15


def interrupted(at, tmp_path):
    """Consolidate from the command line, killed at a write."""
    told = {"INTERRUPT_AT": at, "INTERRUPT_IN": str(tmp_path.parent), "INTERRUPT_LOG": str(tmp_path / "log")}
    os.environ.update(told)
    exec(compile(INTERRUPTION.read_text(encoding="utf-8"), "interruption", "exec"), {})
    from limpet.__main__ import main

    sys.argv = ["limpet", "learn", "consolidate"]
    main()


def test_an_entry_is_contested_after_two_contradictions(observed):
    """Of different stories; its steps say what was observed, also where it did not count."""
    check(observed, "S-2", "contradict")
    check(observed, "S-2", "reinforce")
    consolidate_project(opened(observed))
    assert not explain_entry(opened(observed), "PR-001").is_contested
    check(observed, "S-3", "contradict")
    consolidate_project(opened(observed))
    found = explain_entry(opened(observed), "pr-001")
    assert found.is_contested
    assert [(step.after, step.text) for step in found.steps] == [
        (0.6, "Money is kept in cents"),
        (0.68, "Said to reinforce"),
        (0.48, "Said to contradict"),
        (None, "Said to reinforce"),
        (0.28, "Said to contradict"),
    ]


def test_what_cannot_be_read_any_more_is_explained_without_its_text(observed):
    """A conversation's observations are not in git: others have the entry alone."""
    consolidate_project(opened(observed))
    for source in ("S-1", "S-2", "S-3"):
        Path(observed.path("stories", source, "observations.yml")).unlink()
    assert [step.text for step in explain_entry(opened(observed), "PR-001").steps] == ["", ""]
    with pytest.raises(LimpetError, match="No entry with this ID: PR-002"):
        explain_entry(opened(observed), "PR-002")


def test_mistakes_are_told_and_cost_what_they_are_in(observed):
    """The rest is learned."""
    path = Path(observed.path("stories", "S-1", "observations.yml"))
    path.write_text(path.read_text(encoding="utf-8").replace("importance: 8", "importance: 80", 1), encoding="utf-8")
    outcome = consolidate_project(opened(observed))
    assert outcome.mistakes == (".limpet/stories/S-1/observations.yml:3: importance must be at most 10 (got 80)",)
    stores = read_stores(observed)[0]
    assert [len(stores[kind]) for kind in (PRINCIPLE, ANTI_PATTERN, PROCEDURE)] == [1, 1, 0]
