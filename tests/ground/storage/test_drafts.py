"""Drafts: known by their names, and left over once nobody has written to them for an hour."""

import os

import pytest

from limpet.ground.storage import drafts
from limpet.ground.storage.files import draft_path, is_draft

NOW = 2_000_000_000.0


@pytest.mark.parametrize(
    ("name", "is_ours"),
    [
        ("limpet-1-2.tmp", True),
        ("limpet-mine.tmp", False),
        ("limpet-1-2.md", False),
        ("report.1.2.tmp", False),
        ("1-2.tmp", False),
        pytest.param(os.path.basename(draft_path("x" * 250)), True, id="one of ours"),
    ],
)
def test_drafts_are_known_by_their_names(name, is_ours):
    assert is_draft(name) is is_ours
    assert os.path.dirname(draft_path(os.path.join("folder", name))) == "folder"


def test_drafts_are_old_after_an_hour(tmp_path):
    """At any depth; no link is followed, and no folder of such a name is one."""
    home = tmp_path / "home"
    (home / "deep" / "er").mkdir(parents=True)
    (home / "limpet-9-9.tmp").mkdir()
    old, young, foreign = (home / "deep" / "er" / name for name in ("limpet-1-2.tmp", "a.3.4.tmp", "mine.tmp"))
    outside = tmp_path / "outside"
    outside.mkdir()
    hidden = outside / "limpet-1-2.tmp"
    for path, age in ((old, 3600), (young, 3599), (foreign, 9999), (hidden, 9999)):
        path.touch()
        os.utime(path, (NOW - age, NOW - age))
    if hasattr(os, "symlink") and os.name != "nt":
        (home / "link").symlink_to(outside)
        (home / "limpet-5-6.tmp").symlink_to(hidden)
    assert list(drafts.old_drafts(str(home), NOW)) == [str(old)]


def test_beside_other_peoples_files_only_names_that_nobody_else_gives_are_ours(tmp_path):
    """Nothing below the folder, and no link."""
    (tmp_path / "deep").mkdir()
    ours, foreign, below = (tmp_path / name for name in ("limpet-1-2.tmp", "data.2026.01.tmp", "deep/limpet-1-2.tmp"))
    young = tmp_path / "limpet-3-4.tmp"
    for path, age in ((ours, 3600), (foreign, 9999), (below, 9999), (young, 60)):
        path.touch()
        os.utime(path, (NOW - age, NOW - age))
    assert list(drafts.old_drafts_beside(str(tmp_path), NOW)) == [str(ours)]
    assert list(drafts.old_drafts_beside(str(tmp_path / "nowhere"), NOW)) == []
