"""``holdfast memory`` and ``holdfast gotcha``."""

from __future__ import annotations

import click

from holdfast.cli.groups import Commands


@click.group(
    cls=Commands,
    sections={
        "Find": {
            "search": "holdfast.cli.memory.search",
            "list": "holdfast.cli.memory.read:list_entries",
            "show": "holdfast.cli.memory.read",
            "stats": "holdfast.cli.memory.read",
            "sessions": "holdfast.cli.memory.sessions",
        },
        "Write": {
            **dict.fromkeys(("add", "edit"), "holdfast.cli.memory.edit"),
            "write": "holdfast.cli.memory.write",
        },
        "Keep": dict.fromkeys(("pin", "unpin", "move", "archive", "forget", "undo"), "holdfast.cli.memory.keep"),
        "Share": {
            "share": "holdfast.cli.memory.keep",
            "unshare": "holdfast.cli.memory.keep",
            "export": "holdfast.cli.memory.export",
            "import": "holdfast.cli.memory.export:import_entries",
        },
        "Maintain": {"upkeep": "holdfast.cli.memory.upkeep"},
    },
)
def memory() -> None:
    """Search, read, write and maintain memories.

    People see all memories, an agent the shared ones and its own.

    \b
    Examples:
      holdfast memory search "login token"
      holdfast memory add "The staging database is reset every night." --tag staging
      holdfast memory show mem-2026-11-21-k7q2m9xa
    """
