"""Who did what to a tenant's store, by which token: added to in the transaction of the deed, never changed, without any
text of an entry."""

from __future__ import annotations

from typing import Any

from psycopg import Connection

from limpet.server.tokens import ServerCaller
from limpet.sharing.transport import StoreDeed

ERASED = "erased"
ISSUED, ROTATED, REVOKED = "issued", "rotated", "revoked"
_END = 1 << 62


def note_deed(connection: Connection[Any], caller: ServerCaller, project: str, deed: str, about: str) -> None:
    """``about``: places in the feed, the id of an entry, of a token, or the sense of a proposal."""
    connection.execute(
        "INSERT INTO audit (tenant, project, deed, about, person, token, agent) VALUES (%s, %s, %s, %s, %s, %s, %s)",
        (caller.tenant, project, deed, about, caller.person, caller.token, caller.agent),
    )


def list_deeds(connection: Connection[Any], tenant: str, before: int, most: int) -> list[StoreDeed]:
    """Those that the caller's reach has, the newest first. ``before``: the place behind the first, 0 for the newest."""
    rows = connection.execute(
        "SELECT place, extract(epoch FROM at)::float8, deed, about, project, person, token, agent FROM audit"
        " WHERE tenant = %s AND place < %s ORDER BY place DESC LIMIT %s",
        (tenant, before or _END, most),
    )
    return [StoreDeed(*row) for row in rows]
