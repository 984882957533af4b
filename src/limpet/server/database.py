"""The connections to PostgreSQL, and the one way by which a request reaches the tables: a transaction in which the
caller's role and reach are set, so that the database itself keeps others' records from it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import Connection, Error, OperationalError
from psycopg.errors import InsufficientPrivilege
from psycopg_pool import ConnectionPool, PoolTimeout

from limpet.ground.errors import LimpetError
from limpet.server.migrations import migrate
from limpet.server.tokens import ServerCaller

ROLE = "limpet_caller"
_SCHEMES = ("postgresql://", "postgres://")
_CANNOT, _CHECK = "The database cannot be used", "Check the address and its rights."
_GRANT = f"Let its user own the database; as an administrator: CREATE ROLE {ROLE} NOLOGIN; GRANT {ROLE} TO that user"
# Seconds that a request waits for a connection, and that a statement may take.
_PATIENCE, _STATEMENT = 5.0, 10


class Unreachable(LimpetError):
    """The database does not answer. The caller may ask again."""


def open_pool(address: str, size: int = 8) -> ConnectionPool:
    """Connections to the database at ``address``, a ``postgresql://`` URL, brought to this version's schema. Raise
    LimpetError where that cannot be done."""
    if not address.startswith(_SCHEMES):
        raise LimpetError("Not an address of a database", "", "Use one such as postgresql://host/limpet")
    options = f"-c statement_timeout={_STATEMENT}s -c lock_timeout={_STATEMENT}s"
    _bring_up(address, options)
    pool = ConnectionPool(
        address,
        min_size=1,
        max_size=size,
        timeout=_PATIENCE,
        kwargs={"options": options, "prepare_threshold": 3},
        check=ConnectionPool.check_connection,
        open=False,
    )
    pool.open()
    return pool


@contextmanager
def transaction(pool: ConnectionPool) -> Iterator[Connection[Any]]:
    """A transaction of the server itself, which no policy binds: for tokens and upkeep."""
    try:
        with pool.connection() as connection:
            yield connection
    except (OperationalError, PoolTimeout) as error:
        raise Unreachable("The database does not answer", "", "Try again in a moment.") from error


def set_reach(connection: Connection[Any], caller: ServerCaller) -> None:
    connection.execute(
        "SELECT set_config('limpet.tenant', %s, true), set_config('limpet.project', %s, true),"
        " set_config('limpet.agent', %s, true), set_config('role', %s, true)",
        (caller.tenant, caller.project, caller.agent, ROLE),
    )


def _bring_up(address: str, options: str) -> None:
    """By a connection of its own, for a pool tries again and again what cannot be."""
    try:
        with psycopg.connect(address, options=options, connect_timeout=int(_PATIENCE)) as connection:
            migrate(connection)
            connection.execute(f"SET LOCAL ROLE {ROLE}")  # each request will
    except InsufficientPrivilege as error:
        raise LimpetError(_CANNOT, _first_line(error), _GRANT) from error
    except Error as error:
        hint = "Create it: createdb NAME" if 'database "' in str(error) else _CHECK
        raise LimpetError(_CANNOT, _first_line(error), hint) from error


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
