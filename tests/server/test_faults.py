"""Database and server die, connections are cut and the disk is full while clients write: what was acknowledged is there
once, and all clients agree. In full: ``python3 bench/team_faults.py``."""

import os
import random
import signal
import socket
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Event, Thread
from uuid import uuid4

import psutil
import psycopg
import pytest

from limpet.ground.errors import LimpetError
from limpet.sharing.http_remote import HttpRemote
from limpet.sharing.revision import Revision, Said, encode
from limpet.sharing.transport import Moved, Unreached

from ..homes import ServersHome
from ..memories import entry_text
from ..soak.scale import amount
from ..team_servers import running_postgres, serving

PROJECT = "example.com/acme/shop"
CLIENTS, TRIES = 3, 2000
SEEDS = range(amount(1, 3))


class Client:
    """Writes revisions in a chain, each until the server acknowledged it. ``body``: bytes of each; ``batch``: how many
    go in one request."""

    def __init__(self, server, folder, number, seed=0, body=100, batch=1):
        self.remote = HttpRemote(server.url, server.token("acme", f"p{number}"), PROJECT, str(folder / f"{number}"))
        self.writer, self.number, self.last, self.body, self.batch = f"{number:016x}", 0, "", body, batch
        self.acknowledged, self.patience, self.random = [], Event(), random.Random(seed * 100 + number)
        self.remote.ask("POST", "/v1/projects")

    def write(self, count):
        for _ in range(count):
            contents = self._make()
            assert self._put(contents), "never acknowledged"
            self.acknowledged += contents
        return self.acknowledged

    def try_once(self):
        """Return whether it was acknowledged; if not it is as if it had never been made."""
        before, contents = (self.number, self.last), self._make()
        try:
            self.remote.put(contents, self.remote.revision())
        except LimpetError:
            self.number, self.last = before
            return False
        self.acknowledged += contents
        return True

    def _make(self):
        made = {}
        for _ in range(self.batch):
            self.number += 1
            entry = f"mem-2026-11-29-{self.writer[-2:]}{self.number:06d}"
            text = entry_text(entry, f"Title {self.number}", os.urandom(self.body // 2).hex())
            said = Said("current", "team/durable", text)
            one = Revision(PROJECT, entry, said, self.writer, self.number, f"{entry}.md", self.last)
            self.last = one.id
            made[one.name] = encode(one)
        return made

    def _put(self, contents):
        """After a failure it looks first, as clients do, or sends the same once more, as a balancer may."""
        tip = None
        for _ in range(TRIES):
            try:
                if tip is None:
                    tip = self.remote.revision()
                    if set(contents) <= set(self.remote.list()):
                        return True
                self.remote.put(contents, tip)
                return True
            except Moved:
                tip = None
            except Unreached:
                self.patience.wait(0.05)
                tip = tip if self.random.random() < 0.5 else None
        return False


def put_under_load(server, folder, harm, count, times, seed):
    """Clients write while ``harm`` is done so many times; then what was acknowledged is looked for."""
    clients = [Client(server, folder, number, seed) for number in range(CLIENTS)]
    with ThreadPoolExecutor(CLIENTS) as threads:
        done = [threads.submit(client.write, count) for client in clients]
        for number in range(1, times + 1):
            until_written(clients, CLIENTS * count * number // (times + 2))
            harm()
        acknowledged = [name for each in done for name in each.result()]
    whole_and_once(server, folder, acknowledged, clients)


def until_written(clients, count):
    for _ in range(TRIES):
        if sum(len(client.acknowledged) for client in clients) >= count:
            return
        clients[0].patience.wait(0.02)


def whole_and_once(server, folder, acknowledged, clients):
    """For whoever reads all of it now, and for those who read on from where they were."""
    fresh = HttpRemote(server.url, server.token("acme", "fresh"), PROJECT, str(folder / "fresh"))
    fresh.revision()
    listed = set(fresh.list())
    assert listed >= set(acknowledged), "what was acknowledged is lost"
    assert len(acknowledged) == len(set(acknowledged))
    for client in clients:
        client.remote.revision()
        assert client.remote.list() == fresh.list(), "a reader passed over something"
    with psycopg.connect(server.database) as connection:
        rows = connection.execute("SELECT place, writer, number FROM revision ORDER BY place").fetchall()
    assert [place for place, _, _ in rows] == list(range(1, len(rows) + 1)), "the feed has a hole"
    assert len({(writer, number) for _, writer, number in rows}) == len(rows) == len(listed)


class OwnPostgres:
    """A database of a test's own, for it is killed."""

    def __init__(self, at):
        self.at = at
        name = f"t{uuid4().hex}"
        with psycopg.connect(at.get_uri(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        self.address = at.get_uri(name)

    def kill(self):
        """Without a word, all of its processes; then it begins again."""
        first = psutil.Process(self.at.get_pid())
        processes = [first, *first.children(recursive=True)]
        for process in processes:
            process.send_signal(signal.SIGKILL)
        psutil.wait_procs(processes, 30)
        begin_again(self.at)


def begin_again(postgres):
    """It waits ten seconds, of which a busy machine takes more."""
    for _ in range(12):
        with suppress(subprocess.SubprocessError, AssertionError):
            postgres.ensure_postgres_running()
            return
        Event().wait(1)
    raise AssertionError("the database does not begin again")


@contextmanager
def own_postgres(within=None):
    with running_postgres(within) as found:
        yield OwnPostgres(found)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_database_that_is_killed_under_load_loses_nothing(tmp_path, seed):
    with own_postgres() as database, serving(database.address) as server:
        put_under_load(server, tmp_path, database.kill, amount(12, 200), amount(1, 10), seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_server_that_is_killed_under_load_loses_nothing(server, tmp_path, seed):
    def restart():
        server.kill()
        server.start()

    put_under_load(server, tmp_path, restart, amount(12, 200), amount(1, 10), seed)


class Cutter:
    """Stands before the server, and cuts each connection after some bytes of one direction or the other."""

    def __init__(self, port, seed):
        self.port, self.random = port, random.Random(seed)
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                near, _ = self.listening.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self.port))
            left = self.random.choice((300, 2_000, 20_000, 10**9, 10**9))
            answered = self.random.choice((0, 50, 10**9, 10**9))  # what was done, though nobody hears of it
            Thread(target=self._carry, args=(near, far, left), daemon=True).start()
            Thread(target=self._carry, args=(far, near, answered), daemon=True).start()

    def _carry(self, source, target, left):
        try:
            while raw := source.recv(65_536):
                target.sendall(raw[:left])
                left -= len(raw)
                if left <= 0:
                    break
        except OSError:
            pass
        for each in (source, target):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def close(self):
        self.listening.close()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_connection_that_is_cut_in_the_middle_of_a_batch_loses_nothing(server, tmp_path, seed):
    cutter = Cutter(server.port, seed)
    clients = [Client(server, tmp_path, number, seed, batch=20) for number in range(CLIENTS)]
    for client in clients:
        client.remote.address = cutter.url
    with ThreadPoolExecutor(CLIENTS) as threads:
        done = list(threads.map(lambda client: client.write(amount(10, 40)), clients))
    cutter.close()
    for client in clients:
        client.remote.address = server.url
    whole_and_once(server, tmp_path, [name for each in done for name in each], clients)


@pytest.mark.parametrize("seed", SEEDS)
def test_two_clients_that_edit_one_entry_over_and_over_agree(server, tmp_path, seed):
    """Each speaks with the server in the middle of the other's run; one's clock is a day late."""
    chance, words = random.Random(seed), []
    homes = []
    for name, skew in (("a", 0.0), ("b", -86_400.0)):
        homes.append(ServersHome(tmp_path / name, (server.url, server.token("acme", name), PROJECT), skew))
    homes[0].transport().ask("POST", "/v1/projects")
    first = homes[0].write("Title", "Begun.")
    homes[0].sync()
    homes[1].sync()
    for number in range(amount(12, 300)):
        for home in homes:
            word = f"{os.path.basename(home.folder)}{number}x"
            words.append(word)
            home.edit(first, body=f"Said {word}.") if chance.random() < 0.3 else home.edit(first, tags=(word,))
        one, other = homes if chance.random() < 0.5 else reversed(homes)
        left = [chance.randrange(1, 5)]

        def between(_, left=left, other=other):
            left[0] -= 1
            if left[0] == 0:
                other.sync()

        one.hook = between
        one.sync()
        one.hook = lambda words: None
    for home in (*homes, *homes, *homes):
        home.sync()
    assert homes[0].texts() == homes[1].texts()
    for home in homes:
        assert len(home.files()) == len(home.texts())
    said = " ".join(text for _, text in homes[0].texts().values())
    assert words[-1] in said and words[-2] in said


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root makes a small disk")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_full_disk_loses_nothing_that_was_acknowledged(tmp_path, seed):
    disk = tempfile.mkdtemp(prefix="limpet-disk-")
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=72m", "tmpfs", disk], capture_output=True).returncode:
        os.rmdir(disk)
        pytest.skip("no file system can be mounted here")
    try:
        os.chmod(disk, 0o755)
        with own_postgres(disk) as database, serving(database.address) as server:
            client = Client(server, tmp_path, 1, seed, body=900_000)
            written = sum(client.try_once() for _ in range(60))
            assert 0 < written < 60, "the disk was never full"
            assert client.remote.get(client.acknowledged).keys() >= set(client.acknowledged)
            whole_and_once(server, tmp_path, client.acknowledged, [client])
    finally:
        subprocess.run(["umount", "--lazy", disk], check=True)
        os.rmdir(disk)
