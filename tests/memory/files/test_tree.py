"""The folders of memories: what counts as an entry's file, and the ways out of them that are closed."""

import os
import sys

import pytest

from limpet.ground.errors import LimpetError
from limpet.memory.files import tree

PATH = "shared/durable/a.md"
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX links and pipes")


def put(shared, path, text="x"):
    full = tree.prepare(shared, path)
    with open(full, "w") as file:
        file.write(text)
    return full


@pytest.mark.parametrize(
    "path", ["../a.md", "shared/../../a.md", "shared//a.md", "/etc/passwd", "a.md", "shared/\0.md"]
)
def test_a_place_for_an_entry_lies_below_memories(shared, path):
    """What is none is refused."""
    assert tree.locate(shared, PATH)[0] == os.path.join(tree.memories(shared), *PATH.split("/"))
    with pytest.raises(LimpetError, match="Not a path for a memory"):
        tree.locate(shared, path)


@POSIX
@pytest.mark.parametrize("part", ["shared", "shared/durable", PATH])
def test_a_link_on_the_way_is_refused(shared, tmp_path, part):
    (tmp_path / "outside").mkdir()
    link = os.path.join(tree.memories(shared), *part.split("/"))
    os.makedirs(os.path.dirname(link))
    os.symlink(tmp_path / "outside", link)
    with pytest.raises(LimpetError, match=tree.PROBLEM_LINK):
        tree.locate(shared, PATH)


def test_a_name_that_is_taken_is_numbered(shared):
    put(shared, PATH)
    put(shared, "shared/durable/a-2.md")
    assert tree.free_path(shared, PATH) == "shared/durable/a-3.md"


def test_the_walk_finds_entries_in_order_and_says_why_other_files_are_none(shared):
    """Links and pipes are named and not read."""
    folder = os.path.dirname(put(shared, PATH))
    put(shared, "shared/daily/2026-11-21/b.md")
    with open(os.path.join(tree.memories(shared), "stray.txt"), "w"):
        pass
    others = [("stray.txt", "Not a path for a memory, such as shared/durable/name.md")]
    if sys.platform != "win32":
        os.symlink("a.md", os.path.join(folder, "link.md"))
        os.mkfifo(os.path.join(folder, "pipe.md"))
        others = [
            ("shared/durable/link.md", tree.PROBLEM_LINK),
            ("shared/durable/pipe.md", "Not a regular file"),
            *others,
        ]
    found = [(each.path, each.what) for each in tree.walk(shared)]
    assert found == [("shared/daily/2026-11-21/b.md", ""), (PATH, ""), *others]


def test_the_emptied_folder_of_a_day_goes_and_that_of_a_storage_stays(shared):
    os.unlink(put(shared, "shared/daily/2026-11-21/b.md"))
    os.unlink(put(shared, PATH))
    for path in ("shared/daily/2026-11-21/b.md", PATH):
        tree.prune(shared, path)
    left = os.path.join(tree.memories(shared), "shared")
    assert (os.listdir(os.path.join(left, "daily")), sorted(os.listdir(left))) == ([], ["daily", "durable"])
