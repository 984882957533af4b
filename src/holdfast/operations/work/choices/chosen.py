"""A choice that was recorded, as a value."""

from __future__ import annotations

from holdfast.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Chosen(Value):
    """A choice that was recorded.

    ``changes``: the new values by their key in the project's session, None for a cleared one.
    ``place``: the file or the conversation that holds them.
    ``note``: a remark for the person, "" for none.
    ``warning``: a possible mistake, "" for none.
    """

    changes: dict[str, Any]
    place: str
    note: str = ""
    warning: str = ""
