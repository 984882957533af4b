"""``holdfast doctor``: shows what is right and wrong with the installation, and how to fix it."""

from __future__ import annotations

import os
import sys

import click

from holdfast.cli.output import emit, json_fields, json_option
from holdfast.hosts.checks import FAIL
from holdfast.hosts.examination import examine


@click.command()
@json_option
def doctor(as_json: bool) -> None:
    """Check hooks, settings and folders; run each hook once. Exit code 1 when something fails.

    \b
    Examples:
      holdfast doctor
      holdfast doctor --json
    """
    checks = list(examine(os.getcwd()))
    lines = (f"{one.status:<4}  {one.what}" + (f"  -> {one.hint}" if one.hint else "") for one in checks)
    emit([json_fields(check) for check in checks], lines, as_json)
    if any(check.status == FAIL for check in checks):
        sys.exit(1)
