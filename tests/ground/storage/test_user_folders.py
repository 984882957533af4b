"""The user's folders lie where platformdirs, the referee, says."""

import os
import subprocess
import sys

import pytest
from platformdirs.macos import MacOS
from platformdirs.unix import Unix

from limpet.ground.storage.user_folders import (
    NOWHERE,
    cache_folder,
    data_folder,
    data_record,
    is_own_file,
    project_cache,
    project_key,
    state_folder,
)


@pytest.fixture
def nothing_set(user, monkeypatch):
    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    return user


@pytest.mark.parametrize(("platform", "referee"), [("linux", Unix), ("darwin", MacOS)])
@pytest.mark.parametrize("chosen", [False, True])
def test_the_folders_are_those_of_the_platform_or_the_users_choice(
    nothing_set, monkeypatch, tmp_path, platform, referee, chosen
):
    monkeypatch.setattr("limpet.ground.storage.user_folders.sys.platform", platform)
    for kind in ("state", "cache", "data") if chosen else ():
        monkeypatch.setenv(f"XDG_{kind.upper()}_HOME", str(tmp_path / kind))
    expected = referee("limpet", appauthor=False)
    assert (state_folder(), cache_folder()) == (expected.user_state_dir, expected.user_cache_dir)
    assert data_folder() == expected.user_data_dir


def test_windows_keeps_both_in_the_local_folder_of_the_user(nothing_set, monkeypatch):
    monkeypatch.setattr("limpet.ground.storage.user_folders.sys.platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", "/profile/Local")
    assert state_folder() == os.path.join("/profile/Local", "limpet")
    assert cache_folder() == os.path.join("/profile/Local", "limpet", "Cache")
    assert data_folder() == os.path.join("/profile/Local", "limpet", "Data")


def test_a_data_folder_that_was_moved_is_on_record_for_clients_without_the_variable(monkeypatch, tmp_path):
    """The variable counts before the record, and a record that names no folder counts for nothing."""
    usual = data_folder()
    os.makedirs(state_folder())
    with open(data_record(), "w", encoding="utf-8") as file:
        file.write(str(tmp_path / "disk"))
    assert data_folder() == str(tmp_path / "disk")
    monkeypatch.setenv("LIMPET_DATA", str(tmp_path / "other"))
    assert data_folder() == str(tmp_path / "other")
    monkeypatch.delenv("LIMPET_DATA")
    with open(data_record(), "w", encoding="utf-8") as file:
        file.write("somewhere")
    assert data_folder() == usual


def test_what_the_launcher_says_counts_before_all(monkeypatch, tmp_path):
    monkeypatch.setenv("LIMPET_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("LIMPET_CACHE", str(tmp_path / "cache"))
    assert (state_folder(), cache_folder()) == (str(tmp_path / "state"), str(tmp_path / "cache"))


def test_a_relative_folder_is_no_choice(nothing_set, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", ".limpet/state")
    assert os.path.isabs(state_folder())


def test_a_project_has_one_name_whichever_links_lead_to_it(tmp_path):
    """In every process; projects of one name have folders of their own."""
    (tmp_path / "shop").mkdir()
    (tmp_path / "also").symlink_to(tmp_path / "shop")
    assert project_key(str(tmp_path / "also")) == project_key(str(tmp_path / "shop"))
    assert project_key(str(tmp_path / "shop")).startswith("shop-")
    homes = [str(tmp_path / place / "shop" / ".limpet") for place in ("a", "b")]
    assert project_cache(homes[0]) != project_cache(homes[1])
    code = f"from limpet.ground.storage.user_folders import project_key; print(project_key({str(tmp_path)!r}))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert found.strip() == project_key(str(tmp_path))


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX rights")
def test_a_cache_that_others_may_write_is_none(tmp_path):
    home = str(tmp_path / "shop" / ".limpet")
    folder = project_cache(home)
    os.makedirs(folder, 0o700)
    assert project_cache(home) == folder
    os.chmod(folder, 0o770)
    assert project_cache(home) == NOWHERE
    with pytest.raises(OSError):
        os.makedirs(NOWHERE)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give a folder away")
def test_another_users_cache_is_none(tmp_path):
    home = str(tmp_path / "shop" / ".limpet")
    os.makedirs(project_cache(home), 0o700)
    os.chown(project_cache(home), 12345, -1)
    assert project_cache(home) == NOWHERE


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX accounts")
def test_a_user_without_a_home_has_no_folders(nothing_set, monkeypatch):
    """One of the name ``~`` may lie in the project."""
    monkeypatch.setattr("limpet.ground.storage.user_folders.os.path.expanduser", lambda path: path)
    assert (state_folder(), cache_folder()) == (NOWHERE, NOWHERE)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_is_no_file_of_the_users(tmp_path):
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    told = [is_own_file(str(tmp_path / name)) for name in ("file", "link", "nothing", ".")]
    assert told == [True, False, False, False]
