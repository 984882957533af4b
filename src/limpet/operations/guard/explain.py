"""The guard's rules as people read them: what each is about, when it is in force, and what to do instead."""

from __future__ import annotations

from typing import Any

from limpet.ground.config.settings import load_settings
from limpet.ground.errors import LimpetError
from limpet.ground.formats.schema import nearest
from limpet.ground.workspace import Workspace
from limpet.guard.table import owners_of, read_table

_ACTS = "authority."


def all_rules(workspace: Workspace | None) -> list[dict[str, Any]]:
    """Return every rule, as the settings have it.

    ``id``: its stable name. ``article``: of the constitution, which it enforces. ``answers``: what it may answer.
    ``when``, ``says``, ``mend``: when it is in force, what it is about, and what to do instead.
    ``switch``: the setting that switches it; ``on``: whether it is on.
    ``agents``: who may do what it is about, where that is a matter of agents.
    """
    table, settings = read_table(), load_settings(workspace)[0]["guard"]
    return [
        {
            "id": name,
            **{key: row[key] for key in ("article", "answers", "when", "says", "mend")},
            "switch": f"guard.rules.{row['switch']}",
            "on": bool(settings["rules"][row["switch"]]),
            "agents": owners_of(name.removeprefix(_ACTS), table, settings) if name.startswith(_ACTS) else (),
        }
        for name, row in table["rules"].items()
    ]


def find_rule(workspace: Workspace | None, name: str) -> dict[str, Any]:
    """Return the rule of this id. Raises LimpetError for an unknown one."""
    rules = {rule["id"]: rule for rule in all_rules(workspace)}
    if name not in rules:
        raise LimpetError(f"Unknown rule: {name}{nearest(name, list(rules))}", hint="Run: limpet guard explain")
    return rules[name]
