"""How many instructions the events of the hook take, against a Python that does nothing; with ``--calls`` how many
modules of ours an event or a command loads, and how many calls of our functions it makes.

Counts, unlike times, are the same on a busy machine. Instructions need valgrind: where that is missing nothing is
counted, and the exit code says so. Run it with the Python that Limpet is installed in.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass

from hook_projects import make_repository, talk_in
from nobody import become_nobody, trusted_project

from limpet.ground.bundle import PROMPT, TOOL, bundle_path
from limpet.ground.storage.files import STAMP_GRAIN_NS, write_atomic
from limpet.ground.workspace import Workspace, workspace_at
from limpet.hosts.claude_code.events import PROJECT
from limpet.hosts.commands.launcher import PACKAGE_ROOT
from limpet.hosts.commands.upkeep import compile_package, write_launcher
from limpet.operations.mirror import refresh_mirror

SEED = "0"
# As ``-I -S``, but that the seed of the hashes is heeded.
BARE = (sys.executable, "-P", "-s", "-S")
VALGRIND = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
MISSING = 77
FLOOR = "a bare interpreter"
# The hook as the launcher starts it, with time enough for the slow machine that valgrind makes.
HOOK = """
import sys
sys.path.append(sys.argv[1])
from limpet import hook
hook.WAITING = hook.ALL = 1000
hook.main(sys.argv[2:])
"""
COMMAND = """
import sys
sys.path.insert(0, sys.argv[1])
from limpet.__main__ import main
main(*sys.argv[2:])
"""
# Put before one of these: counts the calls of functions whose code lies in our package, until the process ends.
COUNTING = """
import atexit, os, sys
own, counted, leave = sys.argv[1] + os.sep + "limpet" + os.sep, 0, os._exit
def count(frame, event, argument):
    global counted
    if event == "call" and frame.f_code.co_filename.startswith(own):
        counted += 1
def tell():
    sys.setprofile(None)
    modules = sum(name.split(".")[0] == "limpet" for name in sys.modules)
    sys.stderr.write(f"\\nCOUNTED {modules} {counted}\\n")
    sys.stderr.flush()
def tell_and_leave(code):
    tell()
    leave(code)
os._exit = tell_and_leave
atexit.register(tell)
sys.setprofile(count)
"""
COUNTED = re.compile(rb"^COUNTED (\d+) (\d+)$", re.MULTILINE)
REFERENCES = re.compile(rb"I\s+refs:\s+([\d,]+)")
MEMORIES = ("Invoices are kept in PostgreSQL", "Invoices are numbered by year")
ASKING = "How are invoices kept and numbered in PostgreSQL by year?"
WRITTEN = '''\
def render_invoice(invoice, template, currency="EUR"):
    """Render the page of an invoice with its lines and totals."""
    lines = [line for line in invoice.lines if line.amount]
    total = sum(line.amount for line in lines)
    return template.render({"lines": lines, "total": total, "currency": currency})


def find_open_invoices(ledger, until):
    """Invoices of the ledger that are not paid yet."""
    found = []
    for invoice in ledger:
        if not invoice.paid and invoice.due <= until:
            found.append(invoice)
    return sorted(found, key=lambda one: one.due)
'''
WORKFLOW = """\
steps:
  - {agent: dev, state: build, mode: build, criteria: [It works]}
  - {agent: devops, state: deploy, mode: deploy}
"""
# More time than the settings give, for a search that is slow under valgrind.
SETTINGS = "context: {total_ms: 60000, allowances_ms: {memory: 60000}}\n"


@dataclass
class Process:
    """A process to count: a script with its words and stdin, where it runs, and what must and must not come back."""

    script: str
    words: tuple[str, ...]
    root: str
    stdin: str = ""
    answer: str = ""
    never: str = "permissionDecision"


class Talk:
    """A project in a git repository, as ``limpet init`` leaves it, and a conversation in it."""

    def __init__(self, folder: str, name: str) -> None:
        self.root = os.path.join(folder, name)
        write_atomic(os.path.join(self.root, "src", "app.py"), "a = 1\n")
        make_repository(self.root)
        self.play(self.command("init", "--yes", "--host", "claude-code", "--lean"))
        self.workspace: Workspace = workspace_at(self.root)
        write_atomic(self.workspace.path("config.yaml"), SETTINGS)
        trusted_project(self.root, time.time())
        refresh_mirror(self.workspace)
        self.events = 0

    def command(self, *words: str, stdin: str = "") -> Process:
        """A command of ours."""
        return Process(COMMAND, words, self.root, stdin)

    def event(self, name: str, answer: str = "", **about: object) -> Process:
        """An event of the conversation."""
        self.events += 1
        given = {"session_id": talk_in(self.root), "cwd": self.root, "hook_event_name": name, **about}
        return Process(HOOK, ("claude-code", name), self.root, json.dumps(given), answer)

    def prompt(self, text: str, answer: str = "") -> Process:
        """A prompt."""
        return self.event("UserPromptSubmit", answer, prompt=text, prompt_id=f"prompt-{self.events}")

    def call(self, command: str) -> Process:
        """A shell command that the agent wants to run."""
        about = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": f"call-{self.events}"}
        return self.event("PreToolUse", permission_mode="default", **about)

    def play(self, *processes: Process) -> None:
        """Let these happen, and their files grow old enough to be believed."""
        for process in processes:
            _run((*_start(process), "-c", process.script, PACKAGE_ROOT, *process.words), process)
        time.sleep(2 * STAMP_GRAIN_NS / 1e9)

    def begun(self) -> Talk:
        """This, with a conversation under way."""
        self.play(self.event("SessionStart", source="startup"), self.prompt("Please look at src/app.py"))
        return self


def first_event(talk: Talk) -> Process:
    """The first event ever in a project."""
    return talk.event("SessionStart", "limpet-context", source="startup")


def prompt(talk: Talk) -> Process:
    """A prompt in the midst of a conversation, for which there is nothing new."""
    talk.begun()
    talk.play(talk.prompt("Go on with src/app.py"))
    return talk.prompt("Please rename the variable, and say why")


def prompt_with_memories(talk: Talk) -> Process:
    """A prompt that brings two memories."""
    talk.play(*(talk.command("memory", "add", title, "--type", "decision") for title in MEMORIES))
    talk.begun()
    return talk.prompt(ASKING, MEMORIES[1])


def tool_call(talk: Talk) -> Process:
    """A plain tool call, with nobody at work."""
    talk.begun()
    talk.play(talk.call("ls -la"))
    return talk.call("ls -la")


def tool_call_under_role(talk: Talk) -> Process:
    """The same under a role, after a call that may have changed anything."""
    talk.play(talk.command("work", "agent", "activate", "dev"))
    talk.begun()
    talk.play(talk.call("ls -la"), talk.call("npm test"))
    return talk.call("ls -la")


def write_call(talk: Talk, scanned: bool = False) -> Process:
    """A tool call that writes two functions, which are new."""
    talk.begun()
    if scanned:  # our own sources
        shutil.copytree(os.path.join(PACKAGE_ROOT, "limpet"), os.path.join(talk.root, "src", "limpet"))
        talk.play(talk.command("registry", "scan"))
    given = {"file_path": os.path.join(talk.root, "src", "books.py"), "content": WRITTEN}
    about = {"tool_name": "Write", "tool_input": given, "permission_mode": "default"}
    talk.play(talk.event("PreToolUse", tool_use_id="first", **about))
    return talk.event("PreToolUse", tool_use_id="second", **about)


def write_call_after_scan(talk: Talk) -> Process:
    """The same, where the project's code was scanned."""
    return write_call(talk, scanned=True)


def opaque_call(talk: Talk) -> Process:
    """The call that may have changed anything itself: the first of its turn has the repository looked at."""
    talk.play(talk.command("work", "agent", "activate", "dev"))
    talk.begun()
    talk.play(talk.call("ls -la"))
    return talk.call("npm test")


def push(talk: Talk) -> Process:
    """A tool call that is refused."""
    talk.play(talk.command("work", "agent", "activate", "dev"))
    talk.begun()
    refused = talk.call("git push")
    refused.answer, refused.never = "permissionDecision", "no such words"
    return refused


def memory_write(talk: Talk) -> Process:
    """A sentence for something that was said."""
    from limpet.memory.candidates import Candidate, save, write_open

    said = Candidate(id="queue0", at=time.time(), session="bench", type="decision", quote="Let's take PostgreSQL.")
    waiting = {"id": said.id, "session": said.session, "at": said.at, "agent": "", "role": "user", "near": []}
    save(talk.workspace.shared, [said])
    write_open(talk.workspace.shared, [{**waiting, "quote": said.quote, "before": "Redis or PostgreSQL?"}])
    return talk.command("memory", "write", "queue0: The job queue of the shop is in PostgreSQL.")


def memory_add(talk: Talk) -> Process:
    """A memory."""
    return talk.command("memory", "add", MEMORIES[0], "--type", "decision")


def story_done(talk: Talk) -> Process:
    """A story of one criterion."""
    talk.play(
        talk.command("work", "story", "add", "Export", "--criterion", "A file"),
        talk.command("work", "story", "start", "S-1"),
    )
    return talk.command("work", "story", "done", "S-1", "--shown", "1: src/app.py")


def work_finish(talk: Talk) -> Process:
    """A step of a workflow, with one document."""
    write_atomic(talk.workspace.path("workflows", "hotfix.yaml"), WORKFLOW)
    talk.play(talk.command("config", "set", "work.checks.tests", '"true"', "--yes"))
    talk.play(talk.command("work", "start", "hotfix"))
    write_atomic(os.path.join(talk.root, "src", "export.py"), "b = 2\n")
    form = subprocess.run(
        (sys.executable, "-c", COMMAND, PACKAGE_ROOT, "work", "finish"), cwd=talk.root, capture_output=True, text=True
    ).stdout
    filled = form.replace("## Summary\n", "## Summary\n\nIt is done.\n")
    filled = filled.replace("- [ ] 1. It works", "- [x] 1. It works: src/export.py")
    return talk.command("work", "finish", "-", stdin=filled)


INSTRUCTIONS: dict[str, Callable[[Talk], Process]] = {
    "a prompt": prompt,
    "a prompt with two memories": prompt_with_memories,
    "a tool call (ls)": tool_call,
    "a write of two functions": write_call,
    "the same after a scan": write_call_after_scan,
    "ls under a role, after npm test": tool_call_under_role,
    "npm test under a role": opaque_call,
    "git push as dev": push,
    "the first event in a project": first_event,
}
CALLS: dict[str, Callable[[Talk], Process]] = {
    "a prompt": prompt,
    "git push as dev": push,
    "memory write of a candidate": memory_write,
    "memory add": memory_add,
    "story done, one criterion": story_done,
    "work finish": work_finish,
}


def main() -> int:
    parser = argparse.ArgumentParser(description="Count the instructions of the hook's events.")
    parser.add_argument("--calls", action="store_true", help="count modules and calls, of commands too")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not options.calls and shutil.which(VALGRIND[0]) is None:
        print("SKIPPED: instructions are counted with valgrind, and it is not installed here.", file=sys.stderr)
        return MISSING
    # Always the same path: one with a digit in it may be a secret, and is looked at longer.
    folder = os.path.join(tempfile.gettempdir(), "limpet-bench-instructions")
    if os.path.exists(folder):
        sys.exit(f"{folder} is there: another run is under way, or was killed. Remove it first.")
    os.mkdir(folder, 0o700)
    try:
        _prepare(folder)
        about = {"interpreter": sys.executable, "version": sys.version, "PYTHONHASHSEED": SEED}
        figures = _calls(folder) if options.calls else _instructions(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if options.json:
        print(json.dumps({**about, "figures": figures}, indent=1))
    else:
        print("\n".join([*(f"{name}: {value}" for name, value in about.items()), *_table(figures)]))
    return 0


def _prepare(folder: str) -> None:
    """Make this process and those that it starts as they are in an installation of nobody's."""
    for name in [name for name in os.environ if name.startswith("PYTHON")]:
        del os.environ[name]
    os.environ.update(PYTHONHASHSEED=SEED, HOME=folder, GIT_CONFIG_NOSYSTEM="1")
    become_nobody(folder)
    compile_package()
    missing = [way for way in (PROMPT, TOOL) if not os.path.exists(bundle_path(way))]
    if missing:
        sys.exit(f"no bundle was made for {missing}: is the package's folder writable, and older than two seconds?")
    write_launcher()


def _instructions(folder: str) -> dict[str, dict[str, float]]:
    floor = _count((*BARE, "-c", "pass"), Process("", (), folder))
    figures = {FLOOR: {"instructions": floor, "floor": 1.0}}
    for number, (name, make) in enumerate(INSTRUCTIONS.items()):
        process = make(Talk(folder, f"project-{number}"))
        found = _count((*BARE, "-c", process.script, PACKAGE_ROOT, *process.words), process)
        figures[name] = {"instructions": found, "floor": round(found / floor, 2)}
    return figures


def _calls(folder: str) -> dict[str, dict[str, float]]:
    figures: dict[str, dict[str, float]] = {}
    for number, (name, make) in enumerate(CALLS.items()):
        process = make(Talk(folder, f"project-{number}"))
        err = _run((*_start(process), "-c", COUNTING + process.script, PACKAGE_ROOT, *process.words), process)
        found = COUNTED.search(err)
        if found is None:
            sys.exit(f"{name}: nothing was counted\n{err.decode()}")
        figures[name] = {"modules": int(found[1]), "calls": int(found[2])}
    return figures


def _start(process: Process) -> tuple[str, ...]:
    """The interpreter, bare for the hook, as its launcher starts it."""
    return BARE if process.script == HOOK else BARE[:1]


def _count(words: tuple[str, ...], process: Process) -> int:
    """The instructions of a process, without those of the processes that it starts."""
    found = REFERENCES.search(_run((*VALGRIND, *words), process))
    if found is None:
        sys.exit(f"valgrind counted nothing of {' '.join(process.words)}")
    return int(found[1].replace(b",", b""))


def _run(words: tuple[str, ...], process: Process) -> bytes:
    """Run a process that must do what it is measured for, and return its stderr."""
    environment = {**os.environ, PROJECT: process.root}  # as the client does
    done = subprocess.run(words, input=process.stdin.encode(), capture_output=True, cwd=process.root, env=environment)
    out = done.stdout.decode()
    if done.returncode or process.answer not in out or process.never in out:
        sys.exit(f"{' '.join(process.words)}: exit {done.returncode}\n{out}{done.stderr.decode()}")
    return done.stderr


def _table(figures: dict[str, dict[str, float]]) -> list[str]:
    lines = []
    for name, found in figures.items():
        if not lines:
            lines.append(f"{'':36}" + "".join(f"{head:>16}" for head in found))
        lines.append(f"{name:36}" + "".join(f"{value:>16,}" for value in found.values()))
    return lines


if __name__ == "__main__":
    sys.exit(main())
