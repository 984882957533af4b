"""Writing one setting into a configuration file."""

import os

import pytest

from limpet.ground.config.settings import config_schema, find_key, set_setting
from limpet.ground.errors import LimpetError

from ...places import private_path


def put(workspace, key, written, agree=lambda value: None):
    lock = private_path(workspace, "cache", "locks", "config.yaml.lock")
    return set_setting(workspace, workspace.path("config.yaml"), lock, key, written, agree)


def content(workspace):
    if not os.path.exists(workspace.path("config.yaml")):
        return None
    with open(workspace.path("config.yaml"), encoding="utf-8", newline="") as file:
        return file.read()


def test_a_setting_is_written_beside_what_stands_there(workspace):
    """Comments and other keys stay byte for byte."""
    with open(workspace.path("config.yaml"), "w", newline="") as file:
        file.write("# ours\r\ncontext:\r\n  characters: 9000 # less\r\n")
    assert put(workspace, "context.budgets.FRESH", "3000") == 3000
    assert content(workspace) == "# ours\r\ncontext:\r\n  characters: 9000 # less\r\n  budgets:\r\n    FRESH: 3000\r\n"


def test_a_value_that_nobody_agrees_to_is_not_written(workspace):
    """It is shown as it was understood."""

    def refuse(value):
        raise LimpetError(f"no {value + 1}")

    with pytest.raises(LimpetError, match="no 9001"):
        put(workspace, "context.characters", "9000.0", refuse)
    assert content(workspace) is None


def test_the_written_value_is_read_as_yaml(workspace):
    """Numbers, words that look like truth values and lists are what a file would mean by them."""
    assert put(workspace, "recovery.spawn", "on") == "on"
    assert put(workspace, "rules.devmode", "true") is True
    assert put(workspace, "context.layers.CRITICAL", "[L0, L1]") == ["L0", "L1"]
    assert put(workspace, "context.budgets.FRESH", "3000.0") == 3000
    assert content(workspace).endswith("  budgets:\n    FRESH: 3000\n")


@pytest.mark.parametrize(
    ("key", "written", "what"),
    [
        ("context.budgets.FRESH", "x", "must be an integer"),
        ("context.budgets.FRESH", "100", "at least 600"),
        ("context.budgts.FRESH", "700", "did you mean context.budgets"),
        ("context.brackets.MODERATE", "80", "must be above"),
        ("context", "{}", "is a section"),
        ("context.windows", "{}", "is a section"),
        ("context.characters.more", "1", "Unknown setting"),
        ("rules.match", "[", "did not find expected"),
        ("", "1", "is a section"),
    ],
)
def test_a_bad_setting_is_refused_before_anything_is_written(workspace, key, written, what):
    """Unknown keys, refused values, broken orders and broken YAML leave no file behind."""
    with pytest.raises(LimpetError, match=what):
        put(workspace, key, written)
    assert content(workspace) is None


def test_problems_that_were_there_before_do_not_hinder(workspace):
    """A file with another mistake can still be fixed step by step."""
    with open(workspace.path("config.yaml"), "w") as file:
        file.write("rules: {match: 3}\nbudget: 1\n")
    put(workspace, "context.characters", "9000")
    assert content(workspace) == "rules: {match: 3}\nbudget: 1\ncontext:\n  characters: 9000\n"


@pytest.mark.parametrize("raw", [b"a: \xff\n", b"<<<<<<< ours\na: 1\n=======\na: 2\n>>>>>>> theirs\n", b"a: [\n"])
def test_a_file_that_cannot_be_kept_whole_is_not_touched(workspace, raw):
    """Foreign encodings, merge conflicts and broken YAML are errors that name the file; its bytes stay."""
    with open(workspace.path("config.yaml"), "wb") as file:
        file.write(raw)
    with pytest.raises(LimpetError, match=r"config\.yaml"):
        put(workspace, "rules.devmode", "true")
    with open(workspace.path("config.yaml"), "rb") as file:
        assert file.read() == raw


def test_a_models_name_may_have_dots():
    """Below an open mapping the rest of the key is one name."""
    assert find_key("context.windows.claude-3.5-x", config_schema())[0] == ("context", "windows", "claude-3.5-x")
