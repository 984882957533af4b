"""A package of a repository with a ``.limpet`` of its own: its rules, then those of the project around it."""

import os
import shutil

import pytest

from limpet.ground.trust.giving import revoke_trust
from limpet.ground.workspace import workspace_at

from ..conftest import trusted
from ..conversation import write, write_over_shipped
from ..hook_host import Host


@pytest.fixture
def root(workspace):
    """The root of a repository, with two domains and an article."""
    os.mkdir(os.path.join(workspace.root, ".git"))
    manifest = "GLOBAL_ALWAYS_ON=true\nQA_RECALL=test\n"
    write_over_shipped(workspace, manifest, qa="QA_RULE_0=Of the root.\n", **{"global": "GLOBAL_RULE_0=Read first.\n"})
    return workspace


@pytest.fixture
def package(root):
    """A trusted package of it, with one domain of its own."""
    folder = os.path.join(root.root, "packages", "web")
    os.makedirs(os.path.join(folder, ".limpet"))
    found = trusted(folder)
    write_over_shipped(found, "CSS_RECALL=button\n", css="CSS_RULE_0=Of the package.\n")
    return found


def told(workspace, prompt, session="s"):
    """What a prompt in the project's folder brings."""
    return Host(workspace).prompt(prompt, cwd=workspace.root, session_id=session).text


def test_a_package_has_its_own_rules_and_those_of_the_root(root, package):
    """Always-on ones and those that words call; the root has nothing of the package's."""
    text = told(package, "test the button")
    assert all(rule in text for rule in ("Of the package.", "Of the root.", "Read first."))
    assert "Of the package." not in told(root, "test the button", "other")


def test_a_domain_of_the_same_name_takes_the_place_of_the_root_ones(root, package):
    """The nearer one wins."""
    write_over_shipped(package, "QA_RECALL=test\n", qa="QA_RULE_0=Nearer.\n")
    text = told(package, "test it")
    assert "Nearer." in text and "Of the root." not in text


def test_an_edit_at_the_root_is_seen_in_the_package(root, package):
    """By the next prompt: of a rule, and of the manifest."""
    assert "Of the root." in told(package, "test it")
    write(root.path("rules", "qa"), "QA_RULE_0=Edited.\n")
    assert "Edited." in told(package, "test it", "second")
    write(root.path("rules", "manifest"), "GLOBAL_ALWAYS_ON=true\n")
    assert "Edited." not in told(package, "test it", "third")


def test_a_root_that_is_not_trusted_adds_nothing(root, package):
    """Not from the moment that its trust is taken back."""
    assert "Of the root." in told(package, "test it")
    revoke_trust(root)
    host = Host(package).prompt("test the button", cwd=package.root, session_id="second")
    assert "Of the package." in host.text and "Of the root." not in host.text


def test_what_lies_above_the_repository_adds_nothing(root, package, tmp_path):
    """A folder of projects, or the user's own, may have a ``.limpet`` too."""
    shutil.rmtree(os.path.join(root.root, ".git"))
    os.mkdir(os.path.join(package.root, ".git"))
    text = told(package, "test the button")
    assert "Of the package." in text and "Of the root." not in text


def test_an_article_of_the_root_holds_in_the_package_until_it_has_its_own(root, package):
    """The nearer file counts."""
    write(root.path("constitution.md"), "## Articles\n### XX. Root (MUST)\n- MUST ask the root.\n")
    assert "sk the root." in told(package, "hello there")
    write(package.path("constitution.md"), "## Articles\n### XX. Package (MUST)\n- MUST ask the package.\n")
    text = told(package, "hello there", "second")
    assert "sk the package." in text and "sk the root." not in text


def test_inherited_domains_are_changed_where_they_stand(root, package, run):
    """A new one of the same name may be added; the list says where each comes from."""
    done = run("rules", "edit", "qa", "--add-rule", "Mine.", cwd=package.root)
    assert done.returncode == 1 and "comes from the project above" in done.stderr
    listed = run("rules", "list", cwd=package.root).stdout
    assert "../../.limpet/rules/qa" in listed
    assert run("rules", "add", "qa", "--recall", "test", "--rule", "Mine.", cwd=package.root).returncode == 0
    assert workspace_at(root.root).home == root.home and "Mine." in told(package, "test it")


def test_init_gives_a_package_no_rules_of_its_own(root, run):
    """It inherits them; status says so."""
    folder = os.path.join(root.root, "packages", "api")
    os.makedirs(folder)
    run("init", "--yes", "--here", "--host", "claude-code", cwd=folder)
    assert not os.path.exists(os.path.join(folder, ".limpet", "rules"))
    shown = run("status", cwd=folder).stdout
    assert f"its own rules, then the rules in {root.root}" in shown and "2 of yours (global, qa), 0 shipped" in shown
