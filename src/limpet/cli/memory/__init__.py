"""``limpet memory`` and ``limpet gotcha``."""

from __future__ import annotations

import click

from limpet.cli.groups import Commands


@click.group(
    cls=Commands,
    sections={
        "Find": {
            "search": "limpet.cli.memory.read",
            "list": "limpet.cli.memory.read:list_entries",
            "show": "limpet.cli.memory.read",
            "stats": "limpet.cli.memory.read",
            "sessions": "limpet.cli.memory.read",
        },
        "Write": {
            **dict.fromkeys(("add", "edit"), "limpet.cli.memory.change"),
            "write": "limpet.cli.memory.upkeep",
        },
        "Keep": dict.fromkeys(("pin", "unpin", "move", "archive", "forget", "undo"), "limpet.cli.memory.change"),
        "Share": {
            "share": "limpet.cli.memory.change",
            "unshare": "limpet.cli.memory.change",
            "export": "limpet.cli.memory.upkeep",
            "import": "limpet.cli.memory.upkeep:import_entries",
        },
        "Maintain": {"upkeep": "limpet.cli.memory.upkeep"},
    },
)
def memory() -> None:
    """Search, read, write and maintain memories.

    People see all memories, an agent the shared ones and its own.

    \b
    Examples:
      limpet memory search "login token"
      limpet memory add "The staging database is reset every night." --tag staging
      limpet memory show mem-2026-11-21-k7q2m9xa
    """
