"""Reads an agent's own file (``.holdfast/agents/<id>.md``) for what a block says of the agent: its mission, in a line.

Separate from the roster, which holds the shipped agents as data.
"""

from __future__ import annotations

LONGEST_MISSION = 200
# Keys of a front matter, or of SYNAPSE's YAML block, that say what an agent is for; the first that is there counts.
KEYS = ("mission", "whentouse", "when_to_use", "description", "role", "title")


def read_mission(text: str) -> str:
    """Return the agent's mission: the value of its key, else the first line of prose; "" where there is neither. Lines
    are read without a YAML reader, which the prompt hook does not have."""
    lines = [line.strip() for line in text.splitlines()]
    values: dict[str, str] = {}
    for line in lines:
        key, divider, value = line.partition(":")
        if divider and value.strip(" '\"|>"):
            values.setdefault(key.strip("- ").lower(), value.strip(" '\""))
    prose = (line for line in lines if line and line[0].isalpha() and ": " not in line and not line.endswith(":"))
    found = next((values[key] for key in KEYS if key in values), "") or next(prose, "")
    return found[:LONGEST_MISSION]
