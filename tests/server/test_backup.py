"""A backup by pg_dump that is put back: what came after it, the clients send again."""

import os
import subprocess
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest

from ..homes import ServersHome

PROJECT = "example.com/acme/shop"


def run(postgres, program, database, *words, given=b""):
    """As an operator runs it, with what the database was installed with; what it prints."""
    asked = urlsplit(database)
    around = {**os.environ, "PGHOST": parse_qs(asked.query)["host"][0], "PGUSER": asked.username}
    command = [os.path.join(postgres.bin_path, program), *words]
    return subprocess.run(command, env=around, input=given, check=True, capture_output=True).stdout


@pytest.mark.parametrize("who_wrote_it_comes", ("first", "last"))
def test_a_backup_that_is_put_back_loses_nothing(server, postgres, tmp_path, who_wrote_it_comes):
    homes = []
    for name in ("a", "b"):
        homes.append(ServersHome(tmp_path / name, (server.url, server.token("acme", name), PROJECT)))
    a, b = homes
    a.transport().ask("POST", "/v1/projects")
    a.write("Before the backup")
    a.sync()
    b.sync()
    name = urlsplit(server.database).path.strip("/")
    kept = run(postgres, "pg_dump", server.database, "-Fc", name)
    a.write("After the backup, by a")
    a.sync()
    b.write("After the backup, by b")
    b.sync()

    server.kill()
    with psycopg.connect(postgres.get_uri(), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {name}")
    run(postgres, "pg_restore", server.database, "-d", name, given=kept)
    server.start()

    order = homes if who_wrote_it_comes == "first" else homes[::-1]
    for home in (*order, *order):
        home.sync()
    a.write("After the backup was put back")
    a.sync()
    b.sync()
    assert a.texts() == b.texts()
    assert len(a.texts()) == len(a.files()) == 4
    with psycopg.connect(server.database) as connection:
        assert connection.execute("SELECT count(*) FROM head").fetchone()[0] == 4
