"""Records of consent: read back as they were given, and bound to repository, place, owner and key."""

import os
import shutil

import pytest

from limpet.ground.errors import LimpetError
from limpet.ground.repository import ID
from limpet.ground.storage.user_folders import projects_folder
from limpet.ground.trust import consent as room
from limpet.ground.trust.consent import (
    MOVED,
    REPLACED,
    admit,
    consent_path,
    find_consent,
    find_lapsed,
    read_consent,
)
from limpet.ground.trust.giving import forget_project, give_trust, revoke_trust, trusted_projects, use_above
from limpet.ground.workspace import find_workspace, workspace_at

from ...hostile_git import git


@pytest.fixture
def project(tmp_path):
    (tmp_path / "shop" / ".limpet").mkdir(parents=True)
    return workspace_at(str(tmp_path / "shop"))


@pytest.mark.parametrize("agreed", [{}, {"recovery.spawn": "on", "retention.days": 5, "x": [1.5, None, "ü\ud800"]}])
def test_a_record_is_read_as_it_was_given(project, agreed):
    given = read_consent(consent_path(give_trust(project, agreed, 1_800_000_000.0)))
    assert given.agreed == agreed
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
    monkeypatch.setattr(room, "owner_of", lambda root: 12345)
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
    give_trust(project, {}, 0.0)
    (tmp_path / "copy" / ".limpet").mkdir(parents=True)
    assert find_lapsed(workspace_at(str(tmp_path / "copy"))) is None
    os.rename(project.root, tmp_path / "moved")
    assert find_lapsed(workspace_at(str(tmp_path / "moved")))[1] == MOVED


def test_another_folder_at_the_place_is_another_project(project, tmp_path):
    give_trust(project, {}, 0.0)
    os.rename(project.root, tmp_path / "away")
    os.makedirs(project.home)
    assert find_lapsed(project)[1] == REPLACED


@pytest.fixture
def repository(tmp_path):
    git(tmp_path, "init", "-q", "shop")
    git(tmp_path / "shop", "commit", "-q", "--allow-empty", "-m", "one")
    (tmp_path / "shop" / ".limpet").mkdir()
    return tmp_path / "shop"


def trusted(root):
    return give_trust(workspace_at(str(root)), {}, 0.0)


def test_worktrees_are_one_project_with_a_state_each(repository, tmp_path):
    """Also one without a folder of rules, as on a branch that has none."""
    main = trusted(repository)
    git(repository, "worktree", "add", "-q", str(tmp_path / "tree"))
    linked = workspace_at(str(tmp_path / "tree"))
    assert find_consent(linked)
    assert (linked.shared, linked.state != main.state) == (main.shared, True)


def test_a_bare_repository_beside_its_worktrees(tmp_path, repository):
    git(tmp_path, "clone", "-q", "--bare", str(repository), "all/.bare")
    (tmp_path / "all" / ".git").write_text("gitdir: ./.bare\n")
    for name in ("main", "feature"):
        git(tmp_path / "all", "worktree", "add", "-q", "-b", f"on-{name}", name)
    one = trusted(tmp_path / "all" / "main")
    other = find_workspace(str(tmp_path / "all" / "feature"))
    assert (other.shared, bool(find_consent(other))) == (one.shared, True)


def test_two_projects_of_a_repository_stay_two(repository):
    for name in ("a", "b"):
        (repository / name / ".limpet").mkdir(parents=True)
    assert len({trusted(root).shared for root in (repository, repository / "a", repository / "b")}) == 3
    assert len(trusted_projects()) == 3


def test_a_project_is_known_without_its_folder(repository):
    """As on a branch that has none, and from below."""
    main = trusted(repository)
    (repository / ".limpet").rmdir()
    (repository / "src").mkdir()
    assert find_workspace(str(repository / "src")) == main
    assert find_consent(main)


def test_a_submodule_belongs_to_the_repository_around_it(repository, tmp_path):
    git(tmp_path, "init", "-q", "outer")
    outer = trusted(tmp_path / "outer")
    git(tmp_path / "outer", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repository), "in")
    assert find_workspace(str(tmp_path / "outer" / "in")) == outer


@pytest.mark.parametrize(
    ("way", "why"),
    [("moved", MOVED), ("copied", MOVED), ("cloned anew", REPLACED), ("id", REPLACED), ("pointer", MOVED)],
)
def test_an_id_alone_gives_nothing(repository, tmp_path, way, why):
    """Another place, another repository at the place, one that lost its id, and a file that points to it."""
    trusted(repository)
    place = tmp_path / "there"
    if way == "moved":
        os.rename(repository, place)
    elif way == "copied":
        shutil.copytree(repository, place)
    elif way == "pointer":
        (place / ".limpet").mkdir(parents=True)
        (place / ".git").write_text(f"gitdir: {repository}/.git\n")
    elif way == "id":
        place = repository
        (place / ".git" / ID).unlink()
    else:
        git(tmp_path, "clone", "-q", str(repository), "again")
        shutil.rmtree(repository)
        os.rename(tmp_path / "again", repository)
        (repository / ".limpet").mkdir()
        place = repository
    found = workspace_at(str(place))
    assert find_consent(found) is None
    assert find_lapsed(found)[1] == why
    assert admit(found).stranger == str(place)


def test_a_copy_gets_an_id_of_its_own(repository, tmp_path):
    main = trusted(repository)
    shutil.copytree(repository, tmp_path / "copy")
    copy = trusted(tmp_path / "copy")
    assert copy.shared != main.shared
    assert find_consent(main) and find_consent(copy)


def test_a_file_that_points_to_anothers_repository_gets_no_trust(repository, tmp_path):
    trusted(repository)
    (tmp_path / "forged" / ".limpet").mkdir(parents=True)
    (tmp_path / "forged" / ".git").write_text(f"gitdir: {repository}/.git\n")
    with pytest.raises(LimpetError, match="points to the repository"):
        trusted(tmp_path / "forged")
    assert find_consent(workspace_at(str(repository)))


def test_a_hostile_id_leads_nowhere_else(repository):
    (repository / ".git" / ID).write_text("../../../x\n")
    assert os.path.dirname(workspace_at(str(repository)).data) == projects_folder()


def test_a_conversation_that_began_in_trust_stays_bound(repository):
    main = trusted(repository)
    (repository / ".git" / ID).unlink()
    stand_in = admit(workspace_at(str(repository)), main.state)
    assert (stand_in.stranger, stand_in.state) == (str(repository), main.state)
    assert not stand_in.home.startswith(str(repository))


def test_what_is_forgotten_leaves_no_id(repository):
    (repository / "inner" / ".limpet").mkdir(parents=True)
    inner, main = trusted(repository / "inner"), trusted(repository)
    forget_project(main)
    assert (repository / ".git" / ID).exists()
    forget_project(inner)
    assert not (repository / ".git" / ID).exists()


def test_a_project_above_the_repository_is_used_only_when_that_was_said(repository, tmp_path):
    (repository / ".limpet").rmdir()
    (tmp_path / ".limpet").mkdir()
    above = trusted(tmp_path)
    assert find_workspace(str(repository)) is None
    use_above(above, str(repository))
    assert find_workspace(str(repository)) == above
