"""The files of learning on the disk."""

import os
import subprocess
from multiprocessing import get_context
from pathlib import Path

import pytest

from limpet.ground.errors import LimpetError
from limpet.learning.model import DISCOVERY, PRINCIPLE, KnowledgeEntry, Observation
from limpet.learning.store import Observations, change_stores, observations_of, read_stores, write_observation

from ..hook_host import POSIX

CONVERSATION = "conversation:abc-123"


def seen(source="S-1", text="Found it", at="2026-11-26T10:00:00Z"):
    return Observation(source, "", DISCOVERY, text, at=at)


def test_observations_of_a_story_are_in_git_and_those_of_a_conversation_are_not(workspace):
    """Each in its file, under a number of its own."""
    subprocess.run(["git", "init", "-q"], cwd=workspace.root, check=True)
    assert [write_observation(workspace, seen(source), 30).id for source in ("S-1", "S-1", CONVERSATION)] == [
        "OB-001",
        "OB-002",
        "OB-001",
    ]
    listed = subprocess.run(["git", "status", "-s", "-uall"], cwd=workspace.root, capture_output=True, text=True).stdout
    assert "stories/S-1/observations.yml" in listed and "abc-123" not in listed
    assert [each.id for each in observations_of(workspace, "S-1")[0]] == ["OB-001", "OB-002"]


def test_a_source_takes_so_many(workspace):
    """And says so."""
    write_observation(workspace, seen(), 1)
    with pytest.raises(LimpetError, match="1 observations are the most"):
        write_observation(workspace, seen(), 1)
    assert len(observations_of(workspace, "S-1")[0]) == 1


@pytest.mark.parametrize("source", ["../../S-1", "S-1/..", "", ".."])
def test_a_source_lies_in_its_folder(workspace, source):
    """A name that leads elsewhere is none."""
    with pytest.raises(LimpetError, match="Not the ID of a story"):
        write_observation(workspace, seen(source), 30)


@POSIX
def test_no_link_leads_out_of_the_project(workspace, tmp_path):
    """Neither to write nor to read."""
    (tmp_path / "elsewhere").mkdir()
    os.symlink(tmp_path / "elsewhere", workspace.path("stories"))
    with pytest.raises(LimpetError, match="Symlink out of the project"):
        write_observation(workspace, seen(), 30)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_sources_come_in_the_order_of_their_first_observations(workspace):
    """Each whole, as often as it is asked for; a mistake is told, and costs what it is in."""
    write_observation(workspace, seen("S-2", at="2026-11-25T10:00:00Z"), 30)
    write_observation(workspace, seen("S-10", at="2026-11-24T10:00:00Z"), 30)
    write_observation(workspace, seen("S-10", at="2026-11-27T10:00:00Z"), 30)
    write_observation(workspace, seen(CONVERSATION, at="2026-11-24T12:00:00Z"), 30)
    Path(workspace.path("stories", "S-3")).mkdir()
    Path(workspace.path("stories", "S-3", "observations.yml")).write_text("observations: 5\n", encoding="utf-8")
    observations = Observations(workspace)
    for _ in range(2):
        assert [each.source for each in observations] == ["S-10", "S-10", CONVERSATION, "S-2"]
        assert len(observations.mistakes) == 1 and "stories/S-3" in observations.mistakes[0]


def test_stores_are_changed_by_one_at_a_time(workspace):
    """Processes that add entries at once lose none."""
    context = get_context("fork") if hasattr(os, "fork") else get_context()
    workers = [context.Process(target=add_entries, args=(workspace, place)) for place in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    stores, mistakes = read_stores(workspace)
    assert (len(stores[PRINCIPLE]), mistakes) == (20, ())


def add_entries(workspace, place):
    for number in range(5):
        new = KnowledgeEntry(PRINCIPLE, f"PR-{place * 5 + number + 1:03}", "x")
        change_stores(workspace, lambda stores, new=new: {**stores, PRINCIPLE: (*stores[PRINCIPLE], new)})


def test_a_store_that_cannot_be_read_is_told(workspace):
    """And the others are read."""
    change_stores(workspace, lambda stores: {**stores, PRINCIPLE: (KnowledgeEntry(PRINCIPLE, "PR-001", "x"),)})
    Path(workspace.path("knowledge", "procedures.yml")).write_bytes(b"procedures:\n  - id: \xff\n")
    stores, mistakes = read_stores(workspace)
    assert len(stores[PRINCIPLE]) == 1
    assert mistakes == (".limpet/knowledge/procedures.yml:2: Not UTF-8. Save the file as UTF-8.",)
