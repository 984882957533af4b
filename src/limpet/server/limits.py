"""How often a token may ask: counted in the database, so that all processes count together."""

from __future__ import annotations

from typing import Any

from psycopg import Connection

from limpet.server.tokens import ServerCaller


def count_request(connection: Connection[Any], caller: ServerCaller) -> int:
    """Return how many requests this one makes in the minute that it falls in, by the database's clock."""
    row = connection.execute(
        "INSERT INTO request AS r (tenant, project, token, minute, requests)"
        " VALUES (%s, %s, %s, extract(epoch FROM now())::bigint / 60, 1)"
        " ON CONFLICT (tenant, project, token, minute) DO UPDATE SET requests = r.requests + 1 RETURNING r.requests",
        (caller.tenant, caller.project, caller.token),
    ).fetchone()
    assert row is not None
    if row[0] == 1:  # of minutes that are over nothing is kept
        connection.execute(
            "DELETE FROM request WHERE tenant = %s AND project = %s AND token = %s"
            " AND minute < extract(epoch FROM now())::bigint / 60",
            (caller.tenant, caller.project, caller.token),
        )
    return int(row[0])
