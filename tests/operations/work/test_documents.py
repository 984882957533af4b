"""The project's documents, whatever door asks for them."""

import os

import pytest

from limpet.ground.config.mirror import read_mirror
from limpet.ground.errors import LimpetError
from limpet.operations.mirror import refresh_mirror
from limpet.operations.work import documents
from limpet.work.documents.rubrics import RubricAnswer
from limpet.work.documents.store import read_documents_manifest

from ...conversation import write
from ..callers import events, opened


@pytest.fixture
def project(workspace):
    """A project whose architecture is written, and whose documents are tracked."""
    write(f"{workspace.root}/docs/architecture.md", "# Architecture\n")
    documents.find_documents(opened(workspace), track=True)
    return workspace


def kinds(workspace):
    return [kind for kind, _ in events(workspace)]


def test_to_look_tracks_nothing(workspace):
    """It is only looked, and there is no log without a manifest."""
    assert documents.find_documents(opened(workspace))
    assert read_documents_manifest(workspace) is None
    assert documents.show_status(opened(workspace)).survey is None
    assert documents.read_log(workspace) == ()


def test_what_was_found_is_tracked_recorded_and_in_the_mirror(project):
    """A second look finds nothing."""
    assert documents.find_documents(opened(project)) == ()
    assert read_mirror(project).work["spec"] and kinds(project) == ["spec.scanned"]


def test_the_status_offers_one_thing_or_three(project):
    """One document alone, where it was asked for."""
    one, three = documents.show_status(opened(project)), documents.show_status(opened(project), vague=True)
    assert (one.mode, len(one.offers), three.mode, len(three.offers)) == ("unprompted", 1, "vague", 3)
    assert [offer.key for offer in documents.show_status(opened(project), "architecture").offers] == ["architecture"]
    with pytest.raises(LimpetError, match="nope"):
        documents.show_status(opened(project), "nope")


def test_the_block_says_what_was_just_seen(project):
    """Where a document's source changed, the mirror is made anew."""
    refresh_mirror(project)
    (path,) = [one.path for one in read_documents_manifest(project).artifacts if one.key == "architecture"]
    os.unlink(os.path.join(project.root, path))
    lines = documents.show_status(opened(project)).lines
    assert tuple(read_mirror(project).work["spec"]) == lines


def test_an_answer_is_recorded_and_a_place_noted(project):
    """Work in progress, then elsewhere."""
    found = documents.evaluate_document(
        opened(project), "architecture", {"components": RubricAnswer("components", "yes")}
    )
    assert found.artifact.status == "wip"
    write(f"{project.root}/docs/design.md", "# Design\n")
    moved = documents.evaluate_document(opened(project), "architecture", {}, path="docs/design.md")
    assert moved.artifact.path == "docs/design.md"
    assert kinds(project) == ["spec.scanned", "spec.evaluated", "spec.placed"]


def test_a_problem_waits_until_it_is_done(project):
    """A second time it is known."""
    assert documents.add_problem(opened(project), "architecture", "No data flow", "high")
    assert not documents.add_problem(opened(project), "architecture", "No data flow", "low")
    assert any("No data flow" in line for line in read_mirror(project).work["spec"])
    assert documents.finish_problem(opened(project), "architecture", "data flow").item == "No data flow"
    assert documents.show_status(opened(project), "architecture").problems == ()


def test_the_log_holds_what_was_done(project):
    """The newest first; none without a manifest."""
    documents.add_document_log(opened(project), "Rewrote it")
    assert "Rewrote it" in documents.read_log(project)[0]
