"""What mended an error that is a gotcha: it becomes the gotcha's workaround."""

from __future__ import annotations

from collections.abc import Iterable

from holdfast.memory.capture.outcomes import Mend
from holdfast.memory.gotchas.gotchas import signature_tag
from holdfast.memory.library import Library
from holdfast.memory.model.access import owners
from holdfast.memory.model.card import Query


def keep_workarounds(library: Library, mends: Iterable[Mend]) -> None:
    """Write each mend into the gotcha of its error, where there is one without a workaround."""
    for mend in mends:
        tag, now = signature_tag(mend.signature), library.clock.now()
        query = Query(tag=tag, type="gotcha", owners=owners(library.reader), limit=1, now=now)
        for card in library.list(query).cards:
            if not library.show(card.id, count=False).entry.workaround:
                library.edit(card.id, {"workaround": mend.words, "resolved": True}, "captured: what fixed it")
