"""Which YAML files speak for a project."""

import os

import pytest

from limpet.ground.config import mirror
from limpet.ground.trust.consent import consent_path


def test_the_users_file_lies_where_the_desktop_standard_says(monkeypatch, tmp_path):
    """XDG_CONFIG_HOME is honoured when it is an absolute path."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert mirror.user_config_path() == str(tmp_path / "limpet" / "config.yaml")


@pytest.mark.parametrize("folder", ["", "relative/path"])
def test_without_a_usable_setting_it_is_in_the_home_folder(monkeypatch, folder):
    """An unset, empty or relative XDG_CONFIG_HOME is no place."""
    monkeypatch.setenv("XDG_CONFIG_HOME", folder)
    monkeypatch.setattr(mirror.sys, "platform", "linux")
    assert mirror.user_config_path() == os.path.join(os.path.expanduser("~"), ".config", "limpet", "config.yaml")


def test_windows_uses_its_application_data(monkeypatch, tmp_path):
    """On Windows APPDATA is the place unless XDG_CONFIG_HOME is set."""
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("APPDATA", str(tmp_path))
    monkeypatch.setattr(mirror.sys, "platform", "win32")
    assert mirror.user_config_path() == str(tmp_path / "limpet" / "config.yaml")


def test_the_strongest_file_comes_last(workspace):
    """User, project, local; the mirror is made from the session too, and by what the user agreed to."""
    own = [workspace.path(name) for name in ("config.yaml", "config.local.yaml", "session.yaml")]
    assert list(mirror.source_files(workspace)) == [mirror.user_config_path(), *own, consent_path(workspace.home)]
