"""``limpet spec``."""

from __future__ import annotations

import click

from limpet.cli.groups import Commands


@click.group(
    cls=Commands,
    sections={
        "See": dict.fromkeys(("status", "protocol", "log"), "limpet.cli.spec.documents"),
        "Change": {
            "scan": "limpet.cli.spec.documents",
            "evaluate": "limpet.cli.spec.documents:evaluate_document",
            "backlog": "limpet.cli.spec.documents",
        },
    },
)
def spec() -> None:
    """Score the project's documents and find stale ones.

    \b
    Examples:
      limpet spec scan --write
      limpet spec status
      limpet spec evaluate architecture
    """
