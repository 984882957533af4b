"""Interrupts everything that writes, and looks whether anything was lost or torn.

    python bench/kills.py --kills 1000 --seed 7     SIGKILL at random moments while files are written
    python bench/kills.py --each-write              a kill before, or in the midst of, every single write
    python bench/kills.py --disk-full               a disk that is full from every single write on, or for it alone
    python bench/kills.py --sample 24 --json        some of all three, for programs

A project is made by confirmed commands. Each time it is put back as it was, one of the writers (``kills_writers``) is
started and interrupted; then every file must have its old bytes or bytes that an undisturbed run gives it, nothing may
be gone that the run would not remove, the user's other files must be untouched, the same writer must do its work when
it is started again, and the daily tidying must leave no draft anywhere. A writer that ended by itself must have done
all of its work. A full disk must be said in one line, and never by a hook.
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import yaml

sys.path.append(str(Path(__file__).parent))

from kills_writers import PROJECT, WRITERS, Writer

import limpet
from limpet.ground.digest import digest
from limpet.ground.storage.drafts import is_draft
from limpet.hosts.commands.lines import BOOTSTRAP

SOURCE = str(Path(limpet.__file__).parents[1])
FIRST = "import os\nwith open(os.environ['INTERRUPT_CODE']) as file: exec(compile(file.read(), 'interruption', 'exec'))"
INTERRUPTION = str(Path(__file__).with_name("interruption.py"))
KILLED = (137, -9)
HOUR = 3600
# Seconds in which a writer writes and ends.
PATIENCE = 120
# What a command says of something that it left undone.
UNWRITTEN = "cannot be written"
# What differs from run to run: ids, hashes, numbers and times.
VARYING = re.compile(
    rb"\d{6}Z(?:-\d+)?|(?<=run: )\x22?[0-9a-z]{8}\x22?|(?<=harbour-)[a-z0-9]{4}\b|(?<=-)[0-9a-z]{8}(?=\b)"
    rb"|[0-9a-f]{8}-[0-9a-f-]{27}|\b[0-9a-f]{12,}\b|\d+(?:\.\d+)?(?:e-?\d+)?"
)
# Files to which lines are appended, and which a kill may leave with half a line at their end.
APPENDED = (".jsonl", "approvals/.told")
# What is made of other files, or holds nothing.
DERIVED = re.compile(r"^cache/|\.lock(\.next)?$|/__pycache__/")
# The project's folder, and where it lies when it was moved.
PLACE, MOVED = "project", "moved"

Files = dict[str, bytes]
Known = Callable[[Writer], "Undisturbed"]


@dataclass(frozen=True)
class Undisturbed:
    """What a writer does when nothing disturbs it: the files before and after, every version of each in between, and
    its writes in order."""

    before: Files
    after: Files
    versions: dict[str, set[bytes]]
    writes: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class Ended:
    """How a process ended, and what it said."""

    code: int
    out: str
    said: str


@dataclass
class Tally:
    """What was found: how often a process was killed or met a full disk, and everything that should not be."""

    kills: int = 0
    full_disks: int = 0
    drafts: int = 0
    writers: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)


class Play:
    """The project in its scratch folder, the user's own folders beside it, and copies of how they were."""

    def __init__(self, scratch: Path) -> None:
        self.place, self.copies, self.notes = scratch / "play", scratch / "copies", scratch / "notes"
        self.root = self.place / PLACE
        self.log, self.keep = self.notes / "log", self.notes / "kept"
        self.ids: list[str] = []
        self.keyboard = -1
        self.transcript = str(self.place / "talk.jsonl")
        self.notes.mkdir()
        self._make()

    def put_back(self, writer: Writer) -> None:
        """Have the files as they are before this writer."""
        kept = self.copies / "-".join(("project", *(words[0] for words in writer.before)))
        if not kept.exists():
            self._restore(self.copies / "project")
            for words in writer.before:
                self._confirm(words)
            shutil.copytree(self.place, kept, symlinks=True)
        self._restore(kept)
        if writer.pulled:
            with open(self.root / ".limpet" / "config.yaml", "a", encoding="utf-8") as settings:
                settings.write(writer.pulled)
        if writer.moved:
            self.root = self.root.rename(self.place / MOVED)

    def start(self, writer: Writer, at: str) -> subprocess.Popen[str]:
        """Start the writer, to be interrupted ``at`` a write (see ``interruption``)."""
        shutil.rmtree(self.keep, ignore_errors=True)
        self.keep.mkdir()
        self.log.write_bytes(b"")
        interrupted = {
            "INTERRUPT_CODE": INTERRUPTION,
            "INTERRUPT_AT": at,
            "INTERRUPT_IN": str(self.place),
            "INTERRUPT_LOG": str(self.log),
            "INTERRUPT_KEEP": str(self.keep) if at == "watch" else "",
            "INTERRUPT_ALONE": "alone" if writer.hook else "",
        }
        command, given = self._command(writer)
        keyboard, terminal = pty.openpty() if writer.words else os.pipe()[::-1]
        os.write(keyboard, given.encode())
        process = subprocess.Popen(
            command,
            stdin=terminal,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.root,
            env={**self.environment, **interrupted},
        )
        os.close(terminal)
        if self.keyboard >= 0:
            os.close(self.keyboard)
        self.keyboard = keyboard if writer.words else -1  # a terminal hangs up when its other end is closed
        if not writer.words:
            os.close(keyboard)
        return process

    def run(self, writer: Writer, at: str) -> Ended:
        return end(self.start(writer, at))

    def files(self) -> Files:
        """Return all files that are not derived, by path, drafts and kept bytes apart."""
        found = {}
        for folder, _, names in os.walk(self.place):
            for name in names:
                path = Path(folder, name).relative_to(self.place).as_posix()
                if not DERIVED.search(path) and not is_draft(name):
                    found[path] = read_whole(Path(folder, name))
        return found

    def drafts(self) -> list[str]:
        walk = os.walk(self.place)
        return [os.path.join(folder, name) for folder, _, names in walk for name in names if is_draft(name)]

    def versions(self) -> dict[str, set[bytes]]:
        """Return by path what took its place in the last run that was watched."""
        found: dict[str, set[bytes]] = {}
        for kept in self.keep.iterdir():
            path, _, raw = kept.read_bytes().partition(b"\0")
            place = plain_path(Path(os.fsdecode(path)).relative_to(self.place).as_posix())
            found.setdefault(place, set()).add(plain(raw))
        return found

    @property
    def environment(self) -> dict[str, str]:
        """A user who has nothing but what lies in the scratch folder."""
        kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "LANG") if name in os.environ}
        homes = {name: str(self.place / "home") for name in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA")}
        folders = {f"XDG_{name.upper()}_HOME": str(self.place / name) for name in ("state", "cache", "config", "data")}
        return {**kept, **homes, **folders, "PYTHONPATH": SOURCE, "PYTHONDONTWRITEBYTECODE": "1"}

    def _make(self) -> None:
        for path, text in {
            "project/CLAUDE.md": "# Ours\n\nBe brief.\n",
            "project/.claude/settings.local.json": '{\n  "permissions": {"allow": ["Bash(ls)"]}\n}\n',
            "project/docs/architecture.md": "# Architecture\n\nOne queue.\n",
            "project/notes.txt": "mine\n",
            "home/.claude/settings.json": '{"model": "opus"}\n',
            "home/notes.txt": "mine\n",
            "talk.jsonl": json.dumps(SAID) + "\n",
        }.items():
            (self.place / path).parent.mkdir(parents=True, exist_ok=True)
            (self.place / path).write_text(text, encoding="utf-8")
        for words in PROJECT:
            done = self._confirm(words)
            if "--json" in words:
                self.ids.append(json.loads(done.out)["id"])
        self._event("SessionStart", source="startup")
        self._event("UserPromptSubmit", prompt="Begin.", prompt_id="p0")
        self._copy_at_rest(self.copies / "project")

    def _copy_at_rest(self, target: Path) -> None:
        """What the events started goes on for a while, and its files come and go."""
        for tries in range(60, 0, -1):
            try:
                shutil.copytree(self.place, target, symlinks=True)
                return
            except shutil.Error:
                shutil.rmtree(target)
                if tries == 1:
                    raise
                time.sleep(0.5)

    def _restore(self, kept: Path) -> None:
        """The project's folder itself stays: without git it is known by its number on the disk."""
        self.root = self.root.rename(self.place / PLACE)
        for path in {*self.place.iterdir(), *self.root.iterdir()} - {self.root}:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
        shutil.copytree(kept, self.place, symlinks=True, dirs_exist_ok=True)

    def _confirm(self, words: tuple[str, ...]) -> Ended:
        ended = self.run(Writer("before", words), "watch")
        if ended.code:
            raise SystemExit(f"limpet {' '.join(words)}: {ended.said}")
        return ended

    def _event(self, event: str, **given: str) -> None:
        self.run(Writer("before", hook=event, given={"session_id": "talk", **given}), "watch")

    def _command(self, writer: Writer) -> tuple[list[str], str]:
        if writer.words:
            words = (word.format(*self.ids) for word in writer.words)
            return [sys.executable, "-c", f"{FIRST}\nfrom limpet.__main__ import main\nmain()", *words], ""
        filled = {"{transcript}": self.transcript, "{now}": time.time()}
        given = {name: filled.get(str(value), value) for name, value in writer.given.items()}
        if writer.job:
            code = f"import sys\n{FIRST}\nfrom limpet.jobs import main\nmain(*sys.argv[1:])"
            return [sys.executable, "-c", code, str(self.root / ".limpet"), writer.job, ""], json.dumps(given)
        hook = [sys.executable, "-I", "-S", "-c", f"{FIRST}\n{BOOTSTRAP}", SOURCE, "claude-code", writer.hook]
        return hook, json.dumps({"cwd": str(self.root), "hook_event_name": writer.hook, **given})


SAID = {
    "type": "user",
    "uuid": "u1",
    "timestamp": "2026-11-20T10:00:00Z",
    "sessionId": "talk",
    "message": {"role": "user", "content": "Decision: we use PostgreSQL for the orders, because two writers wait."},
}


# What a conversation's state says, and no other file.
STATE = b'"last_activity"'


def main() -> int:
    options = read_options()
    chosen = [writer for writer in WRITERS if not options.only or writer.name in options.only]
    tally, began = Tally(), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="limpet-kills-") as folder:
        play = Play(Path(os.path.realpath(folder)))
        watched: dict[str, Undisturbed] = {}

        def known(writer: Writer) -> Undisturbed:
            if writer.name not in watched:
                watched[writer.name] = watch(play, writer)
            return watched[writer.name]

        with suppress(KeyboardInterrupt):  # what was found until then counts
            for writer, at in plan(options, chosen, known):
                interrupt(play, writer, at, known(writer), tally)
    report(tally, time.monotonic() - began, options.json)
    return 1 if tally.faults else 0


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each-write", action="store_true")
    parser.add_argument("--disk-full", action="store_true")
    parser.add_argument("--sample", type=int, help="so many of all three, by chance")
    parser.add_argument("--only", action="append", help="the name of a writer")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def plan(options: argparse.Namespace, chosen: list[Writer], known: Known) -> Iterator[tuple[Writer, str]]:
    """Yield which writer to interrupt, and at what."""
    random = Random(options.seed)
    if options.sample:
        for number in range(options.sample):
            yield draw(random, ("wait", "kill", "full", "once")[number % 4], random.choice(chosen), known)
    elif options.each_write or options.disk_full:
        kinds = [*(("kill",) if options.each_write else ()), *(("full", "once") if options.disk_full else ())]
        for writer in chosen:
            for number in range(len(known(writer).writes)):
                yield from ((writer, f"{kind}:{number + 1}") for kind in kinds)
    else:
        for number in range(options.kills):
            yield draw(random, "wait", chosen[number % len(chosen)], known)


def draw(random: Random, kind: str, writer: Writer, known: Known) -> tuple[Writer, str]:
    """Return the writer with a moment, or with the number of a write, by chance."""
    found = known(writer)
    moment = random.uniform(0, found.seconds * 1.1) if kind == "wait" else random.randint(1, len(found.writes))
    return writer, f"{kind}:{moment}"


def watch(play: Play, writer: Writer) -> Undisturbed:
    """Run the writer undisturbed."""
    play.put_back(writer)
    before = play.files()
    process = play.start(writer, "watch")
    began = wait_for_first_write(play, process)
    ended = end(process)
    seconds = time.monotonic() - began
    if ended.code not in (0,):
        raise SystemExit(f"{writer.name} ended with {ended.code}: {ended.said}{ended.out}")
    writes = tuple(play.log.read_text(encoding="utf-8").splitlines())
    if not writes:
        raise SystemExit(f"{writer.name} writes nothing: {ended.out}")
    return Undisturbed(before, play.files(), play.versions(), writes, seconds)


def wait_for_first_write(play: Play, process: subprocess.Popen[str]) -> float:
    """Return when it was; one that waits, as for an answer that nobody gives, is ended."""
    late = time.monotonic() + PATIENCE
    while process.poll() is None and not play.log.stat().st_size:
        if time.monotonic() > late:
            process.kill()
        time.sleep(0.001)
    return time.monotonic()


def end(process: subprocess.Popen[str]) -> Ended:
    out, said = process.communicate(timeout=PATIENCE)
    return Ended(process.returncode, out, said)


def interrupt(play: Play, writer: Writer, at: str, known: Undisturbed, tally: Tally) -> None:
    """Interrupt the writer, look at what is there, start it again, tidy up, and look again."""
    play.put_back(writer)
    kind, _, number = at.partition(":")
    process = play.start(writer, "watch" if kind == "wait" else at)
    if kind == "wait":
        wait_for_first_write(play, process)
        time.sleep(float(number))
        process.kill()
    ended = end(process)
    tally.writers.add(writer.name)
    tally.kills += ended.code in KILLED
    tally.full_disks += kind in ("full", "once")
    where = f"{writer.name} at {at}" + (f" ({known.writes[int(number) - 1]})" if kind != "wait" else "")
    done = bool(writer.words) and ended.code == 0 and UNWRITTEN not in ended.out
    faults = [*check_end(writer, kind, ended), *check_files(play.files(), known, done)]
    tally.drafts += len(play.drafts())
    again = play.run(writer, "watch")
    if again.code not in writer.again or (again.code and not is_said(again)):
        faults.append(f"again: {again.code} {again.said[-500:]}")
    faults += check_settled(play.files(), known, writer)
    tidy(play)
    faults += [f"left: {path}" for path in play.drafts()]
    tally.faults += [f"{where}: {fault}" for fault in faults]


def check_end(writer: Writer, kind: str, ended: Ended) -> Iterator[str]:
    """A kill is a kill; of a full disk a command says so in one line, and a hook nothing."""
    if ended.code in KILLED and kind in ("kill", "wait"):
        return
    if writer.hook:
        if (ended.code, ended.said) != (0, ""):
            yield f"the hook ended with {ended.code}: {ended.said[-500:]}"
        if writer.hook in ("SessionStart", "UserPromptSubmit") and "additionalContext" not in ended.out:
            yield f"the hook gave no block: {ended.out!r}"
    elif ended.code not in (0, 1) or (writer.words and ended.code and not is_said(ended)):
        yield f"ended with {ended.code}: {ended.said[-700:]}{ended.out[-700:]}"


def is_said(ended: Ended) -> bool:
    """Return whether a command said plainly what went wrong."""
    return bool(re.fullmatch(r"limpet: [^\n]+\n", ended.said)) or (not ended.said and UNWRITTEN in ended.out)


def check_files(now: Files, known: Undisturbed, done: bool) -> Iterator[str]:
    """Every file has its old bytes or some that the undisturbed run gave it; what is gone, that run removed."""
    then, after = by_plain_path(known.before), by_plain_path(known.after)
    found = by_plain_path(now)
    yield from check_logs(found, then)
    for path, raws in found.items():
        if path.endswith(APPENDED):
            continue
        good = known.versions.get(path, set()) | set(map(plain, (*after.get(path, ()), *then.get(path, ()))))
        for raw in raws:
            if (
                plain(raw) not in good
                and not is_whole_block(raw, now)
                and not is_whole_state(raw, [*after.get(path, ()), *then.get(path, ())])
            ):
                yield f"torn: {path}: {raw[:200]!r}"
    gone = {path for path in then if len(found.get(path, ())) < len(then[path])}
    come = {path for path in after if len(after[path]) > len(then.get(path, ())) and not path.endswith(APPENDED)}
    for path in gone:
        if len(after.get(path, ())) >= len(then[path]):
            yield f"lost: {path}"
        elif any(len(found.get(new, ())) < len(after[new]) for new in come):
            yield f"lost: {path} is gone before {sorted(come)} came"
    if done:
        for path, raws in after.items():
            if not path.endswith(APPENDED) and plain_all(raws) != plain_all(found.get(path, [])):
                yield f"not done: {path}"


def check_settled(now: Files, known: Undisturbed, writer: Writer) -> Iterator[str]:
    """After a second run everything reads, what it makes is there, and what is not its business is as it was."""
    found, then, after = by_plain_path(now), by_plain_path(known.before), by_plain_path(known.after)
    for path in after:
        if path not in found and not path.endswith(APPENDED):  # a line of the audit log may be lost, not the change
            yield f"not made when done again: {path}"
        elif path in then and path not in known.versions and not path.endswith(APPENDED):
            wanted = plain_all(then[path])
            yield from [f"touched: {path}"] if plain_all(found[path]) != wanted == plain_all(after[path]) else ()
    for path, raw in now.items():
        yield from check_reads(path, raw)


def check_reads(path: str, raw: bytes) -> Iterator[str]:
    """Return what is wrong with a file of a known form."""
    try:
        if path.endswith((".yaml", ".yml")):
            yaml.safe_load(raw)
        elif path.endswith(".json"):
            json.loads(raw)
        elif "/memories/" in path and path.endswith(".md"):
            yaml.safe_load(raw.split(b"---\n")[1])
        elif not path.endswith("/key"):  # random bytes
            raw.decode()
    except (ValueError, IndexError, yaml.YAMLError) as error:
        yield f"does not read: {path}: {error}"


def tidy(play: Play) -> None:
    """Have an hour go by, and do the daily tidying."""
    from limpet.ground.workspace import workspace_at
    from limpet.hosts.traces import remove_old_drafts

    for path in play.drafts():
        os.utime(path, (time.time() - 2 * HOUR,) * 2)
    before = dict(os.environ)
    os.environ.update(play.environment)
    try:
        remove_old_drafts(workspace_at(str(play.root)), time.time())
    finally:
        os.environ.clear()
        os.environ.update(before)


def is_whole_block(raw: bytes, now: Files) -> bool:
    """Return whether this is a block that was sent, under its own hash: on a full disk it has a note that says so."""
    name = f"/events/blocks/{digest(raw.decode('utf-8', 'replace'), 12)}"
    return any(path.endswith(name) for path in now)


def is_whole_state(raw: bytes, good: list[bytes]) -> bool:
    """Return whether this is a conversation's state with all that it should have: on a full disk it also keeps what the
    block said of that."""
    return STATE in raw and any(fields_of(raw) == fields_of(other) for other in good)


def fields_of(raw: bytes) -> set[str]:
    try:
        return set(json.loads(raw))
    except ValueError:
        return set()


def check_logs(found: dict[str, list[bytes]], then: dict[str, list[bytes]]) -> Iterator[str]:
    """A log that is there still holds its old lines, or another does: what was private of a project that was moved has
    its own beside that of the new place."""
    logs = [raw for path, raws in found.items() if path.endswith(APPENDED) for raw in raws]
    for path in found.keys() & then.keys():
        if path.endswith(APPENDED) and not all(is_prolonged(raw, logs) for raw in then[path]):
            yield f"lost lines: {path}"


def is_prolonged(raw: bytes, logs: list[bytes]) -> bool:
    return any(each.startswith(raw) for each in logs)


def by_plain_path(files: Files) -> dict[str, list[bytes]]:
    found: dict[str, list[bytes]] = {}
    for path, raw in files.items():
        found.setdefault(plain_path(path), []).append(raw)
    return found


def read_whole(path: Path) -> bytes:
    """Of an archive the names in it, all of which it must hold."""
    if path.suffix != ".gz":
        return path.read_bytes()
    try:
        with tarfile.open(path) as archive:
            return "\n".join(sorted(archive.getnames())).encode()
    except (tarfile.TarError, EOFError, OSError) as error:
        return f"no archive: {error}".encode()


def plain_all(raws: list[bytes]) -> list[bytes]:
    return sorted(map(plain, raws))


def plain_path(path: str) -> str:
    """What is private of a project that was moved lies in the folder of either name."""
    return plain(path.encode("utf-8", "surrogateescape")).decode().replace(f"projects/{MOVED}-", f"projects/{PLACE}-")


def plain(raw: bytes) -> bytes:
    """Return the bytes without what differs from run to run; YAML quotes a hash that could be a number."""
    return VARYING.sub(b"#", raw).replace(b'"#"', b"#")


def report(tally: Tally, seconds: float, as_json: bool) -> None:
    figures = {**tally.__dict__, "writers": len(tally.writers), "seconds": round(seconds, 1)}
    if as_json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:13} {value}" if name != "faults" else f"faults        {len(tally.faults)}")
    print("\n".join(tally.faults))


if __name__ == "__main__":
    sys.exit(main())
