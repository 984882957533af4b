"""The rules in a file, for what no hook reaches at the prompt; and apart what is the user's alone."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from limpet.cli import limpet
from limpet.ground.formats.markdown import MADE_HERE
from limpet.ground.workspace import workspace_at
from limpet.hosts.checks import WARN
from limpet.hosts.copilot.host import CLIENT as COPILOT
from limpet.hosts.cursor.host import CLIENT as CURSOR

from ..conversation import RULES, write_rules
from ..hook_host import MANIFEST, run_hook

SHARED, OWN = ".cursor/rules/limpet.mdc", ".cursor/rules/limpet-private.mdc"
CLOUD = ".github/instructions/limpet.instructions.md"


@pytest.fixture
def project(tmp_path, user, monkeypatch):
    """A repository with rules, in which Cursor is used."""
    folder = tmp_path / "project"
    (folder / ".cursor" / "rules").mkdir(parents=True)
    (folder / ".cursor" / "rules" / "mine.mdc").write_text("mine")
    monkeypatch.chdir(folder)
    git("init", "-q")
    run("init", "--host", "cursor", "--yes")
    write_rules(workspace_at(str(folder)), MANIFEST, **RULES)
    return folder


def git(*words):
    done = subprocess.run(["git", *words], capture_output=True, text=True, check=True)
    return done.stdout


def run(*words):
    done = CliRunner().invoke(limpet, [*words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def start(project):
    """A conversation begins in Cursor."""
    given = {"conversation_id": "c1", "cursor_version": "3", "workspace_roots": [str(project)]}
    done = run_hook(json.dumps(given).encode(), "cursor", "sessionStart", cwd=str(project))
    assert (done.code, done.err) == (0, b"")


def remember(project, words):
    """The person says it in Cursor."""
    given = {"conversation_id": "c1", "cursor_version": "3", "workspace_roots": [str(project)]}
    prompt = {**given, "prompt": f"*remember {words}", "generation_id": words}
    run_hook(json.dumps(prompt).encode(), "cursor", "beforeSubmitPrompt", cwd=str(project))


def test_the_projects_rules_are_written_with_what_calls_them(project):
    run("init", "--host", "cursor", "--yes")
    text = (project / SHARED).read_text()
    assert text.startswith("---\ndescription:") and "alwaysApply: true" in text and MADE_HERE in text
    assert "## GLOBAL\n\n- Read first." in text and "## API: for work about endpoint, route\n\n- Version it." in text
    assert "Short." not in text  # what a star-command says


def test_it_is_not_offered_as_a_source_of_rules(project):
    """`rules adopt` reads the files of other people's."""
    run("init", "--host", "cursor", "--yes")
    assert SHARED not in run("rules", "adopt", "--json")


def test_they_are_rewritten_when_they_changed_and_only_then(project):
    """At the next start of a conversation; who has no file gets none there."""
    start(project)
    assert not (project / SHARED).exists()
    run("init", "--host", "cursor", "--yes")
    before = (project / SHARED).stat().st_mtime_ns
    start(project)
    assert (project / SHARED).stat().st_mtime_ns == before
    (project / ".limpet" / "rules" / "api").write_text("API_RULE_0=Version each.\n")
    assert WARN in {one.status for one in CURSOR.check(str(project)) if "is behind" in one.what}
    start(project)
    assert "Version each." in (project / SHARED).read_text()


def test_one_that_somebody_edited_is_told_and_left(project):
    run("init", "--host", "cursor", "--yes")
    edited = (project / SHARED).read_text() + "- Mine.\n"
    (project / SHARED).write_text(edited)
    assert "was edited" in run("init", "--host", "cursor", "--yes")
    start(project)
    assert any("was edited" in one.what for one in CURSOR.check(str(project)))
    run("uninstall", "--yes")
    assert (project / SHARED).read_text() == edited


def test_rules_of_a_project_that_nobody_trusts_are_not_written(project):
    run("init", "--host", "cursor", "--yes")
    before = (project / SHARED).read_text()
    run("trust", "--revoke", "--yes")
    (project / ".limpet" / "rules" / "api").write_text("API_RULE_0=Strange.\n")
    start(project)
    assert (project / SHARED).read_text() == before


def test_what_is_the_users_is_written_after_they_agreed_and_git_sees_none_of_it(project):
    """`git add -A` after a wish and a continuation publishes neither."""
    remember(project, "I want tabs in Makefiles.")
    Path(workspace_at(str(project)).kept("continuation")).mkdir(parents=True, exist_ok=True)
    Path(workspace_at(str(project)).kept("continuation", "latest.md")).write_text("# Continuation\nAt the parser.\n")
    run("init", "--host", "cursor", "--yes")
    start(project)
    assert not (project / OWN).exists()
    assert "Your wishes are in" in run("init", "--host", "cursor", "--own-file", "--yes")
    text = (project / OWN).read_text()
    assert "tabs in Makefiles" in text and "At the parser." in text and "/limpet resume" in text
    git("add", "-A")
    staged = git("diff", "--cached")
    assert "tabs in Makefiles" not in staged and "At the parser." not in staged and OWN not in staged
    assert oct((project / OWN).stat().st_mode)[-3:] == "600"


def test_it_is_kept_current_and_goes_on_demand(project):
    run("init", "--host", "cursor", "--own-file", "--yes")
    remember(project, "I want tabs in Makefiles.")
    start(project)
    assert "tabs in Makefiles" in (project / OWN).read_text()
    run("init", "--host", "cursor", "--no-own-file", "--yes")
    assert not (project / OWN).exists()
    start(project)
    assert not (project / OWN).exists()


def test_where_git_has_the_file_nothing_private_is_written(project):
    remember(project, "I want tabs in Makefiles.")
    run("init", "--host", "cursor", "--own-file", "--yes")
    git("add", "-f", OWN)
    told = run("init", "--host", "cursor", "--own-file", "--yes")
    assert "is in git, so nothing of yours is written there" in told and not (project / OWN).exists()
    (project / OWN).write_text("theirs")
    run("init", "--host", "cursor", "--own-file", "--yes")
    assert (project / OWN).read_text() == "theirs"


def test_all_of_it_is_given_back_byte_for_byte(project):
    """The repository's own list too."""
    listed = project / ".git" / "info" / "exclude"
    run("uninstall", "--yes", "--purge")
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file() and path.name != "config"}
    run("init", "--host", "cursor", "--yes")
    write_rules(workspace_at(str(project)), MANIFEST, **RULES)
    run("init", "--host", "cursor", "--own-file", "--yes")
    assert b"limpet" in listed.read_bytes() and (project / SHARED).exists() and (project / OWN).exists()
    run("uninstall", "--yes", "--purge")
    after = {path: path.read_bytes() for path in project.rglob("*") if path.is_file() and path.name != "config"}
    assert {path: after[path] for path in before} == before
    assert {os.path.relpath(path, project) for path in set(after) - set(before)} <= {".git/limpet-id"}


def test_the_cloud_agent_gets_the_projects_rules_and_nothing_of_the_users(project):
    """Only after somebody asked for it, in a file that git offers."""
    remember(project, "I want tabs in Makefiles.")
    run("init", "--host", "copilot", "--own-file", "--yes")
    assert not (project / CLOUD).exists()
    said = run("init", "--host", "copilot", "--cloud-file", "--yes")
    assert f"rules are in {CLOUD}" in said and "Copilot CLI and VS Code read it too" in " ".join(said.split())
    text = (project / CLOUD).read_text()
    assert text.startswith("---\ndescription:") and '\napplyTo: "**"\n---\n' in text and MADE_HERE in text
    assert "- Read first." in text and "- Version it." in text and "Makefiles" not in text
    git("add", "-A")
    assert CLOUD in git("diff", "--cached", "--name-only").splitlines()
    assert CLOUD not in run("rules", "adopt", "--json")


def test_it_is_rewritten_around_a_conversation_of_any_client(project):
    """Copilot CLI has no start of a conversation that is answered, but an end."""
    run("init", "--host", "copilot", "--cloud-file", "--yes")
    (project / ".limpet" / "rules" / "api").write_text("API_RULE_0=Version each.\n")
    assert WARN in {one.status for one in COPILOT.check(str(project)) if "is behind" in one.what}
    start(project)
    assert "Version each." in (project / CLOUD).read_text()
    (project / ".limpet" / "rules" / "api").write_text("API_RULE_0=Version all.\n")
    given = {"session_id": "s1", "timestamp": "2026-11-29T10:00:00Z", "cwd": str(project), "reason": "complete"}
    run_hook(json.dumps(given).encode(), "copilot-cli", "SessionEnd", cwd=str(project))
    assert "Version all." in (project / CLOUD).read_text()


def test_an_edited_one_of_the_cloud_agents_is_told_and_left(project):
    run("init", "--host", "copilot", "--cloud-file", "--yes")
    edited = (project / CLOUD).read_text() + "- Mine.\n"
    (project / CLOUD).write_text(edited)
    start(project)
    assert "was edited" in run("init", "--host", "copilot", "--cloud-file", "--yes")
    assert any("was edited" in one.what for one in COPILOT.check(str(project)))
    run("init", "--host", "copilot", "--no-cloud-file", "--yes")
    run("uninstall", "--yes", "--purge")
    assert (project / CLOUD).read_text() == edited


def test_one_that_git_has_stays_without_shared(project):
    """Who leaves takes nothing from the others' repository unasked."""
    run("init", "--host", "copilot", "--cloud-file", "--yes")
    git("add", "-A")
    assert "is in git and stays" in run("uninstall", "--yes") and (project / CLOUD).exists()
    run("uninstall", "--yes", "--shared")
    assert not (project / CLOUD).exists()


def test_it_goes_on_demand(project):
    run("init", "--host", "copilot", "--cloud-file", "--yes")
    run("init", "--host", "copilot", "--no-cloud-file", "--yes")
    start(project)
    assert not (project / CLOUD).exists() and not (project / ".github" / "instructions").exists()
