"""``holdfast doctor``: shows what is right and wrong with the installation, and how to fix it."""

from __future__ import annotations

import os
import sys

import click

from holdfast.cli.output import emit, json_fields, json_option
from holdfast.hosts.doctor.checks import FAIL
from holdfast.hosts.doctor.examination import examine
from holdfast.hosts.doctor.repair import repair


@click.command()
@click.option("--fix", is_flag=True, help="Remove unused files of earlier versions, and caches of gone projects.")
@json_option
def doctor(fix: bool, as_json: bool) -> None:
    """Check hooks, settings and folders; run each hook once. Exit code 1 when something fails.

    \b
    Examples:
      holdfast doctor
      holdfast doctor --fix
      holdfast doctor --json
    """
    cwd = os.getcwd()
    checks = [*(repair(cwd) if fix else ()), *examine(cwd)]
    lines = (f"{one.status:<5} {one.what}" + (f"  -> {one.hint}" if one.hint else "") for one in checks)
    emit([json_fields(check) for check in checks], lines, as_json)
    if any(check.status == FAIL for check in checks):
        sys.exit(1)
