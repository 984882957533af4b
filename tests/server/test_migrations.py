"""A schema is brought up once, whoever comes first; and two versions of the program serve one database side by side."""

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from limpet.ground.errors import LimpetError
from limpet.server.database import open_pool
from limpet.server.migrations import PARTITIONS, migrate, newest_known

from ..team_servers import running_postgres
from .conftest import Machine, Team, entry_text

FIRST = "mem-2026-11-29-abcdefgh"


def applied(database):
    with psycopg.connect(database) as connection:
        return [number for (number,) in connection.execute("SELECT number FROM migration ORDER BY number")]


def test_processes_that_begin_at_once_bring_it_up_once(database):
    def bring_up(_):
        with psycopg.connect(database) as connection:
            return migrate(connection)

    with ThreadPoolExecutor(4) as threads:
        done = sorted(threads.map(bring_up, range(4)))
    assert done == [0, 0, 0, newest_known()]
    assert applied(database) == list(range(1, newest_known() + 1))


def test_a_newer_version_that_only_adds_leaves_this_one_serving(team, database):
    with psycopg.connect(database) as connection:
        connection.execute("ALTER TABLE revision ADD COLUMN mood text NOT NULL DEFAULT ''")
        connection.execute("ALTER TABLE head ADD COLUMN mood text")
        connection.execute("INSERT INTO migration VALUES (%s, 0)", (newest_known() + 1,))
    ann = Machine(team.person("ann"))
    assert ann.send(ann.make(FIRST, entry_text(FIRST, "Use pnpm"))).status_code == 200
    assert [one["title"] for one in ann.search("pnpm")] == ["Use pnpm"]
    open_pool(database, 1).close()


def test_a_database_that_asks_for_a_newer_version_is_left_alone(pool, database):
    with psycopg.connect(database) as connection:
        connection.execute("INSERT INTO migration VALUES (99, 99)")
    with pytest.raises(LimpetError, match="of a newer Limpet"):
        open_pool(database, 1)


def test_an_owner_that_is_no_superuser_serves(machine):
    """One that may make roles, as on managed databases, or one to whom an administrator granted it."""
    with running_postgres() as postgres, psycopg.connect(postgres.get_uri(), autocommit=True) as administrator:

        def owned(name, may):
            administrator.execute(f"CREATE ROLE {name} LOGIN {may}")
            administrator.execute(f"CREATE DATABASE {name} OWNER {name}")
            return postgres.get_uri(name).replace("postgres:@", f"{name}@")

        plain = owned("plain", "")
        with pytest.raises(LimpetError, match="permission denied to create role.*GRANT limpet_caller TO"):
            open_pool(plain, 1)
        maker = owned("maker", "CREATEROLE")
        serves(maker, machine)
        with pytest.raises(LimpetError, match="permission denied to set role.*GRANT limpet_caller TO"):
            open_pool(plain, 1)
        administrator.execute("GRANT limpet_caller TO plain")
        serves(plain, machine)


def serves(address, machine):
    pool = open_pool(address, 1)
    ann = machine(Team(pool).person("ann"))
    assert ann.send(ann.make(FIRST, entry_text(FIRST, "Use pnpm"))).status_code == 200
    assert [one["title"] for one in ann.search("pnpm")] == ["Use pnpm"]
    pool.close()


def test_every_table_of_a_project_is_led_by_tenant_and_project_and_parted_by_them(pool):
    with pool.connection() as connection:
        parts = connection.execute(
            "SELECT parent.relname, count(*), pg_get_partkeydef(parent.oid) FROM pg_inherits"
            " JOIN pg_class AS parent ON parent.oid = inhparent WHERE parent.relkind = 'p' GROUP BY parent.oid"
        ).fetchall()
        first = connection.execute(
            "SELECT table_name, string_agg(column_name, ' ' ORDER BY ordinal_position) FROM information_schema.columns"
            " WHERE table_schema = 'public' AND ordinal_position < 3 GROUP BY table_name"
        ).fetchall()
    assert {name for name, *_ in parts} == {"project", "revision", "head", "token"}
    assert all((count, key) == (PARTITIONS, "HASH (tenant, project)") for _, count, key in parts)
    assert {columns for name, columns in first if name != "migration"} == {"tenant project"}
