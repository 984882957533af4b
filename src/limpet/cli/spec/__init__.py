"""``limpet spec``."""

from __future__ import annotations

import click

from limpet.cli.groups import Commands
from limpet.ground.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.cli.spec import documents
else:
    documents = Late("limpet.cli.spec.documents")

SECTIONS = {
    "See": {
        "status": documents.document_status,
        "protocol": documents.protocol,
        "log": documents.document_log,
    },
    "Change": {
        "scan": documents.scan,
        "evaluate": documents.evaluate_in_words,
        "backlog": documents.document_backlog,
    },
}


@click.group(cls=Commands, sections=SECTIONS)
def spec() -> None:
    """Score the project's documents and find stale ones.

    \b
    Examples:
      limpet spec scan --write
      limpet spec status
      limpet spec evaluate architecture
    """
