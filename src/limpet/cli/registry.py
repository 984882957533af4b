"""``limpet registry``."""

from __future__ import annotations

import click

from limpet.cli.groups import SuggestingChoice
from limpet.cli.output import json_option
from limpet.cli.registry_scan import run_scan

SCAN = "scan"


@click.command()
@click.argument("action", type=SuggestingChoice((SCAN,)))
@click.option("--forget", is_flag=True, help="With scan: remove what was scanned, and tell agents no more.")
@json_option
def registry(action: str, forget: bool, as_json: bool) -> None:
    """Scan the project's code for what exists.

    An agent that writes again what is there is told then, once in a conversation.

    Python is always read; JavaScript, TypeScript, Go, Java and Rust with the extra `scan`. Files that git ignores are
    left out. A later scan reads what changed only.

    \b
    Examples:
      limpet registry scan
      limpet registry scan --forget
    """
    run_scan(forget, as_json)
