"""``limpet learn``."""

from __future__ import annotations

import click

from limpet.cli.groups import Commands
from limpet.ground.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.cli.learn import consolidate, evidence, proposals
else:
    consolidate = Late("limpet.cli.learn.consolidate")
    evidence = Late("limpet.cli.learn.evidence")
    proposals = Late("limpet.cli.learn.proposals")

SECTIONS = {
    "Observe": {
        "observe": evidence.observe_work,
        "applied": evidence.applied,
    },
    "Know": {
        "consolidate": consolidate.consolidate_knowledge,
        "explain": consolidate.explain_knowledge,
        "reword": consolidate.reword,
        "undo": consolidate.undo_consolidation,
    },
    "Rules": {
        "proposals": proposals.proposals,
    },
}


@click.group(cls=Commands, sections=SECTIONS)
def learn() -> None:
    """Turn what work shows into knowledge and rules.

    \b
    Examples:
      limpet learn observe
      limpet learn applied PR-001
      limpet learn consolidate --dry-run
      limpet learn explain PR-001
      limpet learn proposals
    """
