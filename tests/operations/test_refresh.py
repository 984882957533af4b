"""What a conversation starts from, brought up to date."""

import os

from limpet.ground.config.mirror import mirror_path
from limpet.operations.refresh import refresh_all
from limpet.operations.work.documents import find_documents

from ..memories import Memories
from .callers import NOW, opened


def test_memories_that_people_edited_are_read_again(workspace):
    """Those that are gone are counted too."""
    memories = Memories(workspace)
    memories.add("The blue cluster is slow")
    path = memories.path(memories.add("The red cluster is slow"))
    os.unlink(path)
    assert refresh_all(workspace, NOW).removed == 1


def test_with_documents_the_mirror_is_made_anew(workspace):
    """It has no stamps of the files that they describe; without them nothing is made."""
    assert refresh_all(workspace, NOW).changed == 0 and not os.path.exists(mirror_path(workspace))
    find_documents(opened(workspace), track=True)
    os.unlink(mirror_path(workspace))
    refresh_all(workspace, NOW)
    assert os.path.exists(mirror_path(workspace))
