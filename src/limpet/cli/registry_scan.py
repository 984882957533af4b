"""``limpet registry scan``."""

from __future__ import annotations

import time
from collections.abc import Iterator

from limpet.cli.output import counted, emit, json_fields, require_workspace
from limpet.cli.screen import show_progress
from limpet.operations.symbols import forget_scan, scan_project
from limpet.registry.symbols.index import Scan

INSTALL = 'pip install "limpet[scan]"'
MOST_SKIPPED = 5


def run_scan(forget: bool, as_json: bool) -> None:
    workspace = require_workspace()
    if forget:
        forget_scan(workspace, time.time())
        emit({"forgotten": True}, ["Forgot the scan: agents are not told any more what exists."], as_json)
        return
    with show_progress("Scanning") as report:
        scan = scan_project(workspace, time.time(), report)
    emit(json_fields(scan), _lines(scan), as_json)


def _lines(scan: Scan) -> Iterator[str]:
    yield f"Scanned {counted(scan.files, 'file')} ({scan.read} new or changed): {counted(scan.symbols, 'symbol')}."
    if scan.unread:
        by_language = ", ".join(f"{count} {language}" for language, count in sorted(scan.unread.items()))
        yield f"Left out for want of a grammar: {by_language}. Run: {INSTALL}"
    for path in scan.skipped[:MOST_SKIPPED]:
        yield f"Left out, as it is a link, too large or not readable: {path}"
    if len(scan.skipped) > MOST_SKIPPED:
        yield f"... and {len(scan.skipped) - MOST_SKIPPED} more"
