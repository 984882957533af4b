"""Changes to rule files that people ask for, as every door asks for them."""

import os

import pytest

from limpet.ground.clock import Clock
from limpet.ground.errors import LimpetError
from limpet.operations.rules.edit import (
    DomainPatch,
    add_domain,
    delete_domain,
    edit_domain,
    rename_domain_files,
    switch_domain,
)

from ...conversation import write_over_shipped
from ...leaks import KNOWN, TOKEN, know_secret, leaks
from ...places import private_path

MANIFEST = "# mine\nGLOBAL_ALWAYS_ON=true\n\nQA_STATE=active\nQA_RECALL=test, lint\n# end\n"
QA = "# Tests.\nQA_RULE_0=Write tests.\nQA_RULE_1=Run them.\n"
CLOCK = Clock(now=lambda: 1_800_000_000.0)


@pytest.fixture
def project(workspace):
    """A project with a global rule and a QA domain."""
    write_over_shipped(workspace, MANIFEST, **{"global": "GLOBAL_RULE_0=Read first.\n", "qa": QA})
    return workspace


def text(workspace, name="manifest"):
    """A rule file's exact text, None where there is none."""
    path = workspace.path("rules", name)
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def texts(workspace):
    """Every rule file."""
    return {name: text(workspace, name) for name in os.listdir(workspace.path("rules"))}


def test_a_new_domain_gets_its_keys_and_its_file(project):
    """The manifest's own text stays; without rules the file says how to write them; a name is taken in any spelling."""
    patch = DomainPatch(recall=("endpoint, route",), exclude=("mock",), add_rules=("Version it.", "Test it."))
    edit = add_domain(project, "http-api", patch)
    declared = "\nHTTP_API_STATE=active\nHTTP_API_RECALL=endpoint, route\nHTTP_API_EXCLUDE=mock\n"
    assert text(project) == MANIFEST + declared
    assert text(project, "http-api") == "HTTP_API_RULE_0=Version it.\nHTTP_API_RULE_1=Test it.\n"
    assert [change.path for change in edit.changes] == [".limpet/rules/http-api", ".limpet/rules/manifest"]
    add_domain(project, "api", DomainPatch(recall=("endpoint",)))
    assert text(project, "api") == "# Rules of API, one per line: API_RULE_0=...\n"
    with pytest.raises(LimpetError, match="Domain QA already exists"):
        add_domain(project, "qa", DomainPatch())


def test_one_edit_changes_words_and_rules(project):
    """The rules' numbers count as before all changes; every other byte stays."""
    patch = DomainPatch(
        add_recall=("bug",),
        remove_recall=("lint",),
        rules=(("0", "Write them first."),),
        remove_rules=("1",),
        add_rules=("Name them.",),
    )
    edit_domain(project, "QA", patch)
    assert text(project) == MANIFEST.replace("test, lint", "test, bug")
    assert text(project, "qa") == "# Tests.\nQA_RULE_0=Write them first.\nQA_RULE_1=Name them.\n"


@pytest.mark.parametrize(
    ("patch", "line"),
    [
        (DomainPatch(agent="@DEV"), "QA_AGENT_TRIGGER=dev\n"),
        (DomainPatch(workflow=" greenfield "), "QA_WORKFLOW_TRIGGER=greenfield\n"),
        (DomainPatch(always_on=True), "QA_ALWAYS_ON=true\n"),
        (DomainPatch(recall=("a, b",)), "QA_RECALL=a, b\n"),
    ],
)
def test_what_brings_a_domain_is_written_into_the_manifest(project, patch, line):
    """And its rules are left alone; a list can be emptied."""
    edit_domain(project, "qa", patch)
    assert line in text(project) and text(project, "qa") == QA
    edit_domain(project, "qa", DomainPatch(recall=("",)))
    assert "QA_RECALL=a" not in text(project)


def test_what_is_off_already_is_not_written_down(project):
    """A domain that was never always on needs no line that says so."""
    assert edit_domain(project, "qa", DomainPatch(always_on=False)).changes == ()


@pytest.mark.parametrize(
    ("typed", "patch", "words"),
    [
        ("qa", DomainPatch(remove_recall=("nothing",)), "'nothing' is not in QA_RECALL"),
        ("qa", DomainPatch(agent="arcitect"), "Unknown agent: arcitect. Did you mean architect"),
        ("qa", DomainPatch(rules=(("7", "x"),)), "7"),
        ("qaa", DomainPatch(), "No domain QAA: .*Did you mean QA"),
        ("global", DomainPatch(recall=("a",)), "GLOBAL always applies"),
    ],
)
def test_a_patch_that_makes_no_sense_changes_no_file(project, typed, patch, words):
    """Where one part of it fails, nothing of it is written."""
    before = texts(project)
    with pytest.raises(LimpetError, match=words):
        edit_domain(project, typed, patch.replace(add_exclude=("mock",) if typed == "qa" else ()))
    assert texts(project) == before


def test_the_exclusions_of_all_domains_are_globals(project):
    """The one list that it takes."""
    edit_domain(project, "global", DomainPatch(add_exclude=("chat",)))
    assert "GLOBAL_EXCLUDE=chat\n" in text(project)


@pytest.mark.parametrize(
    "patch", [DomainPatch(add_rules=(f"The password is {KNOWN}.",)), DomainPatch(add_recall=(TOKEN,))]
)
def test_no_secret_comes_into_a_rule_file(project, patch):
    """Neither as a rule nor as a keyword; the refusal does not repeat it."""
    know_secret(project.root)
    with pytest.raises(LimpetError) as refused:
        edit_domain(project, "qa", patch)
    assert leaks(project, str(refused.value)) == []


def test_a_switched_domain_is_as_it_was_asked(project):
    """The same again is no change."""
    switch_domain(project, "qa", False)
    assert "QA_STATE=inactive\n" in text(project)
    switch_domain(project, "qa", True)
    assert text(project) == MANIFEST
    assert switch_domain(project, "qa", True).changes == ()


@pytest.mark.parametrize(
    "act",
    [
        lambda workspace: switch_domain(workspace, "constitution", False),
        lambda workspace: delete_domain(workspace, "constitution", CLOCK),
        lambda workspace: rename_domain_files(workspace, "constitution", "law"),
    ],
)
def test_the_constitution_stays(project, act):
    """Whatever is tried on it."""
    before = texts(project)
    with pytest.raises(LimpetError):
        act(project)
    assert texts(project) == before


def test_a_renamed_domain_takes_its_keys_and_its_file_along(project):
    """In the manifest and in the file, but for the place of somebody's file."""
    edit = rename_domain_files(project, "qa", "quality")
    assert text(project) == MANIFEST.replace("QA_", "QUALITY_")
    assert (text(project, "qa"), text(project, "quality")) == (None, QA.replace("QA_", "QUALITY_"))
    assert ".limpet/rules/qa is now .limpet/rules/quality" in list(edit.lines())
    write_over_shipped(project, MANIFEST, qa=QA, quality="mine\n")
    with pytest.raises(LimpetError, match="File already exists"):
        rename_domain_files(project, "qa", "quality")
    assert (text(project, "qa"), text(project, "quality")) == (QA, "mine\n")


def test_a_removed_domain_is_kept_as_it_was(project):
    """Manifest and file, in a folder that the edit names."""
    edit = delete_domain(project, "qa", CLOCK)
    kept = {}
    for name in os.listdir(os.path.join(project.root, edit.kept)):
        with open(os.path.join(project.root, edit.kept, name), encoding="utf-8") as file:
            kept[name] = file.read()
    assert kept == {"manifest": MANIFEST, "qa": QA}
    assert (text(project, "qa"), "QA_" in text(project)) == (None, False)


@pytest.mark.parametrize(
    "act",
    [
        lambda workspace: add_domain(workspace, "api", DomainPatch(), dry_run=True),
        lambda workspace: edit_domain(workspace, "qa", DomainPatch(add_rules=("x",)), dry_run=True),
        lambda workspace: switch_domain(workspace, "qa", False, dry_run=True),
        lambda workspace: rename_domain_files(workspace, "qa", "quality", dry_run=True),
        lambda workspace: delete_domain(workspace, "qa", CLOCK, dry_run=True),
    ],
)
def test_a_dry_run_says_what_would_be_and_writes_nothing(project, act):
    """Neither a rule nor a copy."""
    before = texts(project)
    assert act(project).changes != ()
    assert (texts(project), os.path.exists(private_path(project, "removed"))) == (before, False)
