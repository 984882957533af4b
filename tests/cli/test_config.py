"""``limpet config`` by its door."""

import json
import os

import pytest

from limpet.ground.storage.files import read_text
from limpet.ground.storage.user_folders import user_config_path

from ..conversation import write


def test_local_and_user_choose_the_file(workspace, run):
    """Each scope has its file."""
    run("config", "set", "rules.match", "word", "--user")
    run("config", "set", "rules.devmode", "true", "--local")
    assert read_text(user_config_path()) == "rules:\n  match: word\n"
    assert read_text(os.path.join(workspace.data, "config.local.yaml")) == "rules:\n  devmode: true\n"
    assert not os.path.exists(workspace.path("config.yaml"))


def test_the_users_file_can_be_set_outside_a_project(run, tmp_path):
    """No project is needed for what holds in all of them."""
    done = run("config", "set", "rules.match", "word", "--user", "--json", cwd=tmp_path)
    assert json.loads(done.stdout) == {"key": "rules.match", "value": "word", "file": user_config_path()}
    assert run("config", "get", "rules.match", cwd=tmp_path).stdout == "word\n"
    assert run("config", "set", "rules.match", "word", cwd=tmp_path).returncode == 1


def test_get_prints_a_value_a_section_or_everything(workspace, run):
    """People get lines, programs JSON."""
    assert run("config", "get", "context.characters").stdout == "9500\n"
    assert run("config", "get", "guard.unclear").stdout == "ask\n"
    assert run("config", "get", "context.brackets").stdout.splitlines()[0] == "context.brackets.FRESH: 60"
    assert json.loads(run("config", "get", "context.brackets", "--json").stdout)["FRESH"] == 60
    assert json.loads(run("config", "get", "--json").stdout)["work.mode"]["value"] == "planning"


def test_list_names_where_each_value_comes_from(workspace, run):
    """Every setting is there, with its file or as default."""
    write(workspace.path("config.yaml"), "rules: {match: word}\n")
    rows = json.loads(run("config", "get", "--json").stdout)
    assert rows["rules.match"] == {"value": "word", "from": ".limpet/config.yaml"}
    assert rows["context.window"] == {"value": 1_000_000, "from": "default"}
    assert "rules.match: word  (.limpet/config.yaml)\n" in run("config", "get").stdout


def test_what_is_wrong_in_a_file_is_told_by_doctor_and_where_settings_are_read(workspace, run):
    """With file and line."""
    assert "Configuration OK" in run("doctor", "--all").stdout
    write(workspace.path("config.yaml"), "rules:\n  match: 3\n")
    line = ".limpet/config.yaml:2: rules.match must be one of words, word, substring (got 3); using 'words'"
    checks = json.loads(run("doctor", "--json").stdout)
    assert ("warn", line) in [(one["status"], one["what"]) for one in checks]
    assert run("config", "get", "rules.match").stderr == f"limpet: {line}\n"


def test_a_value_may_begin_with_a_hyphen(run):
    """It is refused for what is wrong with it; options are options still."""
    done = run("config", "set", "context.budgets.FRESH", "-5")
    assert done.stderr == "limpet: context.budgets.FRESH must be at least 600 (got -5). Nothing was changed.\n"
    assert run("config", "set", "context.budgets.FRESH", "3000", "--locl").returncode == 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("get", "zzz"), "zzz. Run: limpet config get"),
        (("set", "zzz", "1"), "zzz. Run: limpet config get"),
        (("get", "context.budgts"), "context.budgts (did you mean context.budgets?)"),
    ],
)
def test_an_unknown_key_is_answered_with_the_nearest_or_sent_to_the_list(run, arguments, told):
    """In one line."""
    assert run("config", *arguments).stderr == f"limpet: Unknown setting: {told}\n"


@pytest.mark.parametrize("scope", [[], ["--local"], ["--user"]])
@pytest.mark.parametrize("key", ["memory.capture_model", "work.checks.test", "no.such.setting"])
def test_a_secret_is_refused_without_a_word_of_it(workspace, run, key, scope):
    """Before the person is asked, and with nothing written: no file, no consent."""
    secret = "sk-ant-" + "api03-" + "aB3" * 31
    done = run("config", "set", key, f"model {secret}", *scope)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"limpet: Reads as a secret, which no settings hold: {key}. Keep it in an environment variable.\n"
    )
    written = [os.path.join(top, name) for top, _, names in os.walk(os.path.dirname(workspace.root)) for name in names]
    assert not any(secret in read_text(path) for path in written if path.endswith((".yaml", ".json", ".jsonl")))
    assert not os.path.exists(user_config_path() if scope == ["--user"] else workspace.path("config.yaml"))
