"""``limpet memory``."""

from __future__ import annotations

import click

from limpet.cli.groups import Commands
from limpet.ground.late import late_modules

change, read, upkeep = late_modules("limpet.cli.memory", "change read upkeep")

SECTIONS = {
    "Find": {"search": read.find_memories, "list": read.list_entries, "show": read.show_memories},
    "Write": {
        "add": change.add_memory,
        "edit": change.edit_entry,
        "write": upkeep.write_memories,
        "forget": change.forget,
        "undo": change.undo_memory,
    },
    "Share": {"share": change.share, "export": upkeep.export, "import": upkeep.import_entries},
    "Maintain": {"upkeep": upkeep.upkeep, "restore": upkeep.restore},
}


@click.group(cls=Commands, sections=SECTIONS)
def memory() -> None:
    """Search, read, write and maintain memories.

    People see all memories, an agent the shared ones and its own.

    \b
    Examples:
      limpet memory search "login token"
      limpet memory add "The staging database is reset every night." --tag staging
      limpet memory show mem-2026-11-21-k7q2m9xa
    """
