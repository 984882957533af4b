"""``holdfast spec``."""

from __future__ import annotations

import click

from holdfast.cli.groups import Commands


@click.group(
    cls=Commands,
    sections={
        "See": dict.fromkeys(("status", "protocol", "log"), "holdfast.cli.spec.documents"),
        "Change": {
            "scan": "holdfast.cli.spec.documents",
            "evaluate": "holdfast.cli.spec.documents:evaluate_document",
            "backlog": "holdfast.cli.spec.documents",
        },
    },
)
def spec() -> None:
    """Score the project's documents and find stale ones.

    \b
    Examples:
      holdfast spec scan --write
      holdfast spec status
      holdfast spec evaluate architecture
    """
