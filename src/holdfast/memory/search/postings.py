"""Which entries hold a term: the one question to the index's postings, for the search and for the gate."""

from __future__ import annotations

from itertools import chain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable


def docs_holding(connection: Connection, postings: Iterable[str], most: int) -> frozenset[int]:
    """Return the doc ids that hold one of the postings, the newest only where there are more than ``most``."""
    sql = "SELECT rowid FROM postings WHERE postings MATCH ? ORDER BY rowid DESC LIMIT ?"
    asked = " OR ".join(f'"{posted}"' for posted in postings)
    return frozenset(chain.from_iterable(connection.execute(sql, (asked, most))))
