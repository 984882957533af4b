"""What `init` and the session lock write into a project never goes through a link that leads out of it; a user's own
settings may be links."""

import os

import pytest

from limpet.ground.errors import LimpetError
from limpet.hosts.claude_code.host import CLIENT
from limpet.hosts.file_changes import apply_changes
from limpet.hosts.records import LOCAL, SHARED, USER
from limpet.work.lock import marked_files, update_blocks

from ...hook_host import POSIX

pytestmark = POSIX
LOCKED = {"lock": {"active": True}}


@pytest.fixture
def outside(tmp_path):
    """A folder of the user's with a file each that a link may lead to."""
    folder = tmp_path / "outside"
    folder.mkdir()
    for name in ("settings.json", "settings.local.json", "SKILL.md", "notes.md"):
        (folder / name).write_text("{}")
    return folder


def link(project, name, target):
    path = project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("scope", "name", "target"),
    [
        (LOCAL, ".claude", ""),
        (LOCAL, ".claude/settings.local.json", "settings.local.json"),
        (LOCAL, ".claude/settings.local.json", "not-there-yet"),
        (SHARED, ".claude/settings.json", "settings.json"),
        (LOCAL, ".claude/skills", ""),
        (LOCAL, ".claude/skills/limpet", ""),
        (SHARED, ".claude/skills/limpet/SKILL.md", "SKILL.md"),
        (LOCAL, ".claude/skills/limpet/.gitignore", "not-there-yet"),
    ],
)
def test_installing_through_a_link_out_of_the_project_is_refused(project, outside, scope, name, target):
    link(project, name, outside / target)
    before = contents(outside)
    with pytest.raises(LimpetError, match="Symlink out of the project.*Put the file or folder itself there"):
        CLIENT.plan_install(str(project / ".limpet"), scope)
    assert contents(outside) == before and not os.path.lexists(outside / "not-there-yet")


def test_leaving_goes_through_no_such_link_either(project, outside):
    apply_changes(CLIENT.plan_install(str(project / ".limpet"), LOCAL).pending())
    (project / ".claude").rename(outside / "claude")
    link(project, ".claude", outside / "claude")
    before = contents(outside)
    plan = CLIENT.plan_removal(str(project / ".limpet"), (LOCAL,))
    apply_changes(plan.pending())
    assert contents(outside) == before
    assert any("was not changed" in note for note in plan.notes)


def test_links_inside_and_links_of_the_user_are_followed(project, user, outside):
    (project / "config").mkdir()
    link(project, ".claude", project / "config")
    apply_changes(CLIENT.plan_install(str(project / ".limpet"), LOCAL).pending())
    assert (project / "config" / "settings.local.json").is_file()
    (user / ".claude").symlink_to(outside)
    apply_changes(CLIENT.plan_install(str(project / ".limpet"), USER).pending())
    assert "claude-code" in (outside / "settings.json").read_text()


@pytest.mark.parametrize("text", ["mine\n", None])
def test_the_lock_is_not_written_through_a_linked_instruction_file(project, outside, text):
    """Neither made there nor kept up to date."""
    if text:
        (outside / "notes.md").write_text(text)
    else:
        (outside / "notes.md").unlink()
    link(project, "CLAUDE.md", outside / "notes.md")
    before = contents(outside)
    with pytest.raises(LimpetError, match="Symlink out of the project"):
        update_blocks(str(project), LOCKED, wanted=True)
    assert contents(outside) == before


def test_a_block_that_lies_outside_is_left_alone(project, outside):
    update_blocks(str(project), LOCKED, wanted=True)
    (project / "CLAUDE.md").rename(outside / "CLAUDE.md")
    link(project, "CLAUDE.md", outside / "CLAUDE.md")
    before = contents(outside)
    assert update_blocks(str(project), {}, wanted=False) == ()
    assert contents(outside) == before and marked_files(str(project)) == ()
