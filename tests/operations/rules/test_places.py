"""The files of a domain."""

import os

import pytest

from limpet.ground.errors import LimpetError
from limpet.operations.rules.transaction import check_file, check_files, find_place, new_place

from ...conversation import write, write_rules


@pytest.fixture
def project(workspace):
    """A domain of the project, and one of a squad."""
    write_rules(workspace, "QA_RECALL=test\n", qa="QA_RULE_0=Write tests.\n")
    folder = os.path.join(workspace.root, "squads", "etl", ".limpet", "rules")
    write(os.path.join(folder, "manifest"), "PIPELINE_RECALL=etl\n")
    write(os.path.join(folder, "pipeline"), "PIPELINE_RULE_0=Load at night.\n")
    return workspace


def test_a_domain_is_found_in_any_spelling(project):
    """With its manifest and its file; a mistyped one is refused with a near name."""
    place = find_place(project, "qa")
    assert (place.name, place.manifest, place.own_file) == ("QA", ".limpet/rules/manifest", ".limpet/rules/qa")
    with pytest.raises(LimpetError, match=r"No domain QAA.*Did you mean QA\?"):
        find_place(project, "qaa")


def test_a_new_domain_takes_the_file_that_has_its_name(project):
    """One without such a file gets a path for it."""
    write(project.path("rules", "http-api"), "")
    assert new_place(project, "HTTP_API", "").file == ".limpet/rules/http-api"
    place = new_place(project, "SECURITY", "")
    assert (place.file, place.own_file) == ("", ".limpet/rules/security")


def test_a_domain_of_a_squad_has_the_squads_rules_folder(project):
    """An unknown squad is refused, and the known ones are named."""
    assert new_place(project, "LOADING", "etl").folder == "squads/etl/.limpet/rules"
    with pytest.raises(LimpetError, match="No squad web.*Squads: (?i:etl)"):
        new_place(project, "LOADING", "web")


def test_the_findings_of_one_file_are_its_own(workspace):
    """Not those of the others, and none of a sound file."""
    write_rules(workspace, "QA_RECALL=test\nnonsense\n", qa="nothing here\nQA_RULE_0=\n")
    everywhere = check_files(workspace)
    assert {finding.file for finding in everywhere} >= {".limpet/rules/manifest", ".limpet/rules/qa"}
    found = check_file(workspace, ".limpet/rules/manifest")
    assert found == tuple(finding for finding in everywhere if finding.file == ".limpet/rules/manifest")
    assert [finding.line for finding in found] == [2]
    write_rules(workspace, "QA_RECALL=test\n", qa="QA_RULE_0=Write tests.\n")
    assert check_file(workspace, ".limpet/rules/qa") == ()
