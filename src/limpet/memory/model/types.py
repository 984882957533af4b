"""The types of entries, one row each: a new type begins here. All that is asked of a type follows from its row."""

from __future__ import annotations

from limpet.ground.values import Value

SECTORS = ("episodic", "semantic", "procedural", "reflective")


class Type(Value):
    """A type of entry.

    ``sector``: the one it belongs to where nobody says otherwise.
    ``stated``: somebody said it; it starts with more confidence than what was concluded (decision 23).
    ``private_first``: what capture finds stays with the active agent until it is validated (decision 22).
    ``section``: its heading in a conversation's digest, "" for none.
    """

    sector: str
    stated: bool = False
    private_first: bool = False
    section: str = ""


TYPE_TABLE = {
    "decision": Type("episodic", stated=True, section="Decisions"),
    "user_correction": Type("reflective", stated=True, section="Corrections"),
    "error_pattern": Type("reflective", private_first=True, section="Errors"),
    "resolution": Type("procedural", private_first=True, section="Resolutions"),
    "validated_pattern": Type("procedural", private_first=True, section="Patterns"),
    "gotcha": Type("reflective", private_first=True),
    "lesson": Type("reflective"),
    "episodic": Type("episodic"),
    "semantic": Type("semantic"),
    "procedural": Type("procedural"),
    "reflective": Type("reflective"),
}
TYPES = tuple(TYPE_TABLE)
STATED_TYPES = tuple(name for name, kind in TYPE_TABLE.items() if kind.stated)
PRIVATE_TYPES = tuple(name for name, kind in TYPE_TABLE.items() if kind.private_first)
# Type -> its sector.
SECTOR_OF = {name: kind.sector for name, kind in TYPE_TABLE.items()}
