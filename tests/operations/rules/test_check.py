"""Mistakes that the rule files show by themselves."""

from limpet.operations.rules.places import check_file, check_files

from ...conversation import write_rules


def test_the_findings_of_one_file_are_its_own(workspace):
    """Not those of the others."""
    write_rules(workspace, "QA_RECALL=test\nnonsense\n", qa="nothing here\nQA_RULE_0=\n")
    everywhere = check_files(workspace)
    assert {finding.file for finding in everywhere} >= {".limpet/rules/manifest", ".limpet/rules/qa"}
    found = check_file(workspace, ".limpet/rules/manifest")
    assert found == tuple(finding for finding in everywhere if finding.file == ".limpet/rules/manifest")
    assert [finding.line for finding in found] == [2]


def test_a_sound_file_has_none(workspace):
    """Nothing is said of it."""
    write_rules(workspace, "QA_RECALL=test\n", qa="QA_RULE_0=Write tests.\n")
    assert check_file(workspace, ".limpet/rules/qa") == ()
