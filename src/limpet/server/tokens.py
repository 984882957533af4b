"""Tokens: who asks, for which project, and what they may. The database holds a digest only. A token names its tenant
and project, which are no secret, so that it is looked up by its key."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from psycopg import Connection

from limpet.ground.errors import LimpetError
from limpet.ground.values import Value

READ, WRITE, ADMIN = "read", "write", "admin"
SCOPES = (READ, WRITE, ADMIN)
EVERYWHERE = "*"
"""As a project: all of the tenant's."""
_MARK = "lmp"


class ServerCaller(Value):
    """Who asks, by a token that holds. ``project``: ``*`` for all; ``agent``: "" for a person, who sees every
    agent's."""

    tenant: str
    project: str
    token: str
    scopes: tuple[str, ...]
    agent: str
    person: str
    expires: datetime | None = None


def issue_server_token(
    connection: Connection[Any],
    tenant: str,
    project: str,
    scopes: Iterable[str],
    person: str,
    agent: str = "",
    days: int = 0,
    latest: datetime | None = None,
) -> str:
    """Return the token, which can be read this once. ``days``: how long it holds, 0 until it is revoked; never beyond
    ``latest``."""
    unknown = set(scopes) - set(SCOPES)
    if unknown:
        raise LimpetError("Unknown scope", ", ".join(sorted(unknown)), f"Scopes are: {', '.join(SCOPES)}")
    if agent and ADMIN in scopes:
        raise LimpetError("An agent administers nothing", agent)
    number, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
    connection.execute(
        "INSERT INTO token (tenant, project, id, digest, scopes, agent, person, expires)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s, LEAST(CASE WHEN %s > 0 THEN now() + make_interval(days => %s) END, %s))",
        (tenant, project, number, _digest(secret), list(scopes), agent, person, days, days, latest),
    )
    return _written(tenant, project, number, secret)


def find_caller(connection: Connection[Any], token: str) -> ServerCaller | None:
    """Return None for a token that is unknown, over or revoked: nothing tells which."""
    parts = token.split("_", 4)
    if len(parts) != 5 or parts[0] != _MARK:
        return None
    tenant, project = _unpacked(parts[1]), _unpacked(parts[2])
    row = connection.execute(
        "SELECT digest, scopes, agent, person, expires FROM token WHERE tenant = %s AND project = %s AND id = %s"
        " AND revoked IS NULL AND (expires IS NULL OR expires > now())",
        (tenant, project, parts[3]),
    ).fetchone()
    if row is None or not hmac.compare_digest(bytes(row[0]), _digest(parts[4])):
        return None
    return ServerCaller(tenant, project, parts[3], tuple(row[1]), *row[2:])


def revoke_token(connection: Connection[Any], tenant: str, number: str, project: str = EVERYWHERE) -> bool:
    """Return False where no such token of the project, ``*`` for any, holds."""
    statement = (
        "UPDATE token SET revoked = now() WHERE tenant = %s AND id = %s AND %s IN ('*', project) AND revoked IS NULL"
    )
    return connection.execute(statement, (tenant, number, project)).rowcount > 0


def rotate_token(connection: Connection[Any], caller: ServerCaller) -> str | None:
    """Return the token that opens the same, under the same id and as long, in place of the caller's; None where that
    was ended meanwhile."""
    secret = secrets.token_urlsafe(32)
    changed = connection.execute(
        "UPDATE token SET digest = %s WHERE tenant = %s AND project = %s AND id = %s"
        " AND revoked IS NULL AND (expires IS NULL OR expires > now())",
        (_digest(secret), caller.tenant, caller.project, caller.token),
    )
    return _written(caller.tenant, caller.project, caller.token, secret) if changed.rowcount else None


def id_of_token(token: str) -> str:
    """As it is told of: what opens nothing."""
    return token.split("_", 4)[3]


def _digest(secret: str) -> bytes:
    """The secret is random, 256 bits: no slow digest is needed."""
    return hashlib.sha256(secret.encode()).digest()


def _written(tenant: str, project: str, number: str, secret: str) -> str:
    return "_".join((_MARK, _packed(tenant), _packed(project), number, secret))


def _packed(name: str) -> str:
    return name.encode().hex()


def _unpacked(text: str) -> str:
    try:
        return bytes.fromhex(text).decode()
    except ValueError:
        return ""
