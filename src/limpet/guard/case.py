"""A call with all that the rules ask about it."""

from __future__ import annotations

from limpet.ground.formats.json_text import read_shipped
from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from limpet.guard.acts import Act
    from limpet.guard.call import Scene, ToolCall
    from limpet.guard.places import TargetPlace
    from limpet.guard.shell.command import Understood


class Case(Value):
    """What every rule is given.

    acts: what a shell command or a tool does; written, read: the places that the call writes and reads.
    understood: None for what is no shell command.
    before: the text of the file that is written, None where it is new or not needed.
    table: the guard's data.
    """

    call: ToolCall
    scene: Scene
    acts: tuple[Act, ...]
    written: tuple[TargetPlace, ...]
    read: tuple[TargetPlace, ...]
    understood: Understood | None
    before: str | None
    table: Mapping[str, Any]

    def after(self) -> str | None:
        """Return the text of the file as the call leaves it, None where it will fail."""
        text = self.before
        for old, new, everywhere in self.call.edits:
            if self.call.whole:
                return new
            if text is None or old not in text:
                return None
            if not old:  # a patch adds it at the end
                text += new
            else:
                text = text.replace(old, new) if everywhere else text.replace(old, new, 1)
        return text

    def owners(self, kind: str) -> tuple[str, ...]:
        """Return the agents that may do acts of a kind, the one to hand it to first; empty where everybody may."""
        return memory_owners_of(kind, self.table, self.scene.settings)

    def kinds(self, *kinds: str) -> tuple[Act, ...]:
        return tuple(act for act in self.acts if act.kind in kinds)


def read_table() -> dict[str, Any]:
    """Return the data as ``framework/schemas/guard.schema.json`` describes it."""
    return read_shipped("guard")


def memory_owners_of(kind: str, table: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the agents that may do acts of a kind, the one to hand it to first; empty where everybody may."""
    known = table["authority"].get(kind)
    return tuple(settings.get("authority", {}).get(kind) or known["agents"]) if known else ()
