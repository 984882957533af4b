"""Brings a database to this version's schema: numbered files, each carried out once, in one transaction, by one process
at a time. Separate from ``database``, which serves requests."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from psycopg import Connection
from psycopg.sql import SQL, Identifier, Literal

from limpet.ground.errors import LimpetError

# Any number that nothing else locks: whoever migrates waits for whoever migrates already.
_LOCK = 0x11E7
PARTITIONS = 32
"""Of each table, on plain PostgreSQL. A number for good: the parts of a table cannot be counted anew in place."""
_PARTED = ("project", "revision", "head", "token")
_DISTRIBUTED = (*_PARTED, "request")


def migrate(connection: Connection[Any]) -> int:
    """Return how many files were carried out. Raise LimpetError where the schema is of a newer version than this
    program knows by name and demands; one that only added to ours is served."""
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        connection.execute("CREATE TABLE IF NOT EXISTS migration (number integer PRIMARY KEY, needs integer NOT NULL)")
        done = {number for (number,) in connection.execute("SELECT number FROM migration")}
        _refuse_newer(connection)
        new = [(number, text) for number, text in _numbered() if number not in done]
        for number, text in new:
            _carry_out(connection, text, first=number == 1)
            connection.execute("INSERT INTO migration VALUES (%s, %s)", (number, _needs(text)))
    return len(new)


def newest_known() -> int:
    return max(number for number, _ in _numbered())


def _refuse_newer(connection: Connection[Any]) -> None:
    row = connection.execute("SELECT max(needs) FROM migration").fetchone()
    needs = row[0] if row and row[0] else 0
    if needs > newest_known():
        where = f"it asks for schema {needs}, this program knows {newest_known()}"
        raise LimpetError("The database is of a newer Limpet", where, "Update Limpet on this machine.")


def _numbered() -> Iterator[tuple[int, str]]:
    found = [file for file in files("limpet.server").joinpath("schema").iterdir() if file.name.endswith(".sql")]
    for file in sorted(found, key=lambda file: file.name):
        yield int(file.name.removesuffix(".sql")), file.read_text("utf-8")


def _needs(text: str) -> int:
    """A file says in its first line which version of the program it asks for, where older ones cannot go on."""
    first = text.partition("\n")[0]
    return int(first.removeprefix("-- needs ")) if first.startswith("-- needs ") else 0


def _carry_out(connection: Connection[Any], text: str, first: bool) -> None:
    has_citus = connection.execute("SELECT 1 FROM pg_extension WHERE extname = 'citus'").fetchone() is not None
    parted = "" if has_citus else "PARTITION BY HASH (tenant, project)"
    connection.execute(text.replace("/* partitioned */", parted).encode())
    if first and has_citus:
        for table in _DISTRIBUTED:
            connection.execute("SELECT create_distributed_table(%s, 'project')", (table,))
    elif first:
        for table in _PARTED:
            _make_partitions(connection, table)


def _make_partitions(connection: Connection[Any], table: str) -> None:
    for number in range(PARTITIONS):
        statement = SQL("CREATE TABLE {} PARTITION OF {} FOR VALUES WITH (MODULUS {}, REMAINDER {})")
        name = Identifier(f"{table}_{number}")
        connection.execute(statement.format(name, Identifier(table), Literal(PARTITIONS), Literal(number)))
