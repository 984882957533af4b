"""The connections to PostgreSQL, and the one way by which a request reaches the tables: a transaction in which the
caller's role and reach are set, so that the database itself keeps others' records from it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from psycopg import Connection, Error, OperationalError
from psycopg_pool import ConnectionPool, PoolTimeout

from limpet.ground.errors import LimpetError
from limpet.server.migrations import migrate
from limpet.server.tokens import ServerCaller

# Seconds that a request waits for a connection, and that a statement may take.
_PATIENCE, _STATEMENT = 5.0, 10


class Unreachable(LimpetError):
    """The database does not answer. The caller may ask again."""


def open_pool(address: str, size: int = 8) -> ConnectionPool:
    """Connections to the database at ``address``, a ``postgresql://`` URL, brought to this version's schema. Raise
    LimpetError where that cannot be done."""
    options = f"-c statement_timeout={_STATEMENT}s -c lock_timeout={_STATEMENT}s"
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
    try:
        with pool.connection() as connection:
            migrate(connection)
    except (Error, PoolTimeout) as error:
        pool.close()
        told = str(error).strip()
        raise LimpetError("The database cannot be used", told, "Check the address and its rights.") from error
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
        " set_config('limpet.agent', %s, true), set_config('role', 'limpet_caller', true)",
        (caller.tenant, caller.project, caller.agent),
    )
