"""Records of consent: read back as they were given, and bound to path, owner and key."""

import os

import pytest

from limpet.ground.trust import consent as room
from limpet.ground.trust.consent import admit, consent_path, find_consent, read_consent, read_remote
from limpet.ground.trust.giving import former_place, give_trust, revoke_trust, trusted_projects
from limpet.ground.workspace import workspace_at

from ...hostile_git import git


@pytest.fixture
def project(tmp_path):
    (tmp_path / "shop" / ".limpet").mkdir(parents=True)
    return workspace_at(str(tmp_path / "shop"))


@pytest.mark.parametrize("agreed", [{}, {"recovery.spawn": "on", "retention.days": 5, "x": [1.5, None, "ü\ud800"]}])
def test_a_record_is_read_as_it_was_given(project, agreed):
    given = give_trust(project, agreed, 1_800_000_000.0)
    assert read_consent(consent_path(project.home)) == given
    assert (given.root, given.at) == (os.path.realpath(project.root), "2027-01-15T08:00:00Z")


def test_a_trusted_project_is_itself_and_another_one_a_stranger(project):
    stand_in = admit(project)
    assert stand_in.stranger == project.root
    assert not stand_in.home.startswith(project.root)
    give_trust(project, {}, 0.0)
    assert admit(project) == project


def test_a_project_reached_by_a_link_is_the_same_and_one_of_another_owner_is_not(project, tmp_path, monkeypatch):
    give_trust(project, {}, 0.0)
    (tmp_path / "also").symlink_to(project.root)
    assert find_consent(workspace_at(str(tmp_path / "also")))
    monkeypatch.setattr(room, "file_owner_of", lambda home: 12345)
    assert find_consent(project) is None


def test_all_trusted_projects_are_listed(project, tmp_path):
    (tmp_path / "bakery" / ".limpet").mkdir(parents=True)
    for workspace in (project, workspace_at(str(tmp_path / "bakery"))):
        give_trust(workspace, {}, 0.0)
    assert [os.path.basename(one.root) for one in trusted_projects().values()] == ["bakery", "shop"]
    assert revoke_trust(project)
    assert not revoke_trust(project)
    assert [os.path.basename(one.root) for one in trusted_projects().values()] == ["bakery"]


def test_a_moved_folder_is_known_by_its_place_on_the_disk(project, tmp_path):
    """A copy of one that is still there was not moved."""
    given = give_trust(project, {}, 0.0)
    (tmp_path / "copy" / ".limpet").mkdir(parents=True)
    assert former_place(workspace_at(str(tmp_path / "copy"))) is None
    os.rename(project.root, tmp_path / "moved")
    assert former_place(workspace_at(str(tmp_path / "moved"))) == given


@pytest.fixture
def repository(tmp_path):
    git(tmp_path, "init", "-q", "shop")
    return tmp_path / "shop"


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("https://example.org/acme/shop.git", "example.org/acme/shop"),
        ("https://user:secret@example.org/acme/shop/", "example.org/acme/shop"),
        ("https://example.org/acme/shop?token=secret", "example.org/acme/shop"),
        ("git@example.org:acme/shop.git", "example.org/acme/shop"),
        ("ssh://git@example.org/acme/shop", "example.org/acme/shop"),
        ("ssh://git@example.org:2222/acme/shop", "example.org:2222/acme/shop"),
        ("/srv/git/shop.git", "/srv/git/shop"),
        ("../shop", "../shop"),
    ],
)
def test_one_repository_has_one_address_without_a_password(repository, url, address):
    git(repository, "remote", "add", "origin", url)
    assert read_remote(str(repository)) == address


def test_origin_comes_before_the_first(repository):
    git(repository, "remote", "add", "a", "https://example.org/a")
    assert read_remote(str(repository)) == "example.org/a"
    git(repository, "remote", "add", "origin", "https://example.org/origin")
    git(repository, "remote", "set-url", "--push", "origin", "https://example.org/push")
    assert read_remote(str(repository)) == "example.org/origin"


def test_no_other_file_is_read_and_no_repository_has_none(repository, tmp_path):
    (tmp_path / "more").write_text('[remote "origin"]\n\turl = https://example.org/evil\n')
    with open(repository / ".git" / "config", "a", encoding="utf-8") as file:
        file.write(f"[include]\n\tpath = {tmp_path}/more\n")
    (tmp_path / "plain").mkdir()
    assert read_remote(str(repository)) == read_remote(str(tmp_path / "plain")) == ""


@pytest.mark.parametrize("way", ["below", "worktree", "bare", "submodule"])
def test_it_is_that_of_the_repository_around(repository, tmp_path, way):
    git(repository, "commit", "-q", "--allow-empty", "-m", "x")
    git(repository, "remote", "add", "origin", "https://example.org/acme/shop")
    if way == "below":
        os.makedirs(repository / "packages" / "a")
        assert read_remote(str(repository / "packages" / "a")) == "example.org/acme/shop"
    elif way == "worktree":
        git(repository, "worktree", "add", "-q", str(tmp_path / "tree"))
        assert read_remote(str(tmp_path / "tree")) == "example.org/acme/shop"
    elif way == "bare":
        git(tmp_path, "clone", "-q", "--bare", str(repository), "bare.git")
        git(tmp_path / "bare.git", "worktree", "add", "-q", str(tmp_path / "tree"))
        assert read_remote(str(tmp_path / "tree")) == str(repository)
    else:
        git(tmp_path, "init", "-q", "outer")
        git(
            tmp_path / "outer", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repository), "in"
        )
        assert read_remote(str(tmp_path / "outer" / "in")) == str(repository)
