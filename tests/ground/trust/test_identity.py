"""What a folder is known by: the address of its remote, however it is written, and only from the repository's file."""

import os

import pytest

from limpet.ground.trust.consent import read_remote

from ...hostile_git import git


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
