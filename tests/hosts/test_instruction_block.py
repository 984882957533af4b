"""The session lock's block goes out of instruction files without a trace."""

import os

import pytest

from limpet.hosts.file_changes import apply_changes
from limpet.hosts.installation import plan_block_removal
from limpet.work.lock import update_blocks

LOCKED = {"lock": {"active": True}}


@pytest.mark.parametrize(
    "raw", [b"# Mine\n", b"# Mine", b"\xef\xbb\xbf# Mine\r\nx\r\n", b"", b"\xe9 latin\n", None], ids=repr
)
def test_removal_brings_the_old_bytes_back(project, raw):
    """LF, no last line break, CRLF with BOM, empty, another encoding, and no file at all."""
    path = project / "CLAUDE.md"
    if raw is not None:
        path.write_bytes(raw)
    update_blocks(str(project), LOCKED, wanted=True)
    update_blocks(str(project), {}, wanted=False)
    apply_changes(plan_block_removal(str(project)).pending())
    assert (path.read_bytes() if path.exists() else None) == raw


def test_what_was_written_beside_it_since_stays(project):
    """A file that was made for the block is the user's once they wrote into it."""
    update_blocks(str(project), LOCKED, wanted=True)
    path = project / "CLAUDE.md"
    path.write_bytes(path.read_bytes() + b"mine\n")
    apply_changes(plan_block_removal(str(project)).pending())
    assert path.read_bytes() == b"mine\n"


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links here")
def test_a_linked_file_is_changed_once_and_the_link_stays(project):
    """CLAUDE.md is often a link to AGENTS.md."""
    (project / "AGENTS.md").write_bytes(b"# Mine\n")
    (project / "CLAUDE.md").symlink_to("AGENTS.md")
    update_blocks(str(project), LOCKED, wanted=True)
    changes = plan_block_removal(str(project)).pending()
    assert len(changes) == 1
    apply_changes(changes)
    assert (project / "CLAUDE.md").is_symlink() and (project / "AGENTS.md").read_bytes() == b"# Mine\n"
