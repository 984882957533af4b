"""A call with all that the rules ask about it."""

from __future__ import annotations

from limpet.ground.values import Value
from limpet.guard.table import owners_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from limpet.guard.acts import Act
    from limpet.guard.call import ToolCall
    from limpet.guard.places import Place
    from limpet.guard.scene import Scene
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
    written: tuple[Place, ...]
    read: tuple[Place, ...]
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
        return owners_of(kind, self.table, self.scene.settings)

    def kinds(self, *kinds: str) -> tuple[Act, ...]:
        """Return the acts of these kinds."""
        return tuple(act for act in self.acts if act.kind in kinds)
