"""``limpet uninstall --purge`` counts what goes, asks, and keeps a copy that ``init --restore`` brings back."""

import json
import os
import re
import shutil
import stat
import subprocess
import sys

import pytest
from click.testing import CliRunner

from limpet.cli import limpet as cli
from limpet.cli.init import init
from limpet.cli.uninstall import uninstall
from limpet.ground.errors import LimpetError
from limpet.ground.storage.archives import archive_folder
from limpet.ground.storage.user_folders import QUIET, data_folder, quiet_path, state_folder
from limpet.ground.trust.consent import find_consent
from limpet.ground.workspace import workspace_at

from ..conftest import SOURCE
from ..conversation import write
from ..places import private_at
from ..terminal import in_terminal

MEMORY = "The staging database is reset every night."


@pytest.fixture
def project(tmp_path, user, monkeypatch):
    """A project with Limpet, one memory and one file of rules; the current folder."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    call(init, "--yes")
    limpet("memory", "add", MEMORY)
    (folder / ".limpet" / "rules").mkdir()
    (folder / ".limpet" / "rules" / "global").write_text("GLOBAL_RULE_0=Mine.\n")
    return folder


def shown(path):
    return path.replace(os.path.expanduser("~"), "~", 1)


def call(command, *arguments):
    return CliRunner().invoke(cli, [command.name, *arguments], catch_exceptions=False)


def limpet(*arguments, **options):
    command = [sys.executable, "-m", "limpet", *arguments]
    environment = {**os.environ, "PYTHONPATH": SOURCE}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True, **options)


def test_what_lets_reading_calls_pass_goes(project):
    """With the last project that of others too, which are gone themselves."""
    for root in (project, project.parent / "gone"):
        write(quiet_path(str(root)), "exit 0\n")
    call(uninstall, "--yes")
    assert not os.path.exists(os.path.join(state_folder(), QUIET))


def test_what_stays_is_named_by_its_place(project):
    """Of the state folder, whose other files stay, no more is said to go than what goes."""
    told = call(uninstall, "--yes").output
    assert f"delete  in {shown(state_folder())}/ " in told
    assert f"memories in {shown(data_folder())}." in told and f"In {shown(state_folder())} stay a key" in told


def test_purging_counts_and_restoring_brings_all_of_it_back(project):
    """Memories, rules, trust and hooks; the copy is for its owner only."""
    told = call(uninstall, "--yes", "--purge").output
    assert "These hold 1 memory file, 1 rule file.\n" in told
    assert ", what is private of it\n" in told and f"In {shown(state_folder())} stay a key" in told
    assert "kept for 30 days" in told and "limpet init --restore" in told
    assert list(project.iterdir()) == [] and find_consent(workspace_at(str(project))) is None
    archive = os.path.join(archive_folder(), os.listdir(archive_folder())[0])
    assert stat.S_IMODE(os.stat(archive).st_mode) == 0o600
    told = call(init, "--restore", "--yes").output
    assert told.startswith("Restored .limpet/ with 1 memory file, 1 rule file.\n")
    assert (project / ".limpet" / "rules" / "global").read_text() == "GLOBAL_RULE_0=Mine.\n"
    assert MEMORY in limpet("memory", "list").stdout
    assert (project / ".claude" / "settings.local.json").exists()


def test_the_launcher_that_another_project_needs_stays_and_is_not_named(project, tmp_path, monkeypatch):
    """Only this project's record goes."""
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.chdir(other)
    call(init, "--yes")
    monkeypatch.chdir(project)
    told = call(uninstall, "--dry-run").output
    assert "install record" in told and "hook launcher" not in told


def test_a_folder_without_memories_and_rules_is_said_to_have_none(project):
    """It has the project's state all the same."""
    for path in (project / ".limpet" / "rules", private_at(project, "memories")):
        shutil.rmtree(path)
    assert "These hold no memories and no rules.\n" in call(uninstall, "--dry-run", "--purge").output


def test_programs_learn_counts_and_archive(project):
    """In the dry run the counts only."""
    planned = json.loads(call(uninstall, "--dry-run", "--purge", "--json").output)
    assert planned["contents"] == {"memories": 1, "rule files": 1} and planned["archive"] == ""
    done = json.loads(call(uninstall, "--yes", "--purge", "--json").output)
    assert os.path.isfile(done["archive"])


def at_a_terminal(*words):
    """What a person sees who says no, and the exit code."""
    command, environment = [sys.executable, "-m", "limpet", *words], {**os.environ, "PYTHONPATH": SOURCE}
    return in_terminal(command, cwd=os.getcwd(), env=environment, columns=200, typed="n\n")


def test_the_question_names_what_would_be_lost_and_no_keeps_it(project):
    """By the person's terminal, where a word is typed for it."""
    seen, _ = at_a_terminal("uninstall", "--purge")
    asked = "Delete .limpet/ with 1 memory file, 1 rule file? A copy is kept for 30 days."
    assert asked in " ".join(seen.split()) and "To agree, type " in seen
    assert seen.rstrip().endswith("Not agreed, nothing was changed") and private_at(project, "memories").is_dir()


def test_the_question_before_a_restore_names_what_comes_back(project):
    """With the date of its deletion; where a folder stands in its place nobody is asked."""
    call(uninstall, "--yes", "--purge")
    seen, _ = at_a_terminal("init", "--restore")
    assert re.search(r"Restore \.limpet/ with 1 memory file, 1 rule file, deleted at 2\d{3}-.*\d\? \[y/N\]", seen)
    assert not (project / ".limpet").exists() and len(os.listdir(archive_folder())) == 1
    call(init, "--yes")
    seen, code = at_a_terminal("init", "--restore")
    assert (code, "exists already" in seen, "Restore" in seen) == (1, True, False)


def test_where_no_copy_can_be_written_nothing_is_deleted(project):
    """A file stands where the folder of copies would be."""
    write(archive_folder(), "x")
    with pytest.raises(LimpetError, match="nothing was deleted"):
        call(uninstall, "--yes", "--purge")
    assert private_at(project, "memories").is_dir() and (project / ".claude").is_dir()


def test_restoring_needs_an_archive_and_a_free_place(project):
    """Each is said."""
    with pytest.raises(LimpetError, match="No archive of this project"):
        call(init, "--restore", "--yes")
    call(uninstall, "--yes", "--purge")
    assert "Would restore .limpet/ from" in call(init, "--restore", "--dry-run").output
    assert not (project / ".limpet").exists()
    call(init, "--yes")
    with pytest.raises(LimpetError, match="exists already"):
        call(init, "--restore", "--yes")


def test_old_copies_go_with_the_next_run(project):
    """After retention.archive_days."""
    call(uninstall, "--yes", "--purge")
    archive = os.path.join(archive_folder(), os.listdir(archive_folder())[0])
    os.utime(archive, (0, 0))
    call(init, "--yes")
    assert not os.path.exists(archive)
