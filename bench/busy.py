"""Has the hook answer on a busy machine what it answers alone, and looks whether anything is missing.

    python bench/busy.py --check                              the promise, in one command
    python bench/busy.py --prompts 30 --calls 30 --starts 5   some of it

A project has memories in files, a role at work and a git repository. Each event is sent twice, in a conversation of its
own: alone, and while other processes of the same priority compute. For one of ten the caches are cold: what is compiled
of rules, settings and agents is gone, and the memories' index is in no page of the system's. Before each start a
memory that every start tells was edited.

The promise (decision 67): both answers are the same, each comes within the seconds that the client gives, and a lock
whose holder stands still ends no prompt later than ``LONGEST`` seconds. How long the slowest took is told.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

sys.path.append(str(Path(__file__).parent))

from coding_memories import make_question
from hook_cases import IDLE, OPAQUE, TOOL_CALLS
from hook_projects import TRANSCRIPT, keywords, make_project, make_repository, make_varied
from hostile_doors import PYTHON, Answer, run, wait_for_background
from nobody import become_nobody

from limpet.ground.clock import iso
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.config.mirror import mirror_path
from limpet.ground.storage.files import write_atomic
from limpet.ground.workspace import Workspace
from limpet.hosts.claude_code.events import TIMEOUTS
from limpet.hosts.commands.upkeep import compile_package
from limpet.memory.files.codec import write_entry_text
from limpet.memory.index.database import database_path
from limpet.memory.index.sync import refresh_index
from limpet.memory.model.entry import MemoryEntry
from limpet.memory.model.layout import MemoryPlace, memories, write_place
from limpet.roles.compiled import compiled_path
from limpet.rules.plan.plan import plan_path
from limpet.work.session import session_lock

DOMAINS = 100
COLD = 10
# Seconds after which a prompt is answered whoever holds its locks.
LONGEST = 5.0
ALONE, AMONG, STOPPED = "alone", "among", "stopped"
BUSY = [sys.executable, "-I", "-S", "-c", "while True: pass"]
HOLDER = [sys.executable, "-c", "import fcntl, os, signal, sys\nfor path in sys.argv[1:]:\n"]
HOLDER[2] += " fcntl.flock(os.open(path, os.O_RDWR | os.O_CREAT), fcntl.LOCK_EX)\n"
HOLDER[2] += "print(flush=True)\nos.kill(os.getpid(), signal.SIGSTOP)"
REFUSED = ("Bash", {"command": "git push origin main"})
CALLS = (*dict.fromkeys(json.dumps(call) for calls, _ in TOOL_CALLS.values() for call in calls), json.dumps(OPAQUE))
CALLS = (*map(json.loads, CALLS), REFUSED)


@dataclass
class Figures:
    """The events of a kind: how many, the longest in seconds alone and among others, and what was missing or late."""

    kind: str
    events: int = 0
    alone: float = 0.0
    among: float = 0.0
    faults: list[str] = field(default_factory=list)


class Project:
    """The project, and the events that are sent in it."""

    def __init__(self, folder: Path, count: int) -> None:
        self.workspace: Workspace = make_project(str(folder), DOMAINS)
        self.root = folder
        settings = "context: {window: 200000}\nmemory: {capture: false}\n"
        write_atomic(self.workspace.path("config.yaml"), settings)
        write_atomic(str(folder / "src" / "app.py"), "a = 1\n")
        for entry in make_varied(count):
            _write(self.workspace, entry)
        self.edit(0)
        refresh_index(self.workspace.shared, DEFAULTS["memory"], time.time())
        make_repository(str(folder))
        self.send("SessionStart", "first", source="startup")

    def edit(self, number: int) -> None:
        """Have every start tell the number, as soon as the file is read."""
        created = iso(time.time())
        wish = MemoryEntry(
            id="mem-2026-01-01-aaaaaaaa",
            type="user_correction",
            title=f"Always name release {number} in the notes",
            body="",
            confidence=0.95,
            storage="durable",
            source="person",
            created_at=created,
        )
        _write(self.workspace, wish)

    def send(self, event: str, session: str, **fields: object) -> Answer:
        """As Claude Code sends it."""
        common = {"session_id": session, "transcript_path": str(self.root / TRANSCRIPT), "cwd": str(self.root)}
        payload = json.dumps({**common, "hook_event_name": event, "permission_mode": "default", **fields}).encode()
        return run(event, [*PYTHON, event], os.environ, self.root, payload, TIMEOUTS[event], is_hook=True)

    def prompt(self, turn: str, number: int) -> Answer:
        """One that memories are about, one that says nothing, or one with a command."""
        words = keywords(number % DOMAINS)[0]
        asked = (f"*brief {make_question(number)}", f"Please look into {words}.", IDLE[number % len(IDLE)])
        given = {"prompt": asked[number % len(asked)], "prompt_id": f"p{number}"}
        return self.send("UserPromptSubmit", f"{turn}-prompt-{number}", **given)

    def call(self, turn: str, number: int) -> Answer:
        """The common ones, one before which the repository is looked at, and one that is refused."""
        tool, given = CALLS[number % len(CALLS)]
        about = {"tool_name": tool, "tool_input": given, "tool_use_id": f"t{number}"}
        return self.send("PreToolUse", f"{turn}-call-{number}", **about)

    def start(self, turn: str, number: int) -> Answer:
        """A conversation begins, after an edit."""
        self.edit(number)
        return self.send("SessionStart", f"{turn}-start-{number}", source="startup")

    def cool(self) -> None:
        """Take away what is compiled, and have the index read from the disk."""
        for path in (mirror_path(self.workspace), compiled_path(self.workspace), plan_path(self.workspace)):
            Path(path).unlink(missing_ok=True)
        with open(database_path(self.workspace.shared), "rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def main() -> int:
    options = read_options()
    if sys.platform != "linux":
        print("the system's pages are let go as on Linux: run this there")
        return 0
    compile_package()
    with tempfile.TemporaryDirectory(prefix="limpet-busy-", ignore_cleanup_errors=True) as temporary:
        counts = (options.prompts, options.calls, options.starts)
        measured = list(measure(Path(os.path.realpath(temporary)), counts, options.memories, options.busy))
    if options.json:
        print(json.dumps([asdict(figures) for figures in measured], indent=1))
    else:
        print("\n".join(map(line_of, measured)))
    return 1 if options.check and any(figures.faults for figures in measured) else 0


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prompts", type=int, default=300)
    parser.add_argument("--calls", type=int, default=300)
    parser.add_argument("--starts", type=int, default=50)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--busy", type=int, default=8, help="processes that compute meanwhile")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true", help="exit 1 where something was missing or late")
    return parser.parse_args()


def measure(folder: Path, counts: Sequence[int], count: int, busy: int) -> Iterator[Figures]:
    """Send so many prompts, tool calls and starts, both ways."""
    become_nobody(str(folder))
    project = Project(folder / "project", count)
    wait_for_background(str(folder))
    kinds: list[tuple[str, Callable[[str, int], Answer]]] = [
        ("prompts", project.prompt),
        ("tool calls", project.call),
        ("starts", project.start),
    ]
    for (kind, send), events in zip(kinds, counts, strict=True):
        alone = list(_send_all(project, partial(send, ALONE), events))
        wait_for_background(str(folder))
        with _busy(busy):
            among = list(_send_all(project, partial(send, AMONG), events))
        wait_for_background(str(folder))
        yield compare(kind, alone, among)
    with _busy(busy):
        yield _with_stopped_holders(project)


def compare(kind: str, alone: Sequence[Answer], among: Sequence[Answer]) -> Figures:
    """Whatever differs is a fault, and so is what was ended, failed, or spoke on stderr."""
    figures = Figures(kind, len(alone), _longest(alone), _longest(among))
    for number, (one, other) in enumerate(zip(alone, among, strict=True)):
        figures.faults += [f"{number}: {said}" for said in (*_broken(one), *_broken(other))]
        if one.out != other.out:
            figures.faults.append(f"{number}: {_difference(one.out, other.out)}")
    return figures


def line_of(figures: Figures) -> str:
    """Return the kind's line of the table, and one for each fault."""
    times = f"{figures.alone:6.2f} s alone, {figures.among:6.2f} s among others at most"
    return "\n".join(
        [f"{figures.kind:16} {figures.events:4} events, {len(figures.faults):3} faults; {times}"]
        + [f"    {fault}" for fault in figures.faults]
    )


def _send_all(project: Project, send: Callable[[int], Answer], events: int) -> Iterator[Answer]:
    for number in range(events):
        if number % COLD == COLD - 1:
            project.cool()
        yield send(number)


def _with_stopped_holders(project: Project) -> Figures:
    """A prompt whose locks are all held by a process that stands still, with settings to be read again."""
    top, session = project.root.parent, f"{STOPPED}-prompt-0"
    own = session_lock(project.workspace, session).path
    paths = {own, *map(str, (*top.rglob("*.lock"), *top.rglob("*.lock.next")))}
    os.makedirs(os.path.dirname(own), exist_ok=True)
    with subprocess.Popen([*HOLDER, *paths], stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        holder.stdout.readline()
        project.cool()
        try:
            answer = project.prompt(STOPPED, 0)
        finally:
            holder.send_signal(signal.SIGKILL)
    figures = Figures("a stopped holder", 1, 0.0, answer.seconds, _broken(answer))
    if "<constitution" not in answer.out:
        figures.faults.append("no rules came")
    if answer.seconds > LONGEST:
        figures.faults.append(f"it took {answer.seconds:.1f} s")
    return figures


@contextmanager
def _busy(count: int) -> Iterator[None]:
    with ExitStack() as started:
        for _ in range(count):
            process = started.enter_context(subprocess.Popen(BUSY))
            started.callback(process.kill)
        yield


def _longest(answers: Sequence[Answer]) -> float:
    return max((answer.seconds for answer in answers), default=0.0)


def _broken(answer: Answer) -> list[str]:
    faults = [] if answer.code == 0 else [f"{answer.door} ended with {answer.code} after {answer.seconds:.1f} s"]
    return [*faults, f"said on stderr: {answer.err[-200:]!r}"] if answer.err else faults


def _difference(alone: str, among: str) -> str:
    """The first lines of the blocks that only one of them has."""
    ours, theirs = (_lines(said) for said in (alone, among))
    lost = [line for line in ours if line not in theirs]
    new = [line for line in theirs if line not in ours]
    return f"alone {lost[:2]}, among others {new[:2]}, and {len(lost)} and {len(new)} lines differ"


def _lines(said: str) -> list[str]:
    try:
        return json.dumps(json.loads(said), indent=1).replace("\\n", "\n").splitlines() if said else []
    except ValueError:
        return said.splitlines()


def _write(workspace: Workspace, entry: MemoryEntry) -> None:
    place = write_place(MemoryPlace(owner="shared", storage=entry.storage), f"{entry.id}.md")
    write_atomic(os.path.join(memories(workspace.shared), place), write_entry_text(entry))


if __name__ == "__main__":
    sys.exit(main())
