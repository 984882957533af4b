"""``holdfast doctor``: shows what is right and wrong with the installation, and how to mend it."""

from __future__ import annotations

import os
import sys

import click

from holdfast.cli.output import emit, json_fields, json_option
from holdfast.hosts.checks import FAIL, Check
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
    emit([json_fields(check) for check in checks], map(_line, checks), as_json)
    if any(check.status == FAIL for check in checks):
        sys.exit(1)


def _line(check: Check) -> str:
    return f"{check.status:<4}  {check.what}" + (f"  -> {check.hint}" if check.hint else "")
