"""Rules as data, the same for every door."""

import json

import pytest

from limpet.ground.errors import LimpetError
from limpet.operations.rules.edit import DomainPatch, edit_domain
from limpet.operations.rules.view import (
    called_by,
    count_rules_by_domain,
    describe_contents,
    describe_edit,
    listed_domains,
    show_domain,
)

from ...conversation import write, write_over_shipped

MANIFEST = """GLOBAL_ALWAYS_ON=true
QA_RECALL=test, lint
QA_EXCLUDE=mock
QA_STATE=inactive
AGENT_DEV_STATE=active
COMMANDS_STATE=active
"""


@pytest.fixture
def project(workspace):
    """Domains of several kinds."""
    files = {"global": "GLOBAL_RULE_0=Read first.\n", "commands": "BRIEF_RULE_0=Short.\n"}
    write_over_shipped(workspace, MANIFEST, qa="QA_RULE_0=a\nQA_RULE_1=b\n", agent_dev="DEV_RULE_0=c\n", **files)
    return workspace


def test_the_compiled_rules_are_counted_as_the_files_are(project):
    """Also after an edit that the plan has not seen."""
    for text in ("QA_RULE_0=a\nQA_RULE_1=b\n", "QA_RULE_0=a\n"):
        write(project.path("rules", "qa"), text)
        names = ("name", "kind", "state", "origin", "rules")
        listed = [tuple(one[name] for name in names) for one in listed_domains(project)]
        assert [tuple(getattr(one, name) for name in names) for one in count_rules_by_domain(project)] == listed
        assert ("QA", "keyword", "inactive", "project", text.count("\n")) in listed


def test_domains_come_in_the_manifests_order_with_what_calls_them(project):
    """Before what is shipped; JSON can carry all of it."""
    every = listed_domains(project)
    domains = {one["name"]: one for one in every if one["origin"] == "project"}
    assert [one["name"] for one in every][: len(domains)] == list(domains)
    assert {"STORY", "AGENT_TASKS"} <= {one["name"] for one in every if one["origin"] == "shipped"}
    assert list(domains) == ["GLOBAL", "QA", "AGENT_DEV", "COMMANDS"]
    assert {name: one["called_by"] for name, one in domains.items()} == {
        "GLOBAL": "every prompt",
        "QA": "test, lint; not with: mock",
        "AGENT_DEV": "agent dev",
        "COMMANDS": "*brief",
    }
    assert (domains["QA"]["state"], domains["QA"]["rules"], domains["QA"]["recall"]) == (
        "inactive",
        2,
        ["test", "lint"],
    )
    assert json.loads(json.dumps(domains)) == domains


def test_a_domain_shows_its_rules_by_their_keys(project):
    """Named in any spelling."""
    contents = show_domain(project, "qa")
    told = describe_contents(contents)
    assert told["lines"] == [{"key": "QA_RULE_0", "rule": "a"}, {"key": "QA_RULE_1", "rule": "b"}]
    assert told["called_by"] == called_by(contents)


def test_the_constitution_shows_its_articles_and_which_are_the_projects(project):
    """A project adds to it and takes nothing away."""
    write(project.path("constitution.md"), "### XVII. Ours (WARN)\n- MUST x.\n")
    contents = show_domain(project, "Constitution")
    own = [one for one in contents if any(duty["project"] for duty in one["duties"])]
    assert len(contents) > 1
    assert own == [
        {"article": "XVII", "title": "Ours", "severity": "WARN", "duties": [{"text": "MUST x.", "project": True}]}
    ]


def test_an_unknown_domain_is_refused_with_one_that_is_near(project):
    """The constitution among them."""
    with pytest.raises(LimpetError, match="Did you mean CONSTITUTION"):
        show_domain(project, "constitutoin")


@pytest.mark.parametrize("dry_run", [True, False])
def test_an_edit_says_whether_it_was_done_and_where(project, dry_run):
    """File, line, what came and what went."""
    told = describe_edit(edit_domain(project, "qa", DomainPatch(rules=(("1", "c"),)), dry_run), dry_run)
    assert (told["applied"], told["files"], told["kept"]) == (not dry_run, [".limpet/rules/qa"], "")
    assert [(line["line"], line["sign"], line["text"]) for line in told["changed"]] == [
        (2, "-", "QA_RULE_1=b"),
        (2, "+", "QA_RULE_1=c"),
    ]
