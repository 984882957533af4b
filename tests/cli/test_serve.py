"""``limpet serve`` says at once, in one line, why it cannot serve."""

import subprocess
from urllib.parse import urlsplit

import pytest

from ..team_servers import AROUND, LIMPET, database, postgres  # noqa: F401


def refused(*words):
    done = subprocess.run([*LIMPET, "serve", *words], env=AROUND, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert len(done.stderr.strip().splitlines()) == 1
    return done.stderr


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("postgresql://127.0.0.1:1/limpet", "Connection refused. Check the address and its rights."),
        ("mysql://ann:passw0rd@host/limpet", "Not an address of a database. Use one such as postgresql://"),
        ("host=127.0.0.1 password=passw0rd", "Not an address of a database. Use one such as postgresql://"),
    ],
)
@pytest.mark.parametrize("more", [(), ("--new-token", "acme", "--person", "ann")], ids=["serve", "new-token"])
def test_a_database_that_cannot_be_used_is_told(address, told, more):
    answer = refused("--store", address, *more)
    assert told in answer and "passw0rd" not in answer


def test_a_database_that_is_not_there_is_told_with_what_makes_it(database):  # noqa: F811
    name = urlsplit(database).path
    assert "Create it: createdb" in refused("--store", database.replace(name, "/nowhere"))


def test_tokens_cross_no_network_in_the_open():
    answer = refused("--store", "postgresql://127.0.0.1:1/limpet", "--host", "0.0.0.0")
    assert "Tokens would cross the network in the open" in answer and "--behind-proxy" in answer
