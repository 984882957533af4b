"""The scan of a project's code, for command and job."""

from __future__ import annotations

from limpet.ground.errors import LimpetError
from limpet.ground.storage.files import remove_file
from limpet.ground.storage.user_folders import SYMBOLS
from limpet.ground.workspace import Workspace
from limpet.memory.index.gone import note_gone
from limpet.registry.symbols.index import Progress, Scan, scan_symbols


def scan_project(workspace: Workspace, now: float, report: Progress | None = None) -> Scan:
    """Bring the index up to date, and note for the memories which names are gone. Raise LimpetError where it cannot be
    written."""
    try:
        scan = scan_symbols(workspace, report)
        note_gone(workspace.shared, scan.gone, now)
    except OSError as error:
        raise LimpetError(f"Cannot write ({error.strerror})", workspace.kept(SYMBOLS), "Run: limpet doctor") from None
    return scan


def forget_scan(workspace: Workspace, now: float) -> None:
    remove_file(workspace.kept(SYMBOLS))
    note_gone(workspace.shared, (), now)
