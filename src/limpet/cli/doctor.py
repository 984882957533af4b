"""``limpet doctor``: shows what is right and wrong with the installation, and how to fix it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence

import click

from limpet.cli.output import emit, json_fields, json_option
from limpet.cli.screen import Line, is_terminal, progress, styled
from limpet.cli.table import table
from limpet.hosts.doctor.checks import FAIL, FIXED, OK, WARN, Check
from limpet.hosts.doctor.examination import examine
from limpet.hosts.doctor.repair import repair

COLOURS = {OK: "green", FIXED: "green", WARN: "yellow", FAIL: "red"}


@click.command()
@click.option(
    "--fix", is_flag=True, help="Repair the launcher, remove caches of deleted projects and copies of shipped rules."
)
@json_option
def doctor(fix: bool, as_json: bool) -> None:
    """Check the installation and run each hook once. Exit code 1 if a check fails.

    \b
    Examples:
      limpet doctor
      limpet doctor --fix
      limpet doctor --json
    """
    cwd = os.getcwd()
    fixed = [*repair(cwd, lambda question: sys.stdin.isatty() and click.confirm(question, err=True))] if fix else []
    with progress("Running each hook once"):
        checks = [*fixed, *examine(cwd)]
    emit([json_fields(check) for check in checks], _lines(checks), as_json)
    if any(check.status == FAIL for check in checks):
        sys.exit(1)


def _lines(checks: Sequence[Check]) -> Iterable[Line]:
    """Return a line for each check; in a terminal they are a table, with hints below."""
    if not is_terminal():
        return (f"{one.status:<5} {one.what}" + (f"  -> {one.hint}" if one.hint else "") for one in checks)
    hints = [f"\n-> {one.hint}" if one.hint else "" for one in checks]
    marks = [styled((one.status, COLOURS.get(one.status, ""))) for one in checks]
    return table([(mark, one.what + hint) for mark, one, hint in zip(marks, checks, hints, strict=True)])
