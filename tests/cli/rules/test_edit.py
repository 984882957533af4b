"""`limpet rules add|edit|on|off|rename|remove|suggest` by their door."""

import json
import os
import subprocess
import sys

import pytest

from limpet.ground.storage.files import read_text

from ...conftest import SOURCE
from ...conversation import write, write_over_shipped
from ...leaks import KNOWN, SECRETS, know_secret, leaks
from ...places import private_path

MANIFEST = """# mine
GLOBAL_ALWAYS_ON=true

QA_STATE=active
QA_RECALL=test, lint
# end
"""
QA = "# Tests.\nQA_RULE_0=Write tests.\nQA_RULE_1=Run them.\n"


@pytest.fixture
def project(workspace):
    """A project with a global rule and a QA domain."""
    write_over_shipped(workspace, MANIFEST, **{"global": "GLOBAL_RULE_0=Read first.\n", "qa": QA})
    return workspace


def rules(workspace, name="manifest"):
    with open(workspace.path("rules", name), encoding="utf-8", newline="") as file:
        return file.read()


def every_file(workspace):
    """Every file of the project with its bytes, locks aside."""
    found = {}
    for folder, _, names in os.walk(workspace.root):
        for name in (name for name in names if not name.endswith(".lock")):
            with open(os.path.join(folder, name), "rb") as file:
                found[os.path.join(folder, name)] = file.read()
    return found


def refused(done, *words):
    """Exit code 1, one line on stderr that says all of this, nothing on stdout."""
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1), done.stderr
    assert all(word in done.stderr for word in words), done.stderr
    return True


def test_add_on_and_off_say_what_happened_and_the_way_back(project, run):
    """The command that stands there takes it back; a dry run says nothing of it."""
    before = rules(project)
    for words, said in (
        (["add", "API", "--rule", "x", "--recall", "route"], "Added API. It is on from the next prompt."),
        (["edit", "qa", "--off"], "QA is off for the whole project."),
        (["edit", "story", "--on"], "STORY is on for the whole project."),
        (["off", "qa"], "QA is off for the whole project."),
        (["on", "story"], "STORY is on for the whole project."),
    ):
        *_, what, command = run("rules", *words).stdout.splitlines()
        assert what.startswith(said) and rules(project) != before
        back = command.split()[1:]
        assert run(*back, *(["--yes"] if back[1] == "remove" else [])).returncode == 0
        assert rules(project) == before, command
    assert "for the whole project" not in run("rules", "edit", "qa", "--off", "--dry-run").stdout
    assert run("rules", "edit", "qa", "--on").stdout == "Nothing to change.\n"
    assert "each stand alone" in run("rules", "edit", "qa", "--on", "--recall", "x").stderr


def test_a_new_domain_that_nothing_calls_is_not_said_to_be_on(project, run):
    """What it lacks is, with the command that gives it."""
    done = run("rules", "add", "API", "--rule", "x")
    assert done.stdout.splitlines()[-2:] == ["Added API. To take it back:", "  limpet rules remove api"]
    assert "API never loads" in done.stderr and "(limpet rules edit api --recall WORDS, --paths" in done.stderr
    assert run("rules", "edit", "api", "--recall", "WORDS").stderr == ""
    assert "on from the next prompt" not in run("rules", "add", "foo").stdout
    assert "on from the next prompt" in run("rules", "add", "EVER", "--always-on", "--rule", "x").stdout


def test_add_writes_what_brings_the_domain(project, run):
    """Always, an agent or a workflow."""
    run("rules", "add", "API", "--rule", "x", "--always-on", "--agent", "@PM", "--workflow", "story-dev")
    keys = {"API_ALWAYS_ON=true", "API_AGENT_TRIGGER=pm", "API_WORKFLOW_TRIGGER=story-dev"}
    assert keys <= set(rules(project).splitlines())


def test_add_to_a_squad_goes_to_its_own_rules(project, run):
    """Its folder must be there; the manifest need not."""
    assert refused(run("rules", "add", "LOAD", "--squad", "etl", "--rule", "x"), "No squad etl")
    os.makedirs(os.path.join(project.root, "squads", "etl-squad"))
    run("rules", "add", "LOAD", "--squad", "ETL_SQUAD", "--recall", "batch", "--rule", "In batches.")
    assert "fires  ETL_SQUAD_LOAD" in run("rules", "match", "a batch").stdout
    assert run("rules", "edit", "etl-squad-load", "--add-rule", "Small ones.").returncode == 0
    squads = os.path.join(project.root, "squads", "etl-squad", ".limpet", "rules", "load")
    assert read_text(squads) == "LOAD_RULE_0=In batches.\nLOAD_RULE_1=Small ones.\n"
    run("rules", "edit", "etl-squad-load", "--rename", "ingest")
    run("rules", "edit", "etl-squad-ingest", "--off")
    assert "inactive" in run("rules", "show", "ETL_SQUAD_INGEST").stdout
    run("rules", "remove", "etl-squad-ingest", "--yes")
    assert "ETL_SQUAD" not in run("rules", "list").stdout
    assert rules(project) == MANIFEST


def test_edit_finds_the_line_that_has_a_keyword(project, run):
    """A further line of the list loses what is removed; what is added goes to the first; a new list replaces all."""
    write_over_shipped(project, MANIFEST + "QA_RECALL_PT=erro, falha\n")
    run("rules", "edit", "qa", "--remove-recall", "ERRO", "--add-recall", "falha, bug")
    assert rules(project) == MANIFEST.replace("test, lint", "test, lint, bug") + "QA_RECALL_PT=falha\n"
    run("rules", "edit", "qa", "--recall", "only")
    assert rules(project) == MANIFEST.replace("test, lint", "only")


def test_edit_keeps_line_ends_and_a_byte_order_mark(project, run):
    """Every byte that was not meant."""
    raw = b"\xef\xbb\xbf# \xc3\xbc\r\nQA_RULE_0 = a\r\n\r\n# end"
    write(project.path("rules", "qa"), raw)
    run("rules", "edit", "qa", "--rule", "QA_RULE_0=b", "--add-rule", "c")
    with open(project.path("rules", "qa"), "rb") as file:
        assert file.read() == raw.replace(b"= a\r\n", b"= b\r\nQA_RULE_1=c\r\n")


def test_edit_sets_and_empties_whole_lists(project, run):
    """An empty one calls nothing."""
    run("rules", "edit", "qa", "--recall", "a, b", "--recall", "c", "--exclude", "x")
    assert "QA_RECALL=a, b, c" in rules(project).splitlines()
    run("rules", "edit", "qa", "--exclude", "")
    assert "QA_EXCLUDE=" in rules(project).splitlines()


def test_edit_without_options_opens_the_editor_and_checks(project, run, monkeypatch, tmp_path):
    """$VISUAL on the file itself; exit code 1 for an error in it."""
    editor = tmp_path / "editor.py"
    editor.write_text("import sys\nopen(sys.argv[1], 'a').write('lost words\\n')\n")
    monkeypatch.setenv("VISUAL", f'"{sys.executable}" "{editor}"')
    done = run("rules", "edit", "qa")
    assert rules(project, "qa") == QA + "lost words\n"
    assert done.returncode == 1
    assert ".limpet/rules/qa:4: no = in 'lost words'" in done.stdout


def test_remove_asks(project, run):
    """Without a terminal it takes no silence for a yes."""
    before = every_file(project)
    done = run("rules", "remove", "qa")
    assert (done.returncode, done.stdout) == (1, "")
    assert "Cannot prompt: not a terminal. Re-run with --yes, or preview with --dry-run." in done.stderr
    assert every_file(project) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("add", "API", "--rule", "x", "--recall", "y"),
        ("edit", "qa", "--add-rule", "x"),
        ("off", "qa"),
        ("edit", "qa", "--rename", "quality"),
        ("remove", "qa"),
    ],
)
def test_a_dry_run_shows_a_diff_and_writes_nothing(project, run, arguments):
    """Not even a lock."""
    before = every_file(project)
    done = run("rules", *arguments, "--dry-run")
    assert (done.returncode, done.stderr) == (0, "")
    assert any(line.startswith("@@ ") for line in done.stdout.splitlines())
    assert every_file(project) == before
    assert not os.path.exists(private_path(project, "locks"))


def test_programs_get_files_and_lines(project, run):
    """With whether it was done."""
    data = json.loads(run("rules", "edit", "qa", "--rule", "1=Run all.", "--json").stdout)
    assert (data["applied"], data["files"], data["findings"]) == (True, [".limpet/rules/qa"], [])
    assert data["changed"][-1] == {"file": ".limpet/rules/qa", "line": 3, "sign": "+", "text": "QA_RULE_1=Run all."}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("add", "qa"), "Domain QA already exists"),
        (("edit", "qas", "--add-rule", "x"), "No domain QAS: .limpet/rules/manifest. Did you mean QA?"),
        (("off", "constitution"), "The constitution cannot be switched off"),
        (("edit", "qa", "--rename", "context"), "cannot be renamed"),
        (("edit", "qa", "--rename", "global"), "cannot be renamed"),
        (("remove", "constitution", "--yes"), "The constitution cannot be removed"),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_written(project, run, arguments, words):
    """In one line, with what to do."""
    before = every_file(project)
    assert refused(run("rules", *arguments), words)
    assert every_file(project) == before


@pytest.mark.parametrize("spoilt", [b"<<<<<<< ours\nQA_STATE=on\n=======\n>>>>>>> theirs\n", b"QA_RECALL=\xff\n"])
def test_a_file_that_an_edit_would_spoil_is_refused(project, run, spoilt):
    """A merge conflict, bytes that are no UTF-8."""
    write(project.path("rules", "manifest"), b"QA_STATE=on\n" + spoilt)
    before = every_file(project)
    assert refused(run("rules", "edit", "qa", "--add-recall", "x"), ".limpet/rules/manifest")
    assert every_file(project) == before


def test_edits_at_once_all_count(project):
    """Twelve processes, one lock: each reads what the one before wrote."""
    environment = {**os.environ, "PYTHONPATH": SOURCE}
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "limpet", "rules", "edit", "qa", "--add-rule", f"Rule of process {number}."],
            cwd=project.root,
            env=environment,
            stdout=subprocess.DEVNULL,
        )
        for number in range(12)
    ]
    assert [process.wait() for process in started] == [0] * 12
    lines = rules(project, "qa").splitlines()
    assert sorted(int(line.rpartition(" ")[2].rstrip(".")) for line in lines[3:]) == list(range(12))
    assert len({line.partition("=")[0] for line in lines[1:]}) == 14


def test_suggest_proposes_words_of_the_rules_that_call_nothing_yet(project, run):
    """With a command that takes them."""
    write(
        project.path("rules", "qa"), "QA_RULE_0=Mock the network in a test.\nQA_RULE_1=No test waits for the network.\n"
    )
    found = json.loads(run("rules", "show", "--suggest", "qa", "--json").stdout)
    assert found[0]["word"] == "network"
    assert found[0]["count"] == 2
    assert "test" not in [one["word"] for one in found]
    assert 'limpet rules edit qa --add-recall "network' in run("rules", "show", "--suggest", "qa").stdout


@pytest.mark.parametrize(
    "options",
    [
        ("add", "NEW", "--recall"),
        ("add", "NEW", "--exclude"),
        ("add", "NEW", "--workflow"),
        ("add", "NEW", "--agent"),
        ("add", "NEW", "--rule"),
        ("add",),
        ("edit", "API", "--add-rule"),
        ("edit", "API", "--add-recall"),
        ("edit", "API", "--add-exclude"),
        ("edit", "API", "--recall"),
    ],
    ids=" ".join,
)
def test_a_secret_comes_into_no_rule_file(project, run, options):
    """Neither a token of a known form nor a value of ``.env``; what refuses it does not say it again."""
    know_secret(project.root)
    assert run("rules", "add", "API", "--recall", "endpoint", "--rule", "x").returncode == 0
    before = rules(project)
    for secret in (*SECRETS, "password=hunter2hunter2"):
        done = run("rules", *options, secret)
        assert (done.returncode, done.stdout) == (1, "")
        assert "contains a secret" in done.stderr and secret not in done.stderr
    assert rules(project) == before and leaks(project) == []


def test_a_keyword_that_is_a_value_of_env_can_be_taken_away(project, run):
    """By its name, where a person had written it."""
    know_secret(project.root)
    write(project.path("rules", "manifest"), f"API_RECALL=endpoint, {KNOWN}\n")
    write(project.path("rules", "api"), f"API_RULE_0=Open with {KNOWN}.\n")
    checked = run("rules", "check").stdout
    assert "rules/manifest:1: looks like a secret" in checked
    assert "rules/api:1: looks like a secret" in checked
    assert KNOWN not in run("rules", "show", "API").stdout + run("rules", "list", "--json").stdout
    assert run("rules", "edit", "API", "--remove-recall", KNOWN).returncode == 0
    assert rules(project) == "API_RECALL=endpoint\n"


def test_usual_words_are_no_secret(project, run):
    """Though some of them speak of secrets."""
    know_secret(project.root)
    words = "bearer token, authorization header, jwt, api key, password reset, oauth_token, .env, access-token"
    assert run("rules", "add", "AUTH_TOKEN", "--recall", words, "--rule", "Never log a password.").returncode == 0


def test_a_rule_is_said_where_work_begins_by_a_line_of_its_own(project, run):
    """Which its domain is listed with, which goes with its rule, and which is a mistake without one."""
    for number in (1, 5):
        assert run("rules", "edit", "qa", "--add-rule", f"QA_DEED_{number}=testing, committing").returncode == 0
    listed = {one["name"]: one for one in json.loads(run("rules", "list", "--json").stdout)}
    assert "work on testing, committing" in listed["QA"]["called_by"] and listed["QA"]["rules"] == 2
    assert "QA_DEED_5 belongs to no rule" in run("rules", "check").stdout
    assert run("rules", "edit", "qa", "--remove-rule", "QA_RULE_1").returncode == 0
    assert "QA_DEED_1" not in rules(project, "qa") and "QA_DEED_5" in rules(project, "qa")


def test_files_is_understood_as_paths(project, run):
    done = run("rules", "add", "sql", "--files", "*.sql", "--rule", "Name it.")
    assert done.returncode == 0 and "SQL_PATHS=*.sql" in rules(project)
    assert "--files" not in run("rules", "add", "--help").stdout


def test_in_a_repository_it_is_said_that_git_sees_the_rules(project, run):
    """Until they are committed, or listed among what it leaves out."""
    subprocess.run(["git", "init", "-q", project.root], check=True)
    added = run("rules", "add", "sql", "--always-on", "--rule", "Name it.").stdout
    assert "git shows .limpet/ as new. Commit it to share the rules" in added
    subprocess.run(["git", "add", ".limpet"], cwd=project.root, check=True)
    assert "git shows" not in run("rules", "edit", "sql", "--add-rule", "Quote it.").stdout
