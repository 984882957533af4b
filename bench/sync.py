"""How long a synchronization takes beside git with the same bytes: ``.venv/bin/python bench/sync.py [--check]``.

The first sync of 10,000 memories against ``git push`` of what it sent; one changed memory against ``git add``, ``git
commit`` and ``git push`` of one more file in the same tree. Both against a bare repository by its path, the hardest
case: over a network git's part grows, and ours does not. Processes as a user starts them, the median of some rounds.
"""

import argparse
import functools
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

MEMORIES, ROUNDS = 10_000, 7
FIRST, ONE = 3.0, 2.0
TEXT = """---
id: {id}
type: decision
agent: null
tags: []
confidence: 0.8
created_at: 2026-11-21T12:00:00Z
storage: durable
scope: shared
source: person
---

# Amounts of module {number} are integers in cents

The invoices of module {number} lost a cent each time they were rounded. `module_{number}.py` holds the type; use its
`from_cents`, and never a float.
"""
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def name_of(number):
    end = "".join(ALPHABET[(number >> 5 * at) % 32] for at in range(8))
    return f"mem-2026-11-21-{end}", f"2026-11-21-amounts-{end}.md"


def write_memory(folder, number, more=""):
    key, name = name_of(number)
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(TEXT.format(id=key, number=number) + more)


class Cost(NamedTuple):
    """Seconds by the wall, and of the processor with all that was started: on a busy machine these alone compare."""

    wall: float
    cpu: float

    def plus(self, other):
        return Cost(self.wall + other.wall, self.cpu + other.cpu)

    def over(self, other):
        return f"{self.wall / other.wall:.2f} x by the wall, {self.cpu / other.cpu:.2f} x of the processor"


def worked():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(*command, cwd=None, env=None):
    before, began = worked(), time.perf_counter()
    subprocess.run(command, cwd=cwd, env=env, check=True, stdout=subprocess.DEVNULL)
    return Cost(time.perf_counter() - began, worked() - before)


def measure(folder, memories, rounds):
    home = {name: os.path.join(folder, name.lower()) for name in ("LIMPET_DATA", "LIMPET_STATE", "LIMPET_CACHE")}
    around = {**os.environ, **home, "HOME": folder, "PYTHONPATH": os.path.join(os.path.dirname(__file__), "..", "src")}
    for name in ("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "PYTHONDONTWRITEBYTECODE"):  # users have bytecode
        around.pop(name, None)
    store = os.path.join(home["LIMPET_DATA"], "personal", ".limpet", "memories", "shared", "durable")
    os.makedirs(store)
    for number in range(memories):
        write_memory(store, number)
    remote, other = (os.path.join(folder, name) for name in ("remote.git", "other.git"))
    for path in (remote, other):
        subprocess.run(["git", "init", "-q", "--bare", "--initial-branch=main", path], check=True)
    limpet = [sys.executable, "-c", "from limpet.__main__ import main; main()", "sync"]  # as the installed script
    subprocess.run([*limpet, "--help"], env=around, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    first = timed(*limpet, "--git", remote, "--yes", env=around, cwd=folder)

    work = os.path.join(folder, "work")
    subprocess.run(["git", "clone", "-q", remote, work], check=True)
    shutil.rmtree(os.path.join(work, ".git"))
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@y.z"]
    for words in (["init", "-q", "-b", "main"], ["remote", "add", "origin", other]):
        subprocess.run(["git", *words], cwd=work, check=True)
    whole = timed(*git, "add", "-A", cwd=work).plus(timed(*git, "commit", "-qm", "x", cwd=work))
    push = timed(*git, "push", "-q", "origin", "main", cwd=work)

    ours, theirs = [], []
    for number in range(rounds):
        write_memory(store, number, f"Changed {number}.\n")
        ours.append(timed(*limpet, env=around, cwd=folder))
        with open(os.path.join(work, f"w{number}"), "wb") as file:
            file.write(os.urandom(1024))
        steps = (["add", "-A"], ["commit", "-qm", "x"], ["push", "-q", "origin", "main"])
        theirs.append(functools.reduce(Cost.plus, [timed(*git, *words, cwd=work) for words in steps]))
    return first, push, whole, sorted(ours)[rounds // 2], sorted(theirs)[rounds // 2]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=MEMORIES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--check", action="store_true", help="Exit with 1 where a promise is broken.")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        first, push, whole, ours, theirs = measure(folder, given.memories, given.rounds)
    print(f"first sync of {given.memories:,}: {first.wall:.2f} s, git push {push.wall:.2f} s (<= {FIRST:g} x)")
    print(f"  to git push: {first.over(push)}")
    print(f"  to git add, commit and push: {first.over(push.plus(whole))}")
    print(f"one changed memory: {ours.wall * 1000:.0f} ms, git {theirs.wall * 1000:.0f} ms (<= {ONE:g} x)")
    print(f"  to git add, commit and push: {ours.over(theirs)}")
    if given.check and (first.wall > FIRST * push.wall or ours.wall > ONE * theirs.wall):
        sys.exit(1)


if __name__ == "__main__":
    main()
