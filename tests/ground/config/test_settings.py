"""The settings in force."""

import os

import pytest

from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.config.settings import config_schema, find_key, load_settings, origins, read_layers, set_setting
from limpet.ground.errors import LimpetError
from limpet.ground.storage.user_folders import user_config_path

from ...places import private_path


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)


@pytest.mark.parametrize("text", ["", "# nothing\n", "context:\n", "context:\n  budgets:\n"])
def test_an_empty_file_or_section_says_nothing(workspace, text):
    """Nor none: a section whose keys are all commented out is no mistake. Outside a project the user's file counts."""
    assert load_settings(workspace) == (DEFAULTS, [])
    write(workspace.path("config.yaml"), text)
    assert load_settings(workspace) == (DEFAULTS, [])
    write(user_config_path(), "rules: {match: word}\n")
    assert load_settings(None)[0]["rules"]["match"] == "word"


def test_local_beats_project_beats_user_beats_default(workspace):
    """Each file overrides the ones below it, key by key, and the rest of a mapping stays."""
    write(user_config_path(), "context: {budgets: {FRESH: 1001, MODERATE: 1002, DEPLETED: 1003}}\n")
    write(workspace.path("config.yaml"), "context: {budgets: {MODERATE: 2002, DEPLETED: 2003}}\n")
    write(os.path.join(workspace.data, "config.local.yaml"), "context: {budgets: {DEPLETED: 3003}}\n")
    settings, problems = load_settings(workspace)
    assert settings["context"]["budgets"] == {"FRESH": 1001, "MODERATE": 2002, "DEPLETED": 3003, "CRITICAL": 800}
    assert problems == []


def test_a_list_is_replaced_and_an_open_mapping_merged(workspace):
    """Layers are given whole; models are added to those that are known."""
    write(workspace.path("config.yaml"), "context:\n  layers: {CRITICAL: [L0]}\n  windows: {claude-9.5: 1000000}\n")
    context = load_settings(workspace)[0]["context"]
    assert context["layers"]["CRITICAL"] == ["L0"]
    assert context["windows"] == {**DEFAULTS["context"]["windows"], "claude-9.5": 1_000_000}


def test_reading_leaves_the_defaults_as_they_are(workspace):
    """Dropping a bad value from a file does not reach into the shared defaults."""
    write(workspace.path("config.yaml"), "context: {brackets: {FRESH: 10}}\n")
    load_settings(workspace)
    assert DEFAULTS["context"]["brackets"] == {"FRESH": 60, "MODERATE": 40, "DEPLETED": 25}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "# c\ncontext:\n  budgets:\n    FRESH: x\n",
            ":4: context.budgets.FRESH must be an integer (got 'x'); using 2500",
        ),
        ("context:\n  budgets: {FRESH: 599}\n", ":2: context.budgets.FRESH must be at least 600 (got 599); using 2500"),
        ("context:\n  characters: 9901\n", ":2: context.characters must be at most 9900 (got 9901); using 9500"),
        ("context:\n  budgt: 3\n", ":2: Unknown key: context.budgt (did you mean context.budgets?)"),
        ("budgets:\n  FRESH: 3\n", ":1: Unknown key: budgets (did you mean context.budgets?)"),
        ("recovery: {spawn: false}\n", ":1: recovery.spawn must be one of off, on (got false); using 'off'"),
        ("work: {mode: fast}\n", ":1: work.mode must be one of planning, build, deploy (got 'fast'); using 'planning'"),
        ("rules: 3\n", ":1: rules must be a mapping (got 3); using "),
        ("- a\n", ':1: The file must be a mapping (got ["a"])'),
        ("a: 1\na: 2\n", ":2: Invalid YAML: duplicate key 'a'; the file is ignored"),
        (
            "context:\n  brackets:\n    MODERATE: 70\n",
            ":3: context.brackets.FRESH must be above context.brackets.MODERATE (got 60 and 70); using 60 and 40",
        ),
        (
            "context:\n  handoff_below: 25\n",
            ":2: context.brackets.DEPLETED must be above context.handoff_below (got 25 and 25); using 25 and 15",
        ),
    ],
)
def test_a_mistake_is_one_line_with_place_demand_and_what_holds_instead(workspace, text, problem):
    """Each fault names file, line, key, what was wanted, what was found and what is used; the rest is as if unsaid."""
    write(workspace.path("config.yaml"), text)
    settings, problems = load_settings(workspace)
    assert settings == DEFAULTS
    assert len(problems) == 1
    assert problems[0].startswith(f".limpet/config.yaml{problem}")


def test_a_bad_value_falls_back_to_the_file_below(workspace):
    """Not the default but what the next weaker file says is used, and named; good values beside it count."""
    write(user_config_path(), "context: {budgets: {FRESH: 1800}}\n")
    write(workspace.path("config.yaml"), "context: {budgets: {FRESH: -1, MODERATE: 1900}}\n")
    settings, problems = load_settings(workspace)
    assert settings["context"]["budgets"] == {**DEFAULTS["context"]["budgets"], "FRESH": 1800, "MODERATE": 1900}
    assert len(problems) == 1 and problems[0].endswith("using 1800")


def test_thresholds_are_checked_over_all_files(workspace):
    """Values that are each fine but stand in the wrong order over two files cost the stronger file's only."""
    write(user_config_path(), "context: {brackets: {FRESH: 90, MODERATE: 80}}\n")
    write(workspace.path("config.yaml"), "context: {brackets: {FRESH: 70}}\n")
    settings, problems = load_settings(workspace)
    assert settings["context"]["brackets"] == {"FRESH": 90, "MODERATE": 80, "DEPLETED": 25}
    assert len(problems) == 1


def test_every_setting_knows_its_file(workspace):
    """The origin of a value is the strongest file that gave it."""
    write(workspace.path("config.yaml"), "rules: {match: word, devmode: true}\n")
    write(os.path.join(workspace.data, "config.local.yaml"), "rules: {match: substring}\n")
    found = origins(read_layers(workspace))
    assert found["rules", "match"] == "config.local.yaml"
    assert found["rules", "devmode"] == ".limpet/config.yaml"
    assert found["context", "characters"] == "default"


def put(workspace, key, written, agree=lambda value: None):
    lock = private_path(workspace, "locks", "config.yaml.lock")
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
