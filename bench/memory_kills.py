"""Kills processes that write memories, at random moments, and looks whether anything that was acknowledged is lost.

    python bench/memory_kills.py --kills 500 --seed 7     the promise, in one command
    python bench/memory_kills.py --kills 20 --json        a sample, for programs

A round plays in a project of its own: eleven processes add, edit, strengthen, supersede, put away, bring back, capture
what was said, rebuild the index, renew the user's trust, take over projects that were moved, and ask for trust all the
time. Twelve times one of them is killed (SIGKILL) and replaced; then all are killed at once. What a process writes on
its standard output it was told before: that must be true of the files afterwards, no file may be torn, maintenance must
leave no draft, and the index must say what the files say.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

sys.path.append(str(Path(__file__).parent))

from memory_writers import ROLES, TARGET, TARGETS, library
from nobody import become_nobody, trusted_project

from limpet.ground.digest import digest
from limpet.ground.trust.consent import find_consent, root_of
from limpet.ground.workspace import workspace_at
from limpet.memory.candidates import read_candidate_files
from limpet.memory.catalogue import ALL
from limpet.memory.library import Library
from limpet.memory.model.entry import Query
from limpet.memory.model.results import Stored
from limpet.memory.model.validation import KEPT

WRITERS = Path(__file__).with_name("memory_writers.py")
SINGLE_KILLS = 12
LONGEST_WAIT = 0.12


@dataclass
class Worker:
    """A process that writes, and the file into which it says what it was told."""

    role: str
    process: subprocess.Popen[bytes]
    said: Path


@dataclass
class Tally:
    """What was found in all rounds: acknowledged acts by kind, and everything that should not be."""

    kills: int = 0
    rounds: int = 0
    acts: Counter[str] = field(default_factory=Counter)
    files: int = 0
    drafts: int = 0
    faults: list[str] = field(default_factory=list)


def main() -> int:
    options = read_options()
    tally, began = Tally(), time.monotonic()
    while tally.kills < options.kills:
        with tempfile.TemporaryDirectory(prefix="limpet-kills-") as folder:
            become_nobody(folder)
            play(Path(folder), Random(options.seed + tally.rounds), tally, options.kills)
    report(tally, time.monotonic() - began, options.json)
    return 1 if tally.faults else 0


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def report(tally: Tally, seconds: float, as_json: bool) -> None:
    figures = {**tally.__dict__, "acts": dict(sorted(tally.acts.items())), "seconds": round(seconds, 1)}
    if as_json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:8} {value}")


def play(folder: Path, random: Random, tally: Tally, most: int) -> None:
    """One round: kill, replace, kill all, look."""
    shared = Path(trusted_project(str(folder / "project"), time.time()).shared)
    for number in range(TARGETS):
        library(shared).add({"type": "decision", "title": f"{TARGET}{number}", "body": "Begun."})
    names = count()
    workers = [start(role, shared, folder, next(names), random) for role in ROLES]
    everyone = list(workers)
    try:
        for _ in range(min(SINGLE_KILLS, max(0, most - tally.kills - len(ROLES)))):
            place = random.randrange(len(workers))
            wait_until_ready(workers[place])
            time.sleep(random.uniform(0, LONGEST_WAIT))
            kill(workers[place], tally)
            workers[place] = start(workers[place].role, shared, folder, next(names), random)
            everyone.append(workers[place])
        for worker in workers:
            wait_until_ready(worker)
        time.sleep(random.uniform(0, LONGEST_WAIT))
    finally:
        for worker in workers:
            kill(worker, tally)
    tally.rounds += 1
    look(shared, everyone, tally)


def start(role: str, shared: Path, folder: Path, name: int, random: Random) -> Worker:
    said = folder / f"said-{name}"
    command = [sys.executable, str(WRITERS), role, str(shared), str(random.getrandbits(30))]
    with said.open("wb") as file:
        process = subprocess.Popen(command, stdout=file)
    return Worker(role, process, said)


def wait_until_ready(worker: Worker) -> None:
    while b"\n" not in worker.said.read_bytes():
        if worker.process.poll() is not None:
            raise SystemExit(f"{worker.role} ended by itself")
        time.sleep(0.005)


def kill(worker: Worker, tally: Tally) -> None:
    if worker.process.poll() is not None:
        tally.faults.append(f"{worker.role} ended by itself")
    worker.process.kill()
    worker.process.wait()
    tally.kills += 1


def look(shared: Path, workers: list[Worker], tally: Tally) -> None:
    """Hold what was said against the files, and the files against the index."""
    tally.drafts += len(list(memories(shared).rglob("*.tmp")))
    keeper = library(shared)
    problems = [str(problem) for problem in keeper.verify()]
    tally.faults += [f"verify: {problem}" for problem in problems]
    entries: dict[str, Stored] = {}
    for stored in keeper.entries(("current", "archive", "forgotten")):
        if stored.entry.id in entries:
            tally.faults.append(f"twice: {stored.entry.id}")
        entries[stored.entry.id] = stored
    tally.files += len(entries)
    quotes = [each.quote for each in read_candidate_files(str(shared))]
    heard = " ".join((*quotes, *(stored.entry.body for stored in entries.values())))
    for worker in workers:
        told = read_said(worker, tally)
        tally.acts.update(each["did"] for each in told if each["did"] not in ("ready", "begin"))
        tally.faults += [describe(worker, each, entries) for each in told if not is_true(each, entries, heard)]
        tally.faults += check_places(told, entries)
    tally.faults += check_index(keeper, entries)
    keeper.clean()
    tally.faults += [f"left: {path}" for path in memories(shared).rglob("*.tmp")]
    tally.faults += check_log(shared)
    tally.faults += check_trust(shared, workers)


def check_trust(shared: Path, workers: list[Worker]) -> Iterator[str]:
    """The record says what was agreed to last, or what was about to be; a project that was moved has its log, and where
    it was taken over all of it."""
    told = [each for worker in workers for each in read_said(worker, Tally())]
    consent = find_consent(workspace_at(root_of(str(shared))))
    if consent is None:
        yield "trust: the record is gone"
    turns = {each["id"]: each["turn"] for each in told if each["did"] == "trust"}
    possible = {0, *turns.values(), *(turn + 1 for turn in turns.values())}
    if consent and turns and consent.agreed["work.gate"] not in possible:
        yield f"trust: the record has {consent.agreed}, not one of {turns}"
    taken = {each["id"] for each in told if each["did"] == "take over"}
    for each in (each for each in told if each["did"] == "moved"):
        old, new = each["folders"]
        places = [new] if each["id"] in taken else [old, new]
        if not any(each["old"] in log.read_text() for place in places for log in Path(place).glob("*.jsonl")):
            yield f"take over: the log of {each['id']} is lost"
        if each["id"] in taken and find_consent(workspace_at(each["id"])) is None:
            yield f"take over: {each['id']} is not trusted"


def read_said(worker: Worker, tally: Tally) -> list[dict[str, Any]]:
    """What a worker said in whole lines."""
    lines = worker.said.read_bytes().split(b"\n")[:-1]
    told = [json.loads(line) for line in lines]
    tally.faults += [f"{worker.role}: {each['what']}" for each in told if each["did"] == "failed"]
    return told


def is_true(told: dict[str, Any], entries: dict[str, Stored], heard: str) -> bool:
    if told["did"] == "capture":
        return told["word"] in heard
    if told["did"] not in ("add", "edit", "strengthen", "supersede"):
        return True
    stored = entries.get(told["id"])
    if stored is None:
        return False
    entry = stored.entry
    if told["did"] == "add":
        return digest(entry.title + entry.body) == told["digest"]
    if told["did"] == "edit":
        return told["line"] in entry.body.splitlines()
    if told["did"] == "strengthen":
        times = [each.at for each in entry.evidence]
        return (told["moment"] in times and entry.evidence_count == len(times)) or len(times) == KEPT
    old = entries.get(told["old"])
    return old is not None and old.entry.superseded_by == entry.id and entry.supersedes == (old.entry.id,)


def describe(worker: Worker, told: dict[str, Any], entries: dict[str, Stored]) -> str:
    stored = entries.get(told["id"])
    found = f"reads {stored.entry.title!r}, {stored.entry.body[-200:]!r}" if stored else "is not there"
    return f"lost: {worker.role} {told}: {found}"


def memories(shared: Path) -> Path:
    return shared / "memories"


def check_places(told: list[dict[str, Any]], entries: dict[str, Stored]) -> Iterator[str]:
    """An entry that was put away or brought back lies where the last act left it, or the one that had begun."""
    may_lie: dict[str, list[str]] = {}
    for each in told:
        if each["did"] == "begin":
            may_lie[each["id"]] = [*may_lie.get(each["id"], ["current"])[-1:], each["state"]]
        elif each["did"] == "move":
            may_lie[each["id"]] = [each["state"]]
    for key, states in may_lie.items():
        state = entries[key].place.state if key in entries else "nowhere"
        if state not in states:
            yield f"place: {key} is {state}, not {' or '.join(states)}"


def check_index(keeper: Library, entries: dict[str, Stored]) -> Iterator[str]:
    """Every card says what its file says, and words find what they found."""
    known = keeper.list(ALL, whole=True)
    yield from (f"index: {problem}" for problem in known.problems)
    said = {(card.id, card.path, card.title, card.evidence, card.superseded_by) for card in known.cards}
    true = {
        (key, each.path, each.entry.title, each.entry.evidence_count, each.entry.superseded_by)
        for key, each in entries.items()
    }
    yield from (f"index: {each}" for each in said ^ true)
    if not keeper.search(Query(text="Target", limit=TARGETS)).hits:
        yield "index: finds nothing"


def check_log(shared: Path) -> Iterator[str]:
    for path in (shared / "events").iterdir():
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                json.loads(line)
            except ValueError:
                yield f"log: {line[:80]}"


if __name__ == "__main__":
    sys.exit(main())
