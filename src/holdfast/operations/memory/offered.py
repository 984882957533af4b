"""The memories that shell completion offers, from the index as it is: bringing it up to date would take too long."""

from __future__ import annotations

from contextlib import closing

from holdfast.ground.workspace import Workspace
from holdfast.memory.index.reading import get_cards, open_index
from holdfast.memory.model.access import Reader, owners
from holdfast.memory.model.card import Card, Query

# More than this no shell shows.
OFFERED = 200


def offered_cards(workspace: Workspace, reader: Reader) -> tuple[Card, ...]:
    """Return the newest cards that the reader may see, the archived ones too; none where there is no index."""
    index = open_index(workspace.shared)
    if index is None:
        return ()
    with closing(index):
        query = Query(owners=owners(reader), valid=False, states=("current", "archive"), limit=OFFERED)
        return tuple(get_cards(index, query))
