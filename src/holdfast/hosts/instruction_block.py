"""Removes the session lock's block from the instruction files, for an uninstallation."""

from __future__ import annotations

from holdfast.ground.formats.marked_block import take_block
from holdfast.ground.storage.files import read_bytes
from holdfast.hosts.file_changes import Change, Plan
from holdfast.work.lock.instruction_file import marked_files


def plan_block_removal(root: str) -> Plan:
    """Return the changes that remove our block from the instruction files of the project at ``root``.

    A file that was made for the block is removed. Raises HoldfastError for markers that do not pair.
    """
    before = {path: read_bytes(path) for path in marked_files(root)}
    what = "remove the block of the session lock"
    return Plan(tuple(Change(path, what, raw, take_block(raw, path)) for path, raw in before.items()))
