"""Settings as people read and change them."""

import os

import pytest

from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.config.mirror import mirror_path, read_mirror
from limpet.ground.config.settings import read_layers
from limpet.ground.errors import LimpetError
from limpet.operations.settings import change_setting, find_setting, listed_settings

from .callers import agrees, refuses


@pytest.mark.parametrize(("scope", "name"), [("", "config.yaml"), ("local", "config.local.yaml")])
def test_a_setting_is_in_force_at_once(workspace, scope, name):
    """The hook's mirror is brought up to date with the file."""
    value, file = change_setting(workspace, scope, "rules.match", "substring", 0.0, refuses)
    assert (value, file) == ("substring", os.path.join(workspace.data if scope else workspace.home, name))
    assert os.path.exists(mirror_path(workspace))
    assert read_mirror(workspace).settings["rules"]["match"] == "substring"


def test_a_setting_that_acts_takes_a_persons_word(workspace):
    """On what it would be set to, and where; without it the file stays as it is."""
    with pytest.raises(LimpetError, match=r"Set retention.days to 5 in .*config.yaml"):
        change_setting(workspace, "", "retention.days", "5", 0.0, refuses)
    assert not os.path.exists(workspace.path("config.yaml"))
    change_setting(workspace, "", "retention.days", "5", 0.0, agrees)
    assert read_mirror(workspace).settings["retention"]["days"] == 5


def test_a_persons_own_setting_needs_no_project(workspace, tmp_path):
    """It holds in all of them."""
    _, file = change_setting(None, "user", "work.mode", "build", 0.0, refuses)
    assert file.startswith(str(tmp_path / "user"))
    assert read_mirror(workspace).settings["work"]["mode"] == "build"


@pytest.mark.parametrize("key", ["rules.mtach", "rules.match.more", "nothing.of.it"])
def test_a_key_names_a_value_a_section_or_everything(key):
    """An unknown one is refused with one that is near, or the way to the list."""
    assert find_setting(DEFAULTS, "rules.match") == DEFAULTS["rules"]["match"]
    assert find_setting(DEFAULTS, "rules") == DEFAULTS["rules"]
    assert find_setting(DEFAULTS, "") == DEFAULTS
    with pytest.raises(LimpetError, match=r"Unknown setting.*(\?|config get)"):
        find_setting(DEFAULTS, key)


def test_a_list_names_the_layer_of_every_setting(workspace):
    """The project's own, and the defaults."""
    change_setting(workspace, "", "rules.match", "substring", 0.0, refuses)
    found = listed_settings(read_layers(workspace))
    assert found["rules.match"] == {"value": "substring", "from": ".limpet/config.yaml"}
    assert found["work.mode"] == {"value": DEFAULTS["work"]["mode"], "from": "default"}
