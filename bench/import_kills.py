"""Kills imports of each original before, or in the midst of, a write, and takes back what they left.

    python bench/import_kills.py --moments 60 --seed 7     of each original so many moments, or all that it has
    python bench/import_kills.py --moments 4 --json        a few, for programs

After a kill ``limpet import --rollback`` must leave every byte of the project and of its private files as it was
before; of every second moment the import is first begun again, and must give what an undisturbed one gives.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

import limpet

SOURCE = str(Path(limpet.__file__).parents[1])
HERE = Path(__file__).parent
ORIGINALS = HERE.parent / "tests" / "fixtures" / "originals"
FIRST = f"import os\nexec(compile(open({str(HERE / 'interruption.py')!r}).read(), 'interruption', 'exec'))"
COMMAND = [sys.executable, "-c", f"{FIRST}\nfrom limpet.__main__ import main\nmain()"]
PLAIN = [sys.executable, "-m", "limpet"]
KILLED = (137, -9)
# What tells of an import or is made of other files, and what no agreement of two runs is asked of.
BESIDE = {"events", "locks", "imports", "cache", ".git", "state", "metrics.jsonl"}

Files = dict[str, bytes]


class Play:
    """A user with one project, and a copy of both as they were before the import."""

    def __init__(self, scratch: Path, name: str) -> None:
        self.kind = name.removesuffix("2")
        self.home, self.copy, self.log = scratch / "home", scratch / "copy", scratch / "log"
        self.root = self.home / "project"
        shutil.copytree(ORIGINALS / name, self.root)
        folders = ("data", "cache", "state", "config")
        places = {f"XDG_{each.upper()}_HOME": str(self.home / each) for each in folders}
        known = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "CLAUDE", "LIMPET"))}
        self.environment = {**known, **places, "HOME": str(self.home), "PYTHONPATH": SOURCE}
        subprocess.run(["git", "init", "-q", "."], cwd=self.root, env=self.environment, check=True)
        for words in (["init", "--host", "claude", "--yes"], ["status"]):
            self.run(*words)
        shutil.copytree(self.home, self.copy, symlinks=True)

    def put_back(self) -> None:
        shutil.rmtree(self.home)
        shutil.copytree(self.copy, self.home, symlinks=True)

    def run(self, *words: str, at: str = "") -> int:
        self.log.write_bytes(b"")
        told = {"INTERRUPT_AT": at, "INTERRUPT_IN": str(self.home), "INTERRUPT_LOG": str(self.log)}
        environment = {**self.environment, **(told if at else {})}
        command = [*(COMMAND if at else PLAIN), *words]
        return subprocess.run(command, cwd=self.root, env=environment, capture_output=True).returncode

    def take(self, at: str = "") -> int:
        return self.run("import", "--from", self.kind, "--yes", at=at)

    def files(self) -> Files:
        found = {}
        for folder, folders, names in os.walk(self.home):
            folders[:] = [name for name in folders if name not in BESIDE]
            for name in names:
                path = os.path.join(folder, name)
                if name not in BESIDE:
                    found[os.path.relpath(path, self.home)] = Path(path).read_bytes()
        return found


def play(name: str, moments: int, random: Random) -> tuple[int, int, list[str]]:
    """Return (kills, writes of an undisturbed import, what was wrong)."""
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        one = Play(Path(scratch), name)
        before = one.files()
        if one.take(at="watch"):
            return 0, 0, [f"{name}: the import fails"]
        writes, after, kills = len(one.log.read_text().splitlines()), set(one.files()), 0
        if not after - set(before):
            return 0, writes, [f"{name}: the import writes nothing"]
        chosen = sorted(random.sample(range(1, writes + 1), min(moments, writes)))
        for place, number in enumerate(chosen):
            one.put_back()
            kills += one.take(at=f"kill:{number}") in KILLED
            if place % 2 and (one.take() or set(one.files()) != after):
                faults.append(f"{name}, write {number}: begun again it gives other files")
            one.run("import", "--rollback", "--yes")
            now = one.files()
            differ = sorted(path for path in {*now, *before} if now.get(path) != before.get(path))
            faults += [f"{name}, write {number}: {path} is not as before" for path in differ]
    return kills, writes, faults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moments", type=int, default=60, help="of each original")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--only", action="append", choices=sorted(each.name for each in ORIGINALS.iterdir()))
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    random, rows = Random(given.seed), {}
    for name in given.only or sorted(each.name for each in ORIGINALS.iterdir()):
        kills, writes, faults = play(name, given.moments, random)
        rows[name] = {"kills": kills, "writes": writes, "faults": faults}
        if not given.json:
            print(f"{name:<10} {kills:>3} kills among {writes:>3} writes, {len(faults)} faults", flush=True)
            print("".join(f"  {fault}\n" for fault in faults), end="")
    if given.json:
        print(json.dumps(rows))
    sys.exit(any(row["faults"] for row in rows.values()))


if __name__ == "__main__":
    main()
