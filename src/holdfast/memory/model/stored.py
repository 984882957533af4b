"""An entry as a store holds it, and the error for one that it does not hold."""

from __future__ import annotations

from holdfast.ground.errors import HoldfastError
from holdfast.ground.values import Value
from holdfast.memory.model.entry import Entry
from holdfast.memory.model.layout import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.ground.storage.files import Stamp


class Gone(HoldfastError):
    """There is no such memory, or the reader may not see it: both have one answer, with why it may only seem so."""

    def __init__(self, key: str, why: str = "") -> None:
        super().__init__("No memory with this ID", key, why or "Run: holdfast memory list")


class Stored(Value):
    """An entry and its place.

    ``entry`` has the ``scope`` and ``storage`` that the place gives it, whatever its frontmatter says.
    ``path`` is from ``memories/``.
    ``stamp`` differs between any two versions of the text.
    """

    entry: Entry
    path: str
    place: Place
    stamp: Stamp
